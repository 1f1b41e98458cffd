// Finds violations of YAML that common parsers accept: flow collections and quoted scalars with lines that are
// indented too little, and comments without a space before them.

/** Spaces that make a text valid. */
export interface Insertion {
  /** In the text. */
  readonly offset: number;
  /** In the text with the insertions before this one. */
  readonly repaired: number;
  readonly spaces: number;
  /** Of the violation. */
  readonly at: number;
  readonly what: string;
  readonly isComment: boolean;
  /** True for a closing bracket with the indentation of the line that opens it, which needs no warning. */
  readonly isUsual: boolean;
}

const PREFIX = /[ \t]*(?:[-?][ \t]+|[-?](?=[\r\n]|$(?![\s\S])))*/y;
const PROPERTIES = /(?:[&!][^\s,[\]{}]*[ \t]*)+/y;
const HEADER = /[|>][-+\d]*[ \t]*(?:#.*)?$/my;
const PLAIN = /(?:[^\s:#]|:(?=[^\s])|(?<=[^\s])#|[ \t]+(?=[^\s#]))*/y;
const COLON = /[ \t]*:(?=\s|$(?![\s\S]))[ \t]*/y;
const BREAK = /[ \t]*(?:\r?\n[ \t]*)+/y;
const FLOW_PLAIN = /[^\s[\]{},"'#]+|[ \t]+(?:#.*)?|(?:\n[ \t]*(?:#.*)?)+/y;
const QUOTED = { '"': /[^"\\\n]+|\\[^\n]/y, "'": /[^'\n]+|''/y };

/** Linear in the length of the text. */
export function repairs(text: string) {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #insertions: Insertion[] = [];
  /** More than any line needs. */
  readonly #spaces: number;
  #at = 0;
  #added = 0;
  /** The column of the key or dash that the next value belongs to. */
  #parent = -1;
  #isPlainOpen = false;
  #unclosed: number | undefined;

  constructor(text: string) {
    this.#text = text;
    const longest = (most: number, [prefix]: RegExpExecArray) => Math.max(most, prefix.length);
    this.#spaces = 1 + [...text.matchAll(/^[ \t?-]+/gm)].reduce(longest, 0);
  }

  scan(): { readonly insertions: readonly Insertion[]; readonly unclosed: number | undefined } {
    while (this.#at < this.#text.length && this.#unclosed === undefined) this.#line();
    return { insertions: this.#insertions, unclosed: this.#unclosed };
  }

  #line(): void {
    const start = this.#at;
    const indent = this.#match(/ */y).length;
    this.#at = start;
    const prefix = this.#match(PREFIX);
    if (/[\r\n#]|^$/.test(this.#text[this.#at] ?? '')) {
      const dash = prefix.search(/[-?]\s*$/);
      if (dash >= 0) this.#parent = dash;
    } else if (!this.#isPlainOpen || indent <= this.#parent || prefix.trim() !== '') {
      this.#isPlainOpen = false;
      const dash = prefix.search(/[-?][ \t]*$/);
      if (dash >= 0) this.#parent = dash;
      this.#tokens(prefix.length, start);
    }
    this.#match(/[^\n]*\n?/y);
  }

  /** @param column of the first token of the line */
  #tokens(column: number, lineStart: number): void {
    do {
      this.#match(PROPERTIES);
      const first = this.#text[this.#at];
      if (first === '"' || first === "'") this.#quoted(first);
      else if (first === '[' || first === '{') this.#flow(lineStart);
      else if (this.#match(HEADER) !== '') {
        this.#block();
        return;
      } else {
        this.#match(PLAIN);
        this.#isPlainOpen = true;
      }
      if (this.#unclosed !== undefined) return;
      if (!this.#isPlainOpen) this.#comment();
      if (this.#match(COLON) === '') return;
      this.#isPlainOpen = false;
      this.#parent = column;
    } while (!/[\r\n#]/.test(this.#text[this.#at] ?? '\n'));
  }

  #comment(): void {
    const at = this.#at;
    if (this.#text[at] !== '#') return;
    this.#insert(at, 1, at, 'a comment follows without a space', true, false);
  }

  #block(): void {
    this.#match(/\n/y);
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const indent = this.#match(/[ \t]*/y).length;
      const isBlank = /[\r\n]/.test(this.#text[this.#at] ?? '\n');
      if (!isBlank && indent <= this.#parent) {
        this.#at = start - 1;
        return;
      }
      this.#match(/[^\n]*\n?/y);
    }
  }

  #quoted(quote: '"' | "'"): void {
    const start = this.#at++;
    for (;;) {
      while (this.#match(QUOTED[quote]) !== '') {
        // Until a line break or the end.
      }
      if (this.#text[this.#at] === quote) {
        this.#at++;
        return;
      }
      const lineEnd = this.#at;
      if (this.#text[this.#at] === '\\') this.#at++;
      if (this.#match(BREAK) === '') {
        this.#unclosed = start;
        return;
      }
      this.#indented(this.#text.lastIndexOf('\n', this.#at - 1), lineEnd, false);
    }
  }

  #flow(lineStart: number): void {
    const start = this.#at;
    const indent = /^ */.exec(this.#text.slice(lineStart, start))![0].length;
    for (let depth = 0; ; ) {
      const char = this.#text[this.#at];
      const before = this.#text[this.#at - 1] ?? '\n';
      if (char === undefined) {
        this.#unclosed = start;
        return;
      }
      if ((char === '"' || char === "'") && /[\s[{,:]/.test(before)) {
        this.#quoted(char);
        this.#comment();
        if (this.#unclosed !== undefined) return;
      } else if (char === '[' || char === '{') depth++;
      else if (char === ']' || char === '}') depth--;
      else {
        const skipped = this.#match(FLOW_PLAIN);
        if (skipped === '') this.#at++;
        if (!skipped.includes('\n')) continue;
        const lineEnd = this.#text.lastIndexOf('\n', this.#at - 1);
        const isClosing = /[\]}]/.test(this.#text[this.#at] ?? '');
        this.#indented(lineEnd, this.#at, isClosing && this.#at - lineEnd - 1 === indent);
        continue;
      }
      if (/[[\]{}]/.test(char)) this.#at++;
      if (depth === 0) return;
    }
  }

  /** @param lineEnd before a line whose first character is next */
  #indented(lineEnd: number, at: number, isUsual: boolean): void {
    if (this.#at >= this.#text.length || this.#at - lineEnd - 1 > this.#parent) return;
    this.#insert(lineEnd + 1, this.#spaces, at, 'the line is indented too little', false, isUsual);
  }

  #insert(
    offset: number,
    spaces: number,
    at: number,
    what: string,
    isComment: boolean,
    isUsual: boolean,
  ): void {
    const repaired = offset + this.#added;
    this.#insertions.push({ offset, repaired, spaces, at, what, isComment, isUsual });
    this.#added += spaces;
  }

  /** @param pattern sticky */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [''];
    this.#at += found.length;
    return found;
  }
}
