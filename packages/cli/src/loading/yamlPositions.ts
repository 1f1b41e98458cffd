// Offsets of keys and values in the text of a YAML file.
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
import { type Positions, readBlockYaml } from './blockYaml.ts';
import type { JsonEntry } from './jsonPositions.ts';
import { yamlDocument } from './yamlDocument.ts';

/** Of block collections, without the nodes of a document. */
export class BlockPositions implements Positions {
  readonly #text: string;
  readonly #entries = new Map<object, Map<string, JsonEntry>>();
  readonly #flows = new Map<object, readonly [start: number, end: number]>();
  #root: JsonEntry | undefined;
  #value: unknown;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @returns undefined for a text that consists of more than block collections */
  static of(text: string): BlockPositions | undefined {
    const positions = new BlockPositions(text);
    const read = readBlockYaml(text, positions);
    if (read === undefined) return undefined;
    positions.#value = read.value;
    positions.#root = { key: read.start, value: read.start };
    return positions;
  }

  entry(holder: object, name: string, key: number, value: number): void {
    const entries = this.#entries.get(holder) ?? new Map<string, JsonEntry>();
    this.#entries.set(holder, entries.set(name, { key, value }));
  }

  flow(value: object, start: number, end: number): void {
    this.#flows.set(value, [start, end]);
  }

  find(tokens: readonly string[]): JsonEntry | undefined {
    let found = this.#root;
    let node = this.#value;
    for (const [at, token] of tokens.entries()) {
      if (typeof node !== 'object' || node === null) break;
      const entry = this.#entries.get(node)?.get(token);
      if (entry === undefined) return this.#inFlow(node, tokens.slice(at)) ?? found;
      found = entry;
      node = (node as Readonly<Record<string, unknown>>)[token];
    }
    return found;
  }

  #inFlow(value: object, tokens: readonly string[]): JsonEntry | undefined {
    const [start, end] = this.#flows.get(value) ?? [];
    if (start === undefined) return undefined;
    const inside = entryIn(yamlDocument(this.#text.slice(start, end)), tokens);
    return inside && { key: start + inside.key, value: start + inside.value };
  }
}

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
