// Replaces modules in the bundle for Workers that nothing calls: see wrangler.jsonc.
export default class Unused {
  static parse() {}
  static resolve() {}
  static bundle() {}
  static dereference() {}
}
