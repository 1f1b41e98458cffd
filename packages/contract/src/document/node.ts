// The JSON of a document.

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
