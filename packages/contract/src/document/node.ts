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
