// Checks a YAML file before its aliases are expanded: depth, size and duplicate keys.
import { MAX_DEPTH } from '@stubwright/contract';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Range,
  type YAMLMap,
} from 'yaml';

export const TWICE = {
  what: 'the key is a duplicate',
  expected: 'expected unique keys',
};

/** Nodes that the aliases of one file may add; the largest known contracts have as many without aliases. */
export const MAX_ALIASED_NODES = 250_000;

export interface YamlIssue {
  /** Offset in the text. */
  readonly offset: number;
  readonly what: string;
  readonly expected: string;
}

export const TOO_DEEP = {
  what: 'the nesting is too deep',
  expected: `expected at most ${MAX_DEPTH} levels`,
} as const;

/** @returns the first location that exceeds a limit, or all duplicate keys */
export function issuesOf({ contents }: Document): readonly YamlIssue[] {
  const walk = new Walk();
  try {
    walk.sizeOf(contents, 0);
    return walk.duplicates;
  } catch (error) {
    if (error instanceof Exceeded) return [error.issue];
    throw error;
  }
}

/**
 * @param value a parsed value, in which aliases are references to the same object
 * @param textLength of its source: more nodes than that are due to aliases
 * @returns true if the value exceeds a limit, or contains itself
 */
export function isExcessive(value: unknown, textLength: number): boolean {
  let budget = textLength + MAX_ALIASED_NODES;
  const pending: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, depth] = next;
    if (--budget < 0 || depth > MAX_DEPTH) return true;
    if (typeof node !== 'object' || node === null) continue;
    for (const child of Object.values(node)) pending.push([child, depth + 1]);
  }
  return false;
}

class Exceeded extends Error {
  readonly issue: YamlIssue;

  constructor(node: Node, what: string, expected: string) {
    super(what);
    this.issue = { offset: offsetOf(node), what, expected };
  }
}

function offsetOf({ range }: Node): number {
  return (range as Range | null | undefined)?.[0] ?? 0;
}

class Walk {
  readonly duplicates: YamlIssue[] = [];
  /** Expanded sizes by anchor; undefined while the anchored node is open. */
  readonly #sizes = new Map<string, number | undefined>();
  #added = 0;

  /** @returns the number of nodes after the expansion of aliases */
  sizeOf(node: unknown, depth: number): number {
    if (isPair(node)) return this.sizeOf(node.key, depth) + this.sizeOf(node.value, depth);
    if (!isNode(node)) return 1;
    if (depth > MAX_DEPTH) throw new Exceeded(node, TOO_DEEP.what, TOO_DEEP.expected);
    if (isAlias(node)) return this.#aliased(node, node.source);
    const anchor = node.anchor;
    if (anchor !== undefined) this.#sizes.set(anchor, undefined);
    let size = 1;
    if (isMap(node)) this.#findDuplicates(node);
    if (isCollection(node)) for (const item of node.items) size += this.sizeOf(item, depth + 1);
    if (anchor !== undefined) this.#sizes.set(anchor, size);
    return size;
  }

  /** The parser compares each key with all others of its map. */
  #findDuplicates({ items }: YAMLMap): void {
    const keys = new Set<string>();
    for (const { key } of items) {
      if (!isScalar(key) || key.value === '<<') continue;
      const name = String(key.value);
      if (keys.has(name)) this.duplicates.push({ offset: offsetOf(key), ...TWICE });
      keys.add(name);
    }
  }

  #aliased(node: Node, anchor: string): number {
    // The parser reports an alias without an anchor.
    if (!this.#sizes.has(anchor)) return 1;
    const size = this.#sizes.get(anchor);
    if (size === undefined) {
      throw new Exceeded(
        node,
        `the alias *${anchor} contains itself`,
        'expected an alias of another node',
      );
    }
    this.#added += size;
    if (this.#added > MAX_ALIASED_NODES) {
      const most = `expected aliases that add at most ${MAX_ALIASED_NODES} nodes`;
      throw new Exceeded(node, 'the aliases expand to too many nodes', most);
    }
    return size;
  }
}
