// Line and column of a JSON pointer in a file.

import { tokensOf } from '@stubwright/contract';
import { LineCounter } from 'yaml';
import { type JsonEntry, JsonPositions } from './jsonPositions.ts';
import { isJsonText, type YamlDocument } from './parse.ts';
import type { SourceFile } from './sourceFile.ts';
import { readYaml, type YamlNode, YamlPositions } from './yamlNodes.ts';
import { DocumentPositions } from './yamlPositions.ts';

export interface LineAndColumn {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The entries of a file. */
interface Positions {
  /** @returns the nearest existing entry on the path; undefined for the whole text */
  find(tokens: readonly string[]): JsonEntry | undefined;
}

interface Located {
  readonly positions: Positions;
  readonly lines: LineCounter;
}

const located = new WeakMap<SourceFile, Located>();

/** Keeps a parsed file, which is not parsed again for its positions. */
export function keepPositions(source: SourceFile, yaml: YamlNode | YamlDocument): void {
  const kept =
    'entries' in yaml
      ? { positions: new YamlPositions(yaml), lines: linesOf(source.text) }
      : { positions: new DocumentPositions(yaml.document), lines: yaml.lines };
  located.set(source, kept);
}

/**
 * @param pointer JSON pointer
 * @param isKey true for the key of the value; of an array item, the item
 * @returns the position of the value, or of its nearest ancestor
 */
export function positionIn(source: SourceFile, pointer: string, isKey: boolean): LineAndColumn {
  const { positions, lines } = locationsIn(source);
  const offset = positions.find(tokensOf(pointer))?.[isKey ? 'key' : 'value'];
  const { line, col } = lines.linePos(offset ?? 0);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function locationsIn(source: SourceFile): Located {
  const known = located.get(source);
  if (known !== undefined) return known;
  const { text: body } = source;
  const positions = isJsonText(body) ? new JsonPositions(body) : yamlPositions(body);
  const made = { positions, lines: linesOf(body) };
  located.set(source, made);
  return made;
}

function yamlPositions(text: string): Positions {
  const root = readYaml(text)?.root;
  return root === undefined ? DocumentPositions.of(text) : new YamlPositions(root);
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines.addNewLine(at + 1);
  }
  return lines;
}
