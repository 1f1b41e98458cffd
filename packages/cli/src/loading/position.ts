// Offsets, lines and columns of the keys and values of a text.
import { tokensOf } from '@stubwright/contract';
import { readYaml, type TextNode } from './yaml.ts';

export interface LineAndColumn {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Offsets in a text: of a value, and of its key; of an array item, the key is the item. */
export interface TextRange {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** The positions in one text, which is read at the first question. */
export class Positions {
  readonly text: string;
  readonly #entries = new Map<
    TextNode,
    ReadonlyMap<string, TextRange & { readonly node: TextNode }>
  >();
  #root: TextNode | undefined;
  #lineStarts: number[] | undefined;

  /** @param root undefined for JSON, which is YAML too */
  constructor(text: string, root?: TextNode) {
    this.text = text;
    this.#root = root;
  }

  /** @param pointer JSON pointer @returns the range of the nearest existing value */
  at(pointer: string): TextRange {
    return this.find(tokensOf(pointer));
  }

  /** @returns the range of the nearest existing value on the path */
  find(tokens: readonly string[]): TextRange {
    let node = this.#read();
    let found: TextRange = {
      start: node.start,
      end: node.end,
      keyStart: node.start,
      keyEnd: node.end,
    };
    for (const token of tokens) {
      const next = this.#entriesOf(node).get(token);
      if (next === undefined) break;
      found = next;
      node = next.node;
    }
    return found;
  }

  /** @returns the path of the innermost value that has an offset in its key or in its text */
  pathAt(offset: number): string[] {
    const path: string[] = [];
    for (let node = this.#read(); ; ) {
      const found = [...this.#entriesOf(node)].find(
        ([, { keyStart, end }]) => keyStart <= offset && offset <= end,
      );
      if (found === undefined) return path;
      path.push(found[0]);
      node = found[1].node;
    }
  }

  /** @returns the names of the entries of a value, with their ranges */
  entries(tokens: readonly string[]): ReadonlyMap<string, TextRange> {
    let node = this.#read();
    for (const token of tokens) {
      const next = this.#entriesOf(node).get(token);
      if (next === undefined) return new Map();
      node = next.node;
    }
    return this.#entriesOf(node);
  }

  /** The inverse of `lineAndColumn`. */
  offsetAt({ line, column }: LineAndColumn): number {
    this.#lineStarts ??= lineStartsOf(this.text);
    const start = this.#lineStarts[Math.min(line, this.#lineStarts.length) - 1] ?? 0;
    return Math.min(start + column - 1, this.text.length);
  }

  lineAndColumn(offset: number): LineAndColumn {
    this.#lineStarts ??= lineStartsOf(this.text);
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.#lineStarts[low]! + 1 };
  }

  #read(): TextNode {
    if (this.#root === undefined) {
      const read = readYaml(this.text);
      this.#root = read.root ?? { start: 0, end: this.text.length };
    }
    return this.#root;
  }

  /** The first of equal keys. */
  #entriesOf(node: TextNode): ReadonlyMap<string, TextRange & { readonly node: TextNode }> {
    const holder = node.alias ?? node;
    const known = this.#entries.get(holder);
    if (known !== undefined) return known;
    const entries = new Map<string, TextRange & { readonly node: TextNode }>();
    for (const { name, node, keyStart, keyEnd } of holder.entries ?? []) {
      const { start, end } = node;
      if (!entries.has(name)) entries.set(name, { start, end, keyStart, keyEnd, node });
    }
    this.#entries.set(holder, entries);
    return entries;
  }
}

/** The ranges of values that one text has, or several: those of overlays have a `file`. */
export interface Ranges {
  find(tokens: readonly string[]): TextRange & {
    /** Absolute. */
    readonly file?: string;
    readonly positions?: Positions;
  };
}

/**
 * @param pointer JSON pointer
 * @param isKey true for the key of the value; of an array item, the item
 * @returns the position of the value, or of its nearest ancestor; `file` is an absolute path, of the overlay for its values
 */
export function positionIn(
  { path, positions, ranges }: { path: string; positions: Positions; ranges?: Ranges | undefined },
  pointer: string,
  isKey: boolean,
): LineAndColumn & { readonly file: string } {
  const range = (ranges ?? (positions as Ranges)).find(tokensOf(pointer));
  const at = (range.positions ?? positions).lineAndColumn(range[isKey ? 'keyStart' : 'start']);
  return { ...at, file: range.file ?? path };
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
