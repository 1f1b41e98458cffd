// Offsets of keys and values in the text of a JSON file. Reads only the objects on the way to a value.

/** Where an entry of an object or array starts; of an array item, the key is the item. */
export interface JsonEntry {
  readonly key: number;
  readonly value: number;
}

const SPACE = /[\s,:]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = /[^\s,:{}[\]"]+/y;
const NEXT = /["{}[\]]/g;

export class JsonPositions {
  readonly #text: string;
  readonly #entries = new Map<number, ReadonlyMap<string, JsonEntry>>();

  /** @param text valid JSON */
  constructor(text: string) {
    this.#text = text;
  }

  /** @returns the nearest existing entry on the path; undefined for the whole text */
  find(tokens: readonly string[]): JsonEntry | undefined {
    let found: JsonEntry | undefined;
    for (const token of tokens) {
      const next = this.#entriesAt(found?.value ?? this.#skip(SPACE, 0)).get(token);
      if (next === undefined) break;
      found = next;
    }
    return found;
  }

  /** The first of equal keys. */
  #entriesAt(start: number): ReadonlyMap<string, JsonEntry> {
    const known = this.#entries.get(start);
    if (known !== undefined) return known;
    const entries = new Map<string, JsonEntry>();
    this.#entries.set(start, entries);
    const isArray = this.#text[start] === '[';
    if (!isArray && this.#text[start] !== '{') return entries;
    let at = this.#skip(SPACE, start + 1);
    for (let index = 0; !'}]'.includes(this.#text[at]!); index++) {
      const key = at;
      if (!isArray) at = this.#skip(SPACE, this.#skip(STRING, at));
      const name = isArray ? String(index) : this.#keyAt(key);
      if (!entries.has(name)) entries.set(name, { key, value: at });
      at = this.#skip(SPACE, this.#endOf(at));
    }
    return entries;
  }

  #keyAt(start: number): string {
    return JSON.parse(this.#text.slice(start, this.#skip(STRING, start)));
  }

  #endOf(start: number): number {
    const first = this.#text[start]!;
    if (first === '"') return this.#skip(STRING, start);
    if (first !== '{' && first !== '[') return this.#skip(SCALAR, start);
    let depth = 0;
    NEXT.lastIndex = start;
    for (let next = NEXT.exec(this.#text); next !== null; next = NEXT.exec(this.#text)) {
      const [char] = next;
      if (char === '"') NEXT.lastIndex = this.#skip(STRING, next.index);
      else depth += char === '{' || char === '[' ? 1 : -1;
      if (depth === 0) return NEXT.lastIndex;
    }
    return this.#text.length;
  }

  #skip(pattern: RegExp, start: number): number {
    pattern.lastIndex = start;
    return pattern.test(this.#text) ? pattern.lastIndex : start;
  }
}
