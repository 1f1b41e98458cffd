// The `content` map of a body, a response, a parameter or a header, by media type.
import { isJsonMediaType, type MediaType, matchMediaType, parseMediaType } from './mediaType.ts';

/** An entry of a `content` map. */
export interface ContentEntry<T> {
  /** A media type or a media type range. */
  readonly key: string;
  readonly content: T;
}

/** The entry for the media type of a message. */
interface SelectedContent<T> extends ContentEntry<T> {
  readonly sent: MediaType;
}

/** The entries of a `content` map in their order; `T` is compiled from a Media Type Object. */
export class Contents<T> implements Iterable<readonly [key: string, content: T]> {
  readonly keys: readonly string[];
  readonly #entries: ReadonlyMap<string, T>;

  constructor(entries: Iterable<readonly [key: string, content: T]>) {
    this.#entries = new Map(entries);
    this.keys = [...this.#entries.keys()];
  }

  get size(): number {
    return this.keys.length;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  [Symbol.iterator](): Iterator<readonly [key: string, content: T]> {
    return this.#entries.entries();
  }

  /** The entries in their order. */
  get entries(): readonly ContentEntry<T>[] {
    return Array.from(this.#entries, ([key, content]) => ({ key, content }));
  }

  values(): T[] {
    return [...this.#entries.values()];
  }

  map<U>(of: (content: T, key: string) => U): Contents<U> {
    return new Contents(Array.from(this.#entries, ([key, content]) => [key, of(content, key)]));
  }

  /**
   * @param contentType a media type, or the value of `Content-Type`
   * @returns the entry whose key matches best, as {@link matchMediaType}; undefined for none, and for a
   *   malformed media type
   */
  select(contentType: string | MediaType | undefined): SelectedContent<T> | undefined {
    const sent = typeof contentType === 'object' ? contentType : parseMediaType(contentType);
    const key = sent && matchMediaType(sent, this.keys);
    return key === undefined ? undefined : { key, content: this.#entries.get(key)!, sent: sent! };
  }

  /** The entry of JSON, else the first; undefined for an empty map. */
  get preferred(): ContentEntry<T> | undefined {
    const key = this.keys.find(isJsonMediaType) ?? this.keys[0];
    return key === undefined ? undefined : { key, content: this.#entries.get(key)! };
  }
}
