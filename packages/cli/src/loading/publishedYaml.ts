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
import { DUMP_SCHEMA, dump } from 'js-yaml';
import { parseText } from './parse.ts';
import type { Positions } from './position.ts';
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
  const own = asWritten(source, document) ?? written(document);
  const rebased = withServers(document, ANY_SERVERS);
  const isSameWithout = isDeepStrictEqual(rebased, { ...document, servers: ANY_SERVERS });
  return isSameWithout ? own : { ...own, rebased: written(rebased) };
}

/** @returns the text if it is YAML in block style that has the value of the document */
function asWritten(text: string, document: Node): PublishedYaml | undefined {
  if (text.trim() === '' || text.trimStart().startsWith('{')) return undefined;
  const parsed = parseText(text, false);
  if (parsed.errors !== undefined || !isDeepStrictEqual(parsed.value, document)) return undefined;
  return { text, servers: serversIn(parsed.positions, document) };
}

/** @returns the lines of `servers`, or else the position after `info` */
function serversIn(positions: Positions, { servers }: Node): [number, number] {
  const { text } = positions;
  const { keyStart, end } = positions.find([servers === undefined ? 'info' : 'servers']);
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  const after = lineEnd === 0 ? text.length : lineEnd;
  return [servers === undefined ? after : keyStart, after];
}

/** `servers` comes after `info`, as in most contracts. */
function written(document: Node): PublishedYaml {
  const { openapi, info, servers, ...rest } = exactIntegers(document);
  const head = yamlOf({ openapi, info });
  const list = servers === undefined ? '' : yamlOf({ servers });
  const text = head + list + (Object.keys(rest).length === 0 ? '' : yamlOf(rest));
  return { text, servers: [head.length, head.length + list.length] };
}

const SCHEMA = DUMP_SCHEMA.withTags(
  DUMP_SCHEMA.tags
    .filter((tag) => tag.nodeKind === 'scalar')
    .filter(({ tagName }) => tagName === 'tag:yaml.org,2002:int')
    .map((tag) => ({
      ...tag,
      identify: (value: unknown) => typeof value === 'bigint' || tag.identify(value),
      represent: String,
    })),
);

/** Quotes strings that YAML 1.1 reads as dates or booleans. */
function yamlOf(node: Node): string {
  return dump(node, { schema: SCHEMA, noRefs: true, lineWidth: 100 });
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
