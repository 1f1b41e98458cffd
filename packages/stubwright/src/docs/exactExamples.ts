// Exact integers beyond 2^53 in the examples of the published contract.

import { isObject, type Node } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { isJsonMediaType } from '../media/mediaType.ts';

/** @returns a copy with JSON examples that contain bigints as strings: Swagger UI would round them */
export function withExactExamples(document: Node): Node {
  return withExactExamplesIn(document, '') as Node;
}

function withExactExamplesIn(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node.map((each) => withExactExamplesIn(each, ''));
  if (!isObject(node)) return node;
  const isBody = isJsonMediaType(key);
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (isBody && name === 'example') return [name, exact(value)];
    if (isBody && name === 'examples' && isObject(value)) return [name, exactValues(value)];
    return [name, withExactExamplesIn(value, name)];
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
