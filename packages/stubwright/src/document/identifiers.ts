// Resolves references by `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12, section 8.2).

type Json = Readonly<Record<string, unknown>>;

/** The base URI of the document; arbitrary, since the document has no URI. */
const DOCUMENT = 'document:/';

export class Identifiers {
  /** URI without fragment -> pointer of the schema resource. */
  readonly #resources = new Map<string, string>([[DOCUMENT, '']]);
  /** URI with `#anchor` -> pointer. */
  readonly #anchors = new Map<string, string>();
  /** Pointer of a schema resource -> URI. */
  readonly #uris = new Map<string, string>([['', DOCUMENT]]);

  constructor(document: Json) {
    if (!String(document['openapi']).startsWith('3.0')) this.#collect(document, '', DOCUMENT);
  }

  /** True if the document has schema resources with an `$id`. */
  get hasIds(): boolean {
    return this.#resources.size > 1;
  }

  /** @returns the pointer of the target of `ref` in the schema at `pointer`; undefined if there is none */
  resolve(ref: string, pointer: string): string | undefined {
    const target = URL.parse(ref, this.#baseOf(pointer));
    if (target === null) return undefined;
    const fragment = decodeURIComponent(target.hash.slice(1));
    target.hash = '';
    const root = this.#resources.get(target.href);
    if (fragment === '' || fragment.startsWith('/')) {
      return root === undefined ? undefined : root + fragment;
    }
    return this.#anchors.get(`${target.href}#${fragment}`);
  }

  #baseOf(pointer: string): string {
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const uri = this.#uris.get(at);
      if (uri !== undefined) return uri;
    }
    return DOCUMENT;
  }

  #collect(node: unknown, pointer: string, base: string): void {
    if (typeof node !== 'object' || node === null) return;
    const { $id, $anchor, $dynamicAnchor } = node as Json;
    const uri = typeof $id === 'string' ? URL.parse($id, base)?.href : undefined;
    if (uri !== undefined) {
      this.#resources.set(uri, pointer);
      this.#uris.set(pointer, uri);
    }
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') this.#anchors.set(`${uri ?? base}#${anchor}`, pointer);
    }
    for (const [name, child] of Object.entries(node)) {
      if (name === 'example' || name === 'examples' || name === 'enum' || name === 'const')
        continue;
      const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
      this.#collect(child, `${pointer}/${token}`, uri ?? base);
    }
  }
}
