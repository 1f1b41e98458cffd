// Offsets of keys and values in a document of the package `yaml`.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { JsonEntry } from './jsonPositions.ts';
import { yamlDocument } from './yamlDocument.ts';

export class DocumentPositions {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  static of(text: string): DocumentPositions {
    return new DocumentPositions(yamlDocument(text));
  }

  find(tokens: readonly string[]): JsonEntry | undefined {
    const start = offsetOf(this.#document.contents);
    return entryIn(this.#document, tokens) ?? { key: start, value: start };
  }
}

/** @returns the nearest existing entry on the path */
function entryIn(document: Document, tokens: readonly string[]): JsonEntry | undefined {
  let node: unknown = document.contents;
  let found: JsonEntry | undefined;
  for (const token of tokens) {
    const holder = isAlias(node) ? node.resolve(document) : node;
    const next = childOf(holder, token);
    if (next === undefined) break;
    node = next[1];
    const key = offsetOf(next[0]);
    found = { key, value: isNode(node) ? offsetOf(node) : key };
  }
  return found;
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function childOf(holder: unknown, token: string): [key: unknown, value: unknown] | undefined {
  if (isSeq(holder)) {
    const item = holder.items[Number(token)];
    return item === undefined ? undefined : [item, item];
  }
  if (!isMap(holder)) return undefined;
  const pair = pairsOf(holder).get(token);
  return pair === undefined ? undefined : [pair.key, pair.value];
}

const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** The first of equal keys. A large map has many positions. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = pairs.get(map);
  if (known !== undefined) return known;
  const made = new Map(
    map.items
      .toReversed()
      .flatMap((pair): [string, Pair][] =>
        isScalar(pair.key) ? [[String(pair.key.value), pair]] : [],
      ),
  );
  pairs.set(map, made);
  return made;
}
