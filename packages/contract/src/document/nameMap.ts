// An object without inherited properties, for names from contracts and clients (`constructor`, `__proto__`).

/** Unlike the hash table of `Object.create(null)`, V8 allocates few properties in the object itself. */
export class NameMap<Value> {
  [name: string]: Value;

  static {
    Reflect.deleteProperty(NameMap.prototype, 'constructor');
    Object.freeze(Object.setPrototypeOf(NameMap.prototype, null));
  }
}
