// Integers of a contract beyond 2^53, where a double cannot represent each: written with
// all their digits, and kept from a page that would round them.

import { isObject, type Node } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { isJsonMediaType } from '../request/body/mediaType.ts';

/** @returns a copy whose large integers are bigints: -2^63 is a double, but is not written as one */
export function exactIntegers(document: Node): Node {
  return exactly(document) as Node;
}

function exactly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(exactly);
  if (isObject(node)) {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, exactly(value)]));
  }
  // From 2^64 on no format of an integer reaches, and a double says all that is meant.
  const isLarge = Number.isInteger(node) && !Number.isSafeInteger(node);
  return isLarge && Math.abs(node as number) < 2 ** 64 ? BigInt(node as number) : node;
}

/** @returns a copy whose JSON bodies have such an example as its text, which Swagger UI shows as it is */
export function withExactExamples(document: Node): Node {
  return copied(document, '') as Node;
}

function copied(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node.map((each) => copied(each, ''));
  if (!isObject(node)) return node;
  const isBody = isJsonMediaType(key);
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (isBody && name === 'example') return [name, exact(value)];
    if (isBody && name === 'examples' && isObject(value)) return [name, exactValues(value)];
    return [name, copied(value, name)];
  });
  return Object.fromEntries(entries);
}

function exactValues(examples: Node): Node {
  const entries = Object.entries(examples).map(([name, example]) => [
    name,
    isObject(example) && 'value' in example ? { ...example, value: exact(example.value) } : example,
  ]);
  return Object.fromEntries(entries);
}

function exact(value: unknown): unknown {
  return hasBigint(value) ? stringifyJson(value, 2) : value;
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
