// Parses the text of a YAML or JSON file: its value with exact integers and the positions of keys and values, or its
// syntax errors.
import { parseJsonText, tokensOf } from '@stubwright/contract';
import { readYaml, type TextEntry, type TextIssue, type TextNode } from './yaml.ts';

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
    return { value: parseJsonText(text), positions: new Positions(text, new JsonNode(text)) };
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

const MARK = /["{}[\]]/g;
const OTHER_SCALAR = /[^\s,\]}]*/y;
const SEPARATORS = /[\s,:]*/y;

/** A value in a text of valid JSON. Most texts are asked for few positions, if any: each reads the entries on its path. */
class JsonNode implements TextNode {
  readonly start: number;
  readonly end: number;
  readonly #text: string;

  constructor(text: string, start = endOf(SEPARATORS, text, 0)) {
    this.#text = text;
    this.start = start;
    this.end = endOfValue(text, start);
  }

  get entries(): TextEntry[] {
    const text = this.#text;
    const isMap = text[this.start] === '{';
    const entries: TextEntry[] = [];
    if (!isMap && text[this.start] !== '[') return entries;
    let at = endOf(SEPARATORS, text, this.start + 1);
    while (at < this.end - 1) {
      const keyStart = at;
      const keyEnd = isMap ? endOfValue(text, at) : at;
      const node = new JsonNode(text, isMap ? endOf(SEPARATORS, text, keyEnd) : at);
      const name = isMap ? JSON.parse(text.slice(keyStart, keyEnd)) : String(entries.length);
      entries.push({ name, keyStart, keyEnd: isMap ? keyEnd : node.end, node });
      at = endOf(SEPARATORS, text, node.end);
    }
    return entries;
  }
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return endOf(OTHER_SCALAR, text, start);
  MARK.lastIndex = start;
  for (let depth = 0; MARK.test(text); ) {
    const last = MARK.lastIndex - 1;
    const mark = text[last];
    if (mark === '"') MARK.lastIndex = endOfString(text, last);
    else if (mark === '{' || mark === '[') depth++;
    else if (--depth === 0) break;
  }
  return MARK.lastIndex;
}

/** Not a regular expression: one with escapes needs a stack for them. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

/** @param pattern sticky */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  /[{}[\],:]|"[^"\\\p{Cc}]*(?:(?:[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))[^"\\\p{Cc}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/uy;

/** @returns the first violation; `isValid` if other parsers of JSON accept it, undefined without one */
function jsonIssue(text: string): (TextIssue & { readonly isValid: boolean }) | undefined {
  const open: string[] = [];
  let next = 'value';
  for (let at = 0; ; ) {
    at = endOf(SPACE, text, at);
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

interface Entry extends TextRange {
  readonly node: TextNode;
}

/** The positions in one text, which is read at the first question. */
export class Positions {
  readonly text: string;
  readonly #entries = new Map<TextNode, ReadonlyMap<string, Entry>>();
  #root: TextNode | undefined;
  #lineStarts: number[] | undefined;

  /** @param root by default that of the text as YAML */
  constructor(text: string, root?: TextNode) {
    this.text = text;
    this.#root = root;
  }

  /** @returns the range of the nearest existing value on the path */
  find(tokens: readonly string[]): TextRange {
    return this.#path(tokens).at(-1)!;
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
    const path = this.#path(tokens);
    return path.length > tokens.length ? this.#entriesOf(path.at(-1)!.node) : new Map();
  }

  /** @returns the whole text, and each existing value on the path */
  #path(tokens: readonly string[]): Entry[] {
    const node = this.#read();
    const { start, end } = node;
    const path: Entry[] = [{ start, end, keyStart: start, keyEnd: end, node }];
    for (const token of tokens) {
      const next = this.#entriesOf(path.at(-1)!.node).get(token);
      if (next === undefined) break;
      path.push(next);
    }
    return path;
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
  #entriesOf(node: TextNode): ReadonlyMap<string, Entry> {
    const holder = node.alias ?? node;
    const known = this.#entries.get(holder);
    if (known !== undefined) return known;
    const entries = new Map<string, Entry>();
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
