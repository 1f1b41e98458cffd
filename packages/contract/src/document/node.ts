// The JSON of a document, and JSON pointers (RFC 6901) with URI fragments (RFC 3986).

/** A JSON object of the document; its structure was validated when the contract was loaded. */
// biome-ignore lint/suspicious/noExplicitAny: the document's shape is data, not a type
export type Node = Record<string, any>;

/** A node of the document with its JSON pointer (RFC 6901). */
export interface LocatedNode {
  readonly pointer: string;
  readonly node: Node;
}

/** True for text, a number or a boolean. */
export function isPrimitive(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** True for a number or a bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** @returns true for a JSON object: not an array, not null */
export function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An object without inherited properties, for names from contracts and clients (`constructor`, `__proto__`).
 * Unlike the hash table of `Object.create(null)`, V8 allocates few properties in the object itself.
 */
export class NameMap<Value> {
  [name: string]: Value;

  static {
    Reflect.deleteProperty(NameMap.prototype, 'constructor');
    Object.freeze(Object.setPrototypeOf(NameMap.prototype, null));
  }
}

/** An assignment would change the prototype for the name `__proto__`. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, ...OWN });
}

const OWN = { configurable: true, enumerable: true, writable: true };

/** @returns a copy with large integers as bigints: JSON.stringify rounds the digits of a large double */
export function exactIntegers(document: Node): Node {
  return exactly(document) as Node;
}

function exactly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(exactly);
  if (isObject(node)) {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, exactly(value)]));
  }
  // No integer format exceeds 2^64.
  const isLarge = Number.isInteger(node) && !Number.isSafeInteger(node);
  return isLarge && Math.abs(node as number) < 2 ** 64 ? BigInt(node as number) : node;
}

/** @returns the token as in a JSON pointer: `~1` for `/`, `~0` for `~` */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** @returns the token of a JSON pointer without escapes */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @returns the tokens of a JSON pointer without escapes */
export function tokensOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

/** @returns the percent-decoded text; a malformed text unchanged */
export function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns the JSON pointer as a URI fragment, as in `$ref` (RFC 6901, section 6) */
export function fragmentOf(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`;
}

/** @returns the value at a JSON pointer; undefined if there is none */
export function valueAt(document: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce(
    // Undefined for what every object inherits, such as `constructor`.
    (value, token) => (Object.hasOwn(Object(value), token) ? Object(value)[token] : undefined),
    document,
  );
}

/** @param pointer of a value that exists @returns a copy with another value there */
export function withValueAt(document: unknown, pointer: string, value: unknown): unknown {
  const replaced = (node: unknown, [token, ...rest]: readonly string[]): unknown => {
    if (token === undefined) return value;
    const inner = replaced(Object(node)[token], rest);
    return Array.isArray(node)
      ? node.with(Number(token), inner)
      : { ...Object(node), [token]: inner };
  };
  return replaced(document, tokensOf(pointer));
}
