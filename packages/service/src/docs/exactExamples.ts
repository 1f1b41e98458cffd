// The examples of the documentation page: with exact integers beyond 2^53, and those of OpenAPI 3.2.

import {
  isJsonMediaType,
  isObject,
  type Node,
  namedExample,
  stringifyJson,
} from '@stubwright/contract';

const EXAMPLE_FIELDS = ['value', 'dataValue', 'serializedValue'];

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
    if (name === 'examples' && isObject(value)) return [name, shownValues(value, key)];
    return [name, withExactExamplesIn(value, name)];
  });
  return Object.fromEntries(entries);
}

/** Swagger UI reads `value` only. */
function shownValues(examples: Node, type: string): Node {
  const isBody = isJsonMediaType(type);
  const entries = Object.entries(examples).map(([name, example]) => {
    const isExample = isObject(example) && EXAMPLE_FIELDS.some((field) => field in example);
    const read = isExample
      ? namedExample(name, { node: example, pointer: '' }).read(type)
      : undefined;
    if (!isExample || read === undefined) return [name, withExactExamplesIn(example, name)];
    const { dataValue, serializedValue, ...rest } = example;
    const isOld = dataValue === undefined && serializedValue === undefined;
    return [name, { ...rest, value: isBody || !isOld ? exact(read.value) : read.value }];
  });
  return Object.fromEntries(entries);
}

function exact(value: unknown): unknown {
  return hasBigint(value) ? stringifyJson(value, 2) : value;
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}
