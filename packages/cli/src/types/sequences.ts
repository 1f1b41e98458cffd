// Prepares sequences of items for openapi-typescript: arrays of what handlers return and receive.

import {
  COMPOSITIONS,
  documentParts,
  isEventStream,
  isJsonMediaType,
  isObject,
  isSequential,
  type Node,
  parseMediaType,
  referencedValue,
} from '@stubwright/contract';

/** Replaces the schema of each sequence by an array. @param document whose references are JSON pointers */
export function arrangeSequences(document: Node): void {
  const changes: (() => void)[] = [];
  for (const content of contentMaps(document)) {
    for (const [key, written] of Object.entries(content)) {
      const type = parseMediaType(key)?.type ?? '';
      if (!isSequential(type)) continue;
      const { itemSchema, 'x-item-schema': own, ...media } = target(document, written);
      const array = target(document, media.schema);
      const ofArray = array.prefixItems === undefined ? array.items : undefined;
      const items = itemSchema ?? own ?? ofArray;
      const typed = isEventStream(type) ? (eventType(document, items) ?? items) : items;
      // The engine does not read it: without a schema the body is bytes.
      if (typed === undefined && array.prefixItems !== undefined) {
        const { schema: _, ...bytes } = media;
        changes.push(() => {
          content[key] = bytes;
        });
      }
      if (typed === undefined) continue;
      changes.push(() => {
        content[key] = { ...media, schema: { type: 'array', items: typed } };
      });
    }
  }
  // After all reading: references may lead to changed schemas.
  for (const change of changes) change();
}

export function* contentMaps(document: Node): Generator<Node> {
  for (const { pointer, node, kind } of documentParts(document)) {
    if (kind === 'names' && pointer.endsWith('/content')) yield node;
  }
}

/** @returns the object behind references; an empty one for another value */
export function target(document: Node, written: unknown): Node {
  const found = referencedValue(document, written);
  return isObject(found) ? found : {};
}

/** @returns the schema of an event with the values of its data; undefined if its data is text */
function eventType(document: Node, written: unknown, depth = 0): Node | undefined {
  const node = target(document, written);
  if (depth > 20) return undefined;
  const value = dataType(target(document, node.properties?.data));
  const lists = COMPOSITIONS.flatMap((keyword) => {
    if (!Array.isArray(node[keyword])) return [];
    const types = node[keyword].map((alternative: unknown) =>
      eventType(document, alternative, depth + 1),
    );
    return types.every((each) => each === undefined) ? [] : [{ keyword, types }];
  });
  if (value === undefined && lists.length === 0) return undefined;
  const { data, ...properties } = node.properties ?? {};
  const required: string[] = node.required ?? [];
  const isInherited = value === undefined && data !== undefined;
  const changed = lists.map(({ keyword, types }) => [
    keyword,
    types.map((type: Node | undefined, at: number) => {
      const branch = type ?? target(document, node[keyword][at]);
      // The base describes the text of the data, a branch its value.
      return keyword === 'allOf' || !isInherited ? branch : withData(branch, data, required);
    }),
  ]);
  return {
    ...node,
    ...Object.fromEntries(changed),
    properties: value === undefined ? properties : { ...properties, data: value },
    required: isInherited ? required.filter((name) => name !== 'data') : required,
  };
}

/** @returns the schema of the value that the data represents; undefined for text */
function dataType(data: Node): unknown {
  return isJsonMediaType(data.contentMediaType) ? (data.contentSchema ?? {}) : undefined;
}

function withData(branch: Node, data: unknown, required: readonly string[]): Node {
  const own: string[] = branch.required ?? [];
  return {
    ...branch,
    properties: { data, ...branch.properties },
    required: required.includes('data') ? [...new Set([...own, 'data'])] : own,
  };
}
