// Exact integers beyond 2^53 in a document.
import { isObject, type Node } from './node.ts';

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
