// Parses the text of a YAML or JSON file: its value with exact integers, or its syntax errors.
import { parseJsonText } from '@stubwright/contract';
import { Positions } from './position.ts';
import { readYaml, type TextIssue } from './yaml.ts';

/** A syntax error; line and column count from 1. */
export interface SyntaxIssue {
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly expected: string;
}

type Parsed =
  | {
      readonly value: unknown;
      readonly positions: Positions;
      readonly errors?: undefined;
      /** A violation of YAML that common parsers accept. */
      readonly warning?: SyntaxIssue;
    }
  /** Duplicate keys leave a value. */
  | {
      readonly errors: readonly SyntaxIssue[];
      readonly value?: unknown;
      readonly positions: Positions;
    };

/**
 * The text determines whether it is JSON or YAML; the name determines it for an invalid text only.
 *
 * @param text decoded, without byte order mark
 * @returns the value, undefined for an empty text; or all syntax errors
 */
export function parseText(text: string, isNamedJson: boolean): Parsed {
  if (text.trim() === '') return { value: undefined, positions: new Positions(text) };
  if (!/^\s*[{["]/.test(text)) return parseYamlText(text);
  try {
    return { value: parseJsonText(text), positions: new Positions(text) };
  } catch {
    const yaml = parseYamlText(text);
    // YAML may start with a brace too.
    const issue = isNamedJson ? jsonIssue(text) : undefined;
    if (issue === undefined || (issue.isValid && yaml.errors !== undefined)) return yaml;
    const { positions } = yaml;
    return { errors: [located(positions, issue)], positions };
  }
}

function parseYamlText(text: string): Parsed {
  const read = readYaml(text);
  const { value, root } = read;
  const positions = new Positions(text, root);
  if (read.errors !== undefined) {
    return { errors: read.errors.map((issue) => located(positions, issue)), value, positions };
  }
  const { warning } = read;
  return { value, positions, ...(warning && { warning: located(positions, warning) }) };
}

function located(positions: Positions, { offset, what, expected }: TextIssue): SyntaxIssue {
  return { ...positions.lineAndColumn(offset), what, expected };
}

const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  /[{}[\],:]|"[^"\\\p{Cc}]*(?:(?:[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))[^"\\\p{Cc}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/uy;

/** @returns the first violation; `isValid` if other parsers of JSON accept it, undefined without one */
function jsonIssue(text: string): (TextIssue & { readonly isValid: boolean }) | undefined {
  const open: string[] = [];
  let next = 'value';
  for (let at = 0; ; ) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? '';
    const issue = (what: string, isValid = false) => {
      return { offset: at, what, expected: 'expected JSON', isValid };
    };
    if (at === text.length && next === 'end') return undefined;
    if (!isNext(next, token, open.at(-1))) {
      return issue(at === text.length ? 'the text ends' : `got ${shownAt(text, at)}`);
    }
    if (/^["\d-]/.test(token) && !isExact(token)) {
      return issue(
        token[0] === '"' ? 'a lone surrogate' : 'the number cannot be represented',
        true,
      );
    }
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    next = following(next, token, open.at(-1));
    at += token.length;
  }
}

function isNext(next: string, token: string, holder: string | undefined): boolean {
  if (token === '') return false;
  const isClosing = token === (holder === '{' ? '}' : ']');
  if (next === 'key' || next === 'first key') {
    return token[0] === '"' || (next === 'first key' && isClosing);
  }
  if (next === 'colon') return token === ':';
  if (next === 'comma') return token === ',' || isClosing;
  if (next === 'end') return false;
  return !/[}\],:]/.test(token[0]!) || (next === 'first item' && isClosing);
}

function following(next: string, token: string, holder: string | undefined): string {
  if (token === '{') return 'first key';
  if (token === '[') return 'first item';
  if (token === ':') return 'value';
  if (token === ',') return holder === '{' ? 'key' : 'value';
  if ((next === 'key' || next === 'first key') && token !== '}') return 'colon';
  return holder === undefined ? 'end' : 'comma';
}

function isExact(token: string): boolean {
  try {
    parseJsonText(token);
    return true;
  } catch {
    return false;
  }
}

function shownAt(text: string, at: number): string {
  return JSON.stringify(/^[\w.+-]+|^[\s\S]/u.exec(text.slice(at, at + 20))?.[0] ?? '');
}
