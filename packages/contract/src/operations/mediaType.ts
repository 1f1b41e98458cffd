// Parses and matches media types and media type ranges (RFC 9110, section 8.3), and selects from `content` maps.

export interface MediaType {
  /** In lower case, without parameters: `application/json`. */
  readonly type: string;
  /** By lower-case name, without `charset`. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly charset: string | undefined;
}

/** The media type of an HTML form without files. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

const TYPE = /^[ \t]*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)[ \t]*/;
const PARAMETER = /;[ \t]*(?:([\w!#$&^.+*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*)))?[ \t]*/gy;
const UTF8 = /^(?:utf-?8|us-ascii)$/i;
const PLAIN_JSON: MediaType = {
  type: 'application/json',
  parameters: new Map(),
  charset: undefined,
};

/** @returns undefined for a malformed media type */
export function parseMediaType(text: string | undefined): MediaType | undefined {
  if (text === 'application/json') return PLAIN_JSON;
  const [head, type] = TYPE.exec(text ?? '') ?? [];
  if (text === undefined || head === undefined || type === undefined) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = head.length;
  while (PARAMETER.lastIndex < text.length) {
    const found = PARAMETER.exec(text);
    if (found === null) return undefined;
    const [, name, quoted, token] = found;
    if (name !== undefined) parameters.set(name.toLowerCase(), quoted ?? token ?? '');
  }
  const charset = parameters.get('charset');
  parameters.delete('charset');
  return { type: type.toLowerCase(), parameters, charset };
}

/** @returns the elements of a list (RFC 9110, section 5.6.1); quoted strings may contain commas */
export function listElements(text: string | undefined): string[] {
  const elements = text?.match(/(?:[^,"]|"(?:[^"\\]|\\(?:.|$))*(?:"|$))+/gs) ?? [];
  return elements.map((element) => element.trim()).filter((element) => element !== '');
}

/** A media range of `Accept`. */
interface AcceptedRange {
  readonly range: MediaType;
  /** From 0, not acceptable, to 1 (RFC 9110, section 12.4.2). */
  readonly weight: number;
}

/** @returns the media ranges by descending weight, the range of all types last among equals (RFC 9110, section 12.5.1) */
export function acceptedRanges(accept: string | undefined): AcceptedRange[] {
  const ranges = listElements(accept).flatMap((text): AcceptedRange[] => {
    const [name = '', quality = '1'] = text.split(/;[ \t]*q=/i);
    const [range, weight] = [parseMediaType(name), Number.parseFloat(quality)];
    return range && weight >= 0 ? [{ range, weight }] : [];
  });
  const isAny = ({ range }: AcceptedRange) => Number(range.type === '*/*');
  return ranges.sort((a, b) => b.weight - a.weight || isAny(a) - isAny(b));
}

/** True for `charset=utf-8`, us-ascii, and no charset. */
export function isUtf8({ charset }: MediaType): boolean {
  return charset === undefined || UTF8.test(charset);
}

/** True for `application/json`, its older name `text/json`, and types with the suffix `+json` (RFC 6839). */
export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

/** Same as {@link isJson}, for a media type with parameters. */
export function isJsonMediaType(text: string | undefined): boolean {
  return isJson(parseMediaType(text)?.type ?? '');
}

/** True for `application/xml`, `text/xml` and types with the suffix `+xml` (RFC 7303). */
export function isXml(type: string): boolean {
  return type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml');
}

/** Same as {@link isXml}, for a media type with parameters. */
export function isXmlMediaType(text: string | undefined): boolean {
  return isXml(parseMediaType(text)?.type ?? '');
}

/**
 * @returns the most specific matching key of a `content` map: with parameters, without, a range of
 *   subtypes, then a range of all types; undefined if no key matches
 */
export function matchMediaType(sent: MediaType, keys: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestRank = 0;
  for (const key of keys) {
    const rank = rankOf(sent, parseMediaType(key));
    if (rank > bestRank) {
      best = key;
      bestRank = rank;
    }
  }
  return best;
}

function rankOf(sent: MediaType, range: MediaType | undefined): number {
  if (range === undefined) return 0;
  for (const [name, value] of range.parameters) {
    if (sent.parameters.get(name) !== value) return 0;
  }
  if (range.type === sent.type) return 3 + range.parameters.size;
  if (range.type === '*/*') return 1;
  const [family] = range.type.split('/*');
  return range.type.endsWith('/*') && sent.type.startsWith(`${family}/`) ? 2 : 0;
}

/**
 * @param key a media type or a media type range
 * @param body bytes, a text or data
 * @returns the media type of a body: in a range that of a Blob, else the usual one of bytes, a text or data;
 *   undefined if the range does not include it
 */
export function typeInRange(key: string, body: unknown): string | undefined {
  if (!isRange(key)) return key;
  return [ownType(body), usualType(body)].find((type) => {
    const sent = parseMediaType(type);
    return sent !== undefined && !isRange(sent.type) && rankOf(sent, parseMediaType(key)) > 0;
  });
}

/** @param key of a `content` map, or a media type */
function isRange(key: string): boolean {
  return key.split(';', 1)[0]!.includes('*');
}

function ownType(body: unknown): string | undefined {
  return isTagged(body, 'Blob', 'File') ? (body as Blob).type : undefined;
}

function usualType(body: unknown): string {
  if (typeof body === 'string') return 'text/plain; charset=utf-8';
  const isBytes = ArrayBuffer.isView(body) || body instanceof ArrayBuffer || isStream(body);
  return isBytes || isTagged(body, 'Blob', 'File')
    ? 'application/octet-stream'
    : 'application/json';
}

/** True for a stream of the Web or of Node. */
function isStream(body: unknown): boolean {
  const { pipe } = (body ?? {}) as { pipe?: unknown };
  return typeof pipe === 'function' || isTagged(body, 'ReadableStream');
}

/** Not `instanceof`: a Blob may be that of another realm. */
function isTagged(value: unknown, ...tags: readonly string[]): boolean {
  return tags.includes(Object.prototype.toString.call(value).slice(8, -1));
}

/** JSON Lines and NDJSON, one value a line. */
const JSON_LINES = /^application\/(?:jsonl|x-jsonlines|x-ndjson|ndjson)$/;

/** True for server-sent events (WHATWG HTML, section 9.2). */
export function isEventStream(type: string): boolean {
  return type === 'text/event-stream';
}

/** True for the sequential media types of OpenAPI 3.2.0, section 4.14.4, that the engine reads and writes. */
export function isSequential(type: string): boolean {
  return JSON_LINES.test(type) || isEventStream(type);
}

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
