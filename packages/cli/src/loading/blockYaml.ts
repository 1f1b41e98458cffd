// Reads YAML as most contracts are written, several times as fast as the package `yaml`: block collections.
// Leaves flow collections and quoted scalars of several lines to `yaml`, and unusual texts as a whole.
import { isObject, MAX_DEPTH, type Node, parseJsonText } from '@stubwright/contract';
import { isCollection } from 'yaml';
import { yamlDocument, yamlValue } from './yamlDocument.ts';
import { issuesOf } from './yamlLimits.ts';
import { folded, plainScalar } from './yamlScalars.ts';

/** Receives the positions of values: offsets in the text. */
export interface Positions {
  /** The key of an array item is the item. */
  entry(holder: object, name: string, key: number, value: number): void;
  /** A flow collection, whose entries are not reported. */
  flow(value: object, start: number, end: number): void;
}

/** An under-indented line of a quoted scalar, which common parsers accept. */
export interface UnderIndentedLine {
  /** Of the end of the line before it. */
  readonly offset: number;
  readonly what: string;
}

export interface BlockYaml {
  readonly value: object;
  /** The offset of the value. */
  readonly start: number;
  /** The first one. */
  readonly violation: UnderIndentedLine | undefined;
}

/**
 * @param text decoded, with `\n` at the ends of lines
 * @returns undefined for a text that is not read here, which may be valid
 */
export function readBlockYaml(text: string, positions?: Positions): BlockYaml | undefined {
  if (/[\r\ufeff]/.test(text)) return undefined;
  try {
    return new BlockReader(text, positions).read();
  } catch (error) {
    if (error === UNUSUAL) return undefined;
    throw error;
  }
}

const UNUSUAL = new Error('not read here');
const [SPACE, NEWLINE, TAB, HASH] = [32, 10, 9, 35];
/** A plain key may contain colons without a space after them. */
const PLAIN_KEY = /[^\n:]*(?::(?![ \n]|$)[^\n:]*)*(?=:(?:[ \n]|$))/y;
const SINGLE_QUOTED = /'[^']*(?:''[^']*)*'/y;
const DOUBLE_QUOTED = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const QUOTED = /'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/g;
const COLON = / *:(?=[ \n]|$)/y;
const DASH = /-(?=[ \n]|$)/y;
const BLOCK_HEADER = /[|>](?:[-+]?[1-9]?|[1-9][-+]) *(?:(?<= )#[^\n]*)?\n/y;
const LINE_END = / *(?:(?<= )#[^\n]*)?(?:\n|$)/y;
/** No plain scalar starts with these. */
const INDICATOR = /[,[\]{}#&*!|>'"%@`]|[-?:](?=[ \n]|$)/y;
/** YAML limits keys to 1,024 characters. */
const MAX_KEY_LENGTH = 1_000;

class BlockReader {
  readonly #text: string;
  readonly #positions: Positions | undefined;
  #at = 0;
  /** Of #at at the start of a node; -1 at the end of the text. */
  #column = 0;
  /** Of the last value. */
  #start = 0;
  #violation: UnderIndentedLine | undefined;

  constructor(text: string, positions: Positions | undefined) {
    this.#text = text;
    this.#positions = positions;
  }

  read(): BlockYaml {
    this.#toNode(0);
    if (this.#text.startsWith('---\n', this.#at)) this.#toNode(this.#at + 4);
    const start = this.#at;
    const value = this.#column === 0 ? this.#node(-1, 0) : undefined;
    if (this.#column >= 0 || typeof value !== 'object' || value === null) throw UNUSUAL;
    return { value, start, violation: this.#violation };
  }

  /** @param parent the column of the collection that holds the node */
  #node(parent: number, depth: number): unknown {
    if (this.#end(DASH) >= 0) return this.#sequence(depth);
    const key = this.#at;
    const name = this.#key();
    return name === undefined ? this.#scalar(parent, depth) : this.#mapping(name, key, depth);
  }

  #mapping(first: string, start: number, depth: number): Node {
    const column = this.#column;
    const node: Node = {};
    let name: string | undefined = first;
    for (let key = start; ; key = this.#at, name = this.#key()) {
      if (name === undefined || name === '__proto__' || Object.hasOwn(node, name)) throw UNUSUAL;
      node[name] = this.#valueAfter(':', column, depth + 1);
      this.#positions?.entry(node, name, key, this.#start);
      if (this.#column !== column) break;
    }
    if (this.#column > column) throw UNUSUAL;
    return node;
  }

  #sequence(depth: number): unknown[] {
    const column = this.#column;
    const items: unknown[] = [];
    for (let end = this.#end(DASH); end >= 0 && this.#column === column; end = this.#end(DASH)) {
      this.#at = end;
      items.push(this.#valueAfter('-', column, depth + 1));
      this.#positions?.entry(items, String(items.length - 1), this.#start, this.#start);
    }
    if (this.#column > column) throw UNUSUAL;
    return items;
  }

  #valueAfter(indicator: ':' | '-', parent: number, depth: number): unknown {
    if (depth > MAX_DEPTH) throw UNUSUAL;
    const from = this.#at;
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
    let start = this.#at;
    let value: unknown = null;
    const lineEnd = this.#end(LINE_END);
    if (lineEnd >= 0) {
      this.#toNode(lineEnd);
      const isSameColumn = this.#column === parent && indicator === ':' && this.#end(DASH) >= 0;
      if (this.#column > parent || isSameColumn) {
        start = this.#at;
        value = this.#node(parent, depth);
      }
    } else if (indicator === ':') value = this.#scalar(parent, depth);
    else {
      this.#column = parent + 1 + start - from;
      value = this.#node(parent, depth);
    }
    this.#start = start;
    return value;
  }

  /** Moves behind the colon; stays if there is no key. */
  #key(): string | undefined {
    const start = this.#at;
    const quoted = this.#quotedEnd();
    if (quoted === undefined && this.#end(INDICATOR) >= 0) return undefined;
    const end = quoted ?? this.#end(PLAIN_KEY);
    const colon = end < 0 ? -1 : this.#end(COLON, end);
    if (colon < 0) return undefined;
    const text = withoutSpaces(this.#text.slice(start, end));
    const isDocument = this.#column === 0 && /^(?:---|\.\.\.)/.test(text);
    if (isDocument || text.length > MAX_KEY_LENGTH || text.includes('\n')) throw UNUSUAL;
    const value = quoted === undefined ? plainScalar(checked(text)) : quotedScalar(text);
    if (value === '<<' || value === null) throw UNUSUAL;
    this.#at = colon;
    return String(value);
  }

  #scalar(parent: number, depth: number): unknown {
    const start = this.#at;
    const first = this.#text[start]!;
    if (first === '[' || first === '{') return this.#flow(parent, depth);
    if (first === '|' || first === '>') return this.#blockScalar(parent);
    const end = this.#quotedEnd();
    if (end === undefined) return this.#plain(parent);
    for (let at = this.#lineEnd(start); at < end; at = this.#lineEnd(this.#at)) {
      const emptyLines = this.#toContent(at + 1);
      if (this.#column > parent) continue;
      if (emptyLines > 0 || this.#column === 0) throw UNUSUAL;
      this.#violation ??= { offset: at, what: `Missing closing ${first}quote` };
    }
    this.#toNode(this.#required(LINE_END, end));
    return quotedScalar(this.#text.slice(start, end));
  }

  #plain(parent: number): unknown {
    if (this.#end(INDICATOR) >= 0) throw UNUSUAL;
    const lines: string[] = [];
    for (;;) {
      const end = this.#lineEnd(this.#at);
      const line = this.#text.slice(this.#at, end);
      const comment = line.indexOf(' #');
      lines.push(checked(withoutSpaces(comment < 0 ? line : line.slice(0, comment))));
      const emptyLines = this.#toContent(end + 1);
      const isComment = comment >= 0 || this.#text.charCodeAt(this.#at) === HASH;
      if (this.#column <= parent || isComment) break;
      for (let each = 0; each < emptyLines; each++) lines.push('');
    }
    this.#skipComments();
    return plainScalar(lines.length === 1 ? lines[0]! : folded(lines));
  }

  #blockScalar(parent: number): string {
    const start = this.#required(BLOCK_HEADER, this.#at);
    const [header] = this.#text.slice(this.#at, start).split(/[ \n]/, 1) as [string];
    const level = /\d/.exec(header)?.[0];
    const emptyLines = this.#toContent(start);
    const indent = level === undefined ? this.#column : parent + Number(level);
    const isEmpty = this.#column <= parent;
    if (isEmpty && this.#column < 0) throw UNUSUAL;
    const lines: string[] = [];
    let at = start;
    while (at < this.#text.length && !isEmpty) {
      const end = this.#lineEnd(at);
      const content = this.#contentStart(at);
      if (content < end && content < at + indent) break;
      lines.push(this.#text.slice(at + indent, end));
      at = end + 1;
    }
    if (lines.slice(0, emptyLines).some((line) => line !== '')) throw UNUSUAL;
    if (isEmpty) this.#skipComments();
    else this.#toNode(at);
    if (header.includes('+') && this.#column < 0) throw UNUSUAL;
    const last = lines.findLastIndex((line) => line !== '') + 1;
    const kept = lines.slice(0, last);
    if (level !== undefined && withoutSpaces(kept.at(-1) ?? '') === '') throw UNUSUAL;
    const text = header.startsWith('>') ? folded(kept) : kept.join('\n');
    const lastBreak = isEmpty || header.includes('-') ? '' : '\n';
    const trailing = isEmpty ? emptyLines : lines.length - last;
    return text + lastBreak + (header.includes('+') ? '\n'.repeat(trailing) : '');
  }

  #flow(parent: number, depth: number): unknown {
    const start = this.#at;
    let end = this.#lineEnd(start);
    for (;;) {
      this.#toContent(end + 1);
      const isClosed = this.#column === parent && /[\]}]/.test(this.#text[this.#at]!);
      if (this.#column <= parent && !isClosed) break;
      end = this.#lineEnd(this.#at);
    }
    this.#skipComments();
    const value = flowValue(withoutSpaces(this.#text.slice(start, end)));
    if (isDeeper(value, MAX_DEPTH - depth)) throw UNUSUAL;
    this.#positions?.flow(value, start, end);
    return value;
  }

  /** @returns the end of a quoted scalar; undefined for another node */
  #quotedEnd(): number | undefined {
    const quote = this.#text[this.#at];
    if (quote === "'") return this.#required(SINGLE_QUOTED, this.#at);
    return quote === '"' ? this.#required(DOUBLE_QUOTED, this.#at) : undefined;
  }

  /** Moves to the next line that is neither empty nor a comment. */
  #toNode(lineStart: number): void {
    this.#toContent(lineStart);
    this.#skipComments();
  }

  #skipComments(): void {
    while (this.#text.charCodeAt(this.#at) === HASH) this.#toContent(this.#lineEnd(this.#at) + 1);
  }

  /** Moves to the next line that is not empty. @returns the number of empty lines before it */
  #toContent(lineStart: number): number {
    let start = lineStart;
    for (let emptyLines = 0; start < this.#text.length; emptyLines++) {
      const at = this.#contentStart(start);
      const char = this.#text.charCodeAt(at);
      if (char === TAB) throw UNUSUAL;
      if (char !== NEWLINE && at < this.#text.length) {
        this.#at = at;
        this.#column = at - start;
        return emptyLines;
      }
      start = at + 1;
    }
    this.#at = this.#text.length;
    this.#column = -1;
    return 0;
  }

  #contentStart(lineStart: number): number {
    let at = lineStart;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    return at;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end < 0 ? this.#text.length : end;
  }

  /** @returns the end of a match; -1 if there is none */
  #end(pattern: RegExp, from = this.#at): number {
    pattern.lastIndex = from;
    return pattern.test(this.#text) ? pattern.lastIndex : -1;
  }

  #required(pattern: RegExp, from: number): number {
    const end = this.#end(pattern, from);
    if (end < 0) throw UNUSUAL;
    return end;
  }
}

/** @returns a plain scalar or key that needs no knowledge of the lines around it */
function checked(text: string): string {
  if (/\t|: | #|:$/.test(text)) throw UNUSUAL;
  return text;
}

function withoutSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === SPACE) end--;
  return text.slice(0, end);
}

function quotedScalar(text: string): string {
  if (!text.includes('\n')) {
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
    if (!text.includes('\\')) return text.slice(1, -1);
  }
  const document = yamlDocument(text);
  const value: unknown = document.errors.length > 0 ? undefined : yamlValue(document);
  if (typeof value !== 'string') throw UNUSUAL;
  return value;
}

function flowValue(text: string): object {
  if (text === '[]') return [];
  if (text === '{}') return {};
  return jsonValue(text) ?? yamlFlowValue(text);
}

/** YAML has no negative zero as an integer. */
function jsonValue(text: string): object | undefined {
  if (text.includes('-0')) return undefined;
  try {
    return parseJsonText(text) as object;
  } catch {
    return undefined;
  }
}

/** Without anchors, aliases, tags and merges. */
function yamlFlowValue(text: string): object {
  if (/[\t&*!]|<</.test(text.replace(QUOTED, ''))) throw UNUSUAL;
  const document = yamlDocument(text);
  const { contents, errors } = document;
  if (errors.length > 0 || !isCollection(contents) || contents.flow !== true) throw UNUSUAL;
  if (issuesOf(document).length > 0) throw UNUSUAL;
  return yamlValue(document) as object;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  return (
    (Array.isArray(value) || isObject(value)) &&
    Object.values(value).some((each) => isDeeper(each, levels - 1))
  );
}
