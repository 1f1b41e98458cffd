// Line and column of a JSON pointer in a file. Redocly's own parser takes quadratic time for large maps.
import type { Source } from '@redocly/openapi-core';
import { unescapeToken, unescapeUri } from 'stubwright/contract';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { JsonPositions } from './jsonPositions.ts';
import { isJsonText, type YamlDocument } from './parse.ts';

export interface LineAndColumn {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

interface JsonText {
  readonly positions: JsonPositions;
  readonly lines: LineCounter;
}

const parsed = new WeakMap<Source, YamlDocument | JsonText>();

/** Keeps a parsed file, which is not parsed again for its positions. */
export function keepDocument(source: Source, document: YamlDocument): void {
  parsed.set(source, document);
}

/**
 * @param pointer starts with `#`
 * @param isKey true for the key of the value; of an array item, the item
 * @returns the position of the value, or of its nearest ancestor
 */
export function positionIn(source: Source, pointer: string, isKey: boolean): LineAndColumn {
  const text = parse(source);
  const { lines } = text;
  const tokens = tokensOf(pointer);
  const offset =
    'positions' in text
      ? text.positions.find(tokens)?.[isKey ? 'key' : 'value']
      : offsetIn(text, tokens, isKey);
  const { line, col } = lines.linePos(offset ?? 0);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function offsetIn({ document }: YamlDocument, tokens: readonly string[], isKey: boolean): number {
  let found: unknown = document.contents;
  let key: unknown;
  for (const token of tokens) {
    const holder = isAlias(found) ? found.resolve(document) : found;
    const next = childOf(holder, token);
    if (next === undefined) break;
    [key, found] = next;
  }
  const at = (isKey || !isNode(found) || found.range === undefined) && isNode(key) ? key : found;
  return isNode(at) ? (at.range?.[0] ?? 0) : 0;
}

function parse(source: Source): YamlDocument | JsonText {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const made = isJsonText(source.body)
    ? { positions: new JsonPositions(source.body), lines: linesOf(source.body) }
    : { document: parseDocument(source.body, options), lines };
  parsed.set(source, made);
  return made;
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines.addNewLine(at + 1);
  }
  return lines;
}

function tokensOf(pointer: string): string[] {
  const tokens = pointer.replace(/^#\/?/, '').split('/');
  return tokens.filter(Boolean).map((token) => unescapeToken(unescapeUri(token)));
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
