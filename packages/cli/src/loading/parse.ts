// Parses the text of a YAML or JSON file: its value with exact integers, or its syntax errors.
import { parseJsonText } from '@stubwright/contract';
import { type Document, LineCounter } from 'yaml';
import { yamlDocument, yamlValue } from './yamlDocument.ts';
import { isExcessive, issuesOf, TOO_DEEP, TWICE } from './yamlLimits.ts';
import { readYaml, type YamlNode } from './yamlNodes.ts';

/** A syntax error; line and column count from 1. */
export interface SyntaxIssue {
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly expected: string;
}

/** The nodes of a YAML text, with the positions of its lines. */
export interface YamlDocument {
  readonly document: Document;
  readonly lines: LineCounter;
}

export type Parsed =
  | {
      readonly value: unknown;
      readonly errors?: undefined;
      /** A violation of YAML that common parsers accept. */
      readonly warning?: SyntaxIssue;
      /** Of YAML. */
      readonly yaml?: YamlNode | YamlDocument;
    }
  | { readonly errors: readonly SyntaxIssue[] };

/**
 * The text determines whether it is JSON or YAML; the name determines it for an invalid text only.
 *
 * @param text decoded, without byte order mark
 * @returns the value, undefined for an empty text; or all syntax errors
 */
export function parseText(text: string, isNamedJson: boolean): Parsed {
  if (text.trim() === '') return { value: undefined };
  if (!/^\s*[{["]/.test(text)) return parseYamlText(text);
  try {
    return { value: parseJsonText(text) };
  } catch {
    const errors = isJsonText(text) ? duplicateKeys(text) : [];
    if (errors.length > 0) return { errors };
    // YAML may start with a brace too.
    return isNamedJson ? { errors: [jsonIssue(text)] } : parseYamlText(text);
  }
}

/** @returns true for JSON, also with duplicate keys */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseYamlText(text: string): Parsed {
  const read = readYaml(text);
  if (read === undefined || isExcessive(read.value, text.length)) return parseAnyYaml(text);
  const { value, root, violation } = read;
  if (root === undefined) return parseAnyYaml(text, read);
  if (violation === undefined) return { value, yaml: root };
  const { offset, what } = violation;
  return {
    value,
    yaml: root,
    warning: { ...positionOf(text, offset), what, expected: 'expected YAML' },
  };
}

/**
 * Any YAML, as the package `yaml` reads it.
 *
 * @param lenient the value for a text that js-yaml and PyYAML accept, but `yaml` rejects: with an under-indented
 *   line of a quoted scalar, or a comment without a space
 */
export function parseAnyYaml(text: string, lenient?: { readonly value: unknown }): Parsed {
  const expected = 'expected YAML';
  const lines = new LineCounter();
  const document = yamlDocument(text, lines);
  if (document.errors.length === 0) {
    const issues = issuesOf(document).map(({ offset, ...issue }) => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1), ...issue };
    });
    if (issues.length > 0) return { errors: issues };
    try {
      return { value: yamlValue(document), yaml: { document, lines } };
    } catch (error) {
      const alias = /alias.*: (\S+)$/.exec(oneLine(error))?.[1];
      const at = alias === undefined ? 0 : Math.max(text.indexOf(`*${alias}`), 0);
      return { errors: [{ ...positionOf(text, at), what: oneLine(error), expected }] };
    }
  }
  const errors = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    const at = { line: Math.max(line, 1), column: Math.max(col, 1) };
    // The parser has no more stack.
    if (error.code === 'RESOURCE_EXHAUSTION') return { ...at, ...TOO_DEEP };
    return { ...at, what: oneLine(error), expected };
  });
  // Later errors may be consequences of the first.
  const first = errors[0]!;
  return lenient === undefined
    ? { errors: [first] }
    : { value: lenient.value, warning: first, yaml: { document, lines } };
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0]!.replace(/[.:]\s*$/, '');
}

/** V8 reports the position of most errors; one without a position is at the end of the text. */
function jsonIssue(text: string): SyntaxIssue {
  const expected = 'expected JSON';
  try {
    JSON.parse(text);
  } catch (error) {
    const message = oneLine(error);
    const [, what = message, offset] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
    return { ...positionOf(text, Number(offset ?? offsetOf(message, text))), what, expected };
  }
  const what = 'a duplicate key, a lone surrogate, a rounded number, or nesting without end';
  return { line: 1, column: 1, what, expected };
}

function offsetOf(message: string, text: string): number {
  const token = /^Unexpected token '(.)'/u.exec(message)?.[1];
  const at = token === undefined ? -1 : text.indexOf(token);
  return at < 0 ? text.length : at;
}

/** @param text JSON with a duplicate key */
function duplicateKeys(text: string): SyntaxIssue[] {
  const errors: SyntaxIssue[] = [];
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys !== undefined && /^\s*:/.test(text.slice(end + 1, end + 20))) {
        const key = text.slice(at, end);
        if (keys.has(key)) errors.push({ ...positionOf(text, at), ...TWICE });
        keys.add(key);
      }
      at = end;
    }
  }
  return errors;
}

function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
