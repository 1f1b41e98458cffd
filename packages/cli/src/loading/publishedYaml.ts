// The contract as one YAML file: its source with comments if that has the same meaning, else serialized
// from the bundle.

import { isDeepStrictEqual } from 'node:util';
import {
  exactIntegers,
  isObject,
  type Node,
  type PublishedYaml,
  unescapeUri,
  valueAt,
  withServers,
} from '@stubwright/contract';
import { isMap, isNode, isScalar, parseDocument, stringify } from 'yaml';
import { parseText } from './parse.ts';
import { DISK } from './sources/disk.ts';
import type { Sources } from './sources/sources.ts';

/** The value is replaced. */
const ANY_SERVERS = [{ url: '/' }];

/** @param document as it is published */
export async function publishedYaml(
  path: string,
  document: Node,
  sources: Sources = DISK,
): Promise<PublishedYaml> {
  const source = await sources.read(path).then(String, () => '');
  const own = (hasMeaning(source, document) && withRange(source)) || written(document);
  const rebased = withServers(document, ANY_SERVERS);
  const isSameWithout = isDeepStrictEqual(rebased, { ...document, servers: ANY_SERVERS });
  return isSameWithout ? own : { ...own, rebased: written(rebased) };
}

/** True for YAML in block style that has the value of the document. */
function hasMeaning(text: string, document: Node): boolean {
  if (text.trim() === '' || text.trimStart().startsWith('{')) return false;
  const parsed = parseText(text, false);
  return parsed.errors === undefined && isDeepStrictEqual(parsed.value, document);
}

/** Finds `servers`, or else the position after `info`. */
function withRange(text: string): PublishedYaml | undefined {
  const { contents } = parseDocument(text, { uniqueKeys: false });
  if (!isMap(contents)) return undefined;
  const pairs = contents.items.map(({ key, value }) => ({
    name: isScalar(key) ? key.value : undefined,
    start: rangeOf(key)?.[0],
    end: rangeOf(value)?.[2],
  }));
  const old = pairs.find(({ name }) => name === 'servers');
  const at = old ?? pairs.find(({ name }) => name === 'info');
  const start = old === undefined ? at?.end : old.start;
  return start === undefined || at?.end === undefined
    ? undefined
    : { text, servers: [start, at.end] };
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return isNode(node) ? (node.range ?? undefined) : undefined;
}

/** `servers` comes after `info`, as in most contracts. */
function written(document: Node): PublishedYaml {
  const { openapi, info, servers, ...rest } = exactIntegers(document);
  const head = yamlOf({ openapi, info });
  const list = servers === undefined ? '' : yamlOf({ servers });
  const text = head + list + (Object.keys(rest).length === 0 ? '' : yamlOf(rest));
  return { text, servers: [head.length, head.length + list.length] };
}

/** Quotes strings that YAML 1.1 reads as dates or booleans. */
function yamlOf(node: Node): string {
  return stringify(node, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 100 });
}

/**
 * Returns a copy without external references in `x-` extensions: clients cannot resolve them, and
 * generators of clients reject them.
 */
export function selfContained(document: Node): Node {
  const resolves = (ref: string) =>
    ref.startsWith('#') && valueAt(document, unescapeUri(ref.slice(1))) !== undefined;
  const copy = (node: unknown, isExtension: boolean): unknown => {
    if (Array.isArray(node)) {
      return node
        .filter((each) => !isLost(each, isExtension))
        .map((each) => copy(each, isExtension));
    }
    if (!isObject(node)) return node;
    const kept = Object.entries(node).flatMap(([name, value]) => {
      const isInside = isExtension || name.startsWith('x-');
      return isLost(value, isInside) ? [] : [[name, copy(value, isInside)] as const];
    });
    return Object.fromEntries(kept);
  };
  const isLost = (node: unknown, isExtension: boolean) =>
    isExtension && isObject(node) && typeof node.$ref === 'string' && !resolves(node.$ref);
  return copy(document, false) as Node;
}
