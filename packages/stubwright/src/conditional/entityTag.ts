// Entity tags, their lists and their comparison (RFC 9110, section 8.8.3).

/** The version of a resource, such as a column that each write increments. */
export type ResourceVersion = string | number | bigint;

/** `*`, or the entity tags of a condition. */
export type TagList = '*' | readonly string[];

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/y;
const WHITESPACE = /[ \t]*/y;

/**
 * Returns the entity tag of a version, for the header `ETag`. Each version has a tag of its own: characters
 * that an entity tag cannot have are percent-encoded.
 *
 * @param isWeak for representations that are equivalent, and not equal in each byte; `If-Match` never
 *   matches a weak tag
 * @throws {TypeError} for a version that is no string, bigint or finite number
 * @example
 * return { status: 200, headers: { ETag: etag(toy.version) }, body: toy };
 */
export function etag(
  version: ResourceVersion,
  { isWeak = false }: { readonly isWeak?: boolean } = {},
): string {
  const isVersion = ['string', 'bigint'].includes(typeof version) || Number.isFinite(version);
  const text = String(version);
  if (!isVersion || !text.isWellFormed()) {
    throw new TypeError(`etag: got ${text.toWellFormed()}, expected a version: text or a number`);
  }
  return `${isWeak ? 'W/' : ''}"${text.replace(/[^\x21\x23\x24\x26-\x7e]/gu, percentEncoded)}"`;
}

function percentEncoded(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

export function isEntityTag(text: string): boolean {
  TAG.lastIndex = 0;
  return TAG.test(text) && TAG.lastIndex === text.length;
}

/**
 * Reads a condition. Empty elements of a list are ignored (RFC 9110, section 5.6.1.2).
 *
 * @returns undefined if it is malformed
 */
export function entityTagsOf(text: string): TagList | undefined {
  if (text === '*') return '*';
  const tags: string[] = [];
  let at = endOf(WHITESPACE, text, 0);
  while (at < text.length) {
    const end = endOf(TAG, text, at);
    if (end > at) tags.push(text.slice(at, end));
    at = endOf(WHITESPACE, text, end);
    if (at === text.length) return tags;
    if (text[at] !== ',') return undefined;
    at = endOf(WHITESPACE, text, at + 1);
  }
  return tags;
}

/** @returns the end of the match; the start if there is none */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** RFC 9110, section 8.8.3.2. */
export function isStrongMatch(a: string, b: string): boolean {
  return a === b && !a.startsWith('W/');
}

/** RFC 9110, section 8.8.3.2. */
export function isWeakMatch(a: string, b: string): boolean {
  return opaqueTag(a) === opaqueTag(b);
}

function opaqueTag(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
