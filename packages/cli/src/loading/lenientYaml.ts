// Finds violations of YAML that common parsers accept: flow collections and quoted scalars with lines that are
// indented too little, and comments without a space before them.

interface Repair {
  /** The text with spaces in place of some line breaks and comments: its offsets are those of the original. */
  readonly text: string;
  /** The first violation that needs a warning. */
  readonly violation: { readonly offset: number; readonly what: string } | undefined;
  /** The offset of an unclosed quote or bracket. */
  readonly unclosed: number | undefined;
}

const PREFIX = /[ \t]*(?:[-?][ \t]+|[-?](?=[\r\n]|$(?![\s\S])))*/y;
/** Of a line. */
const DOCUMENT_START = /(?<=^|\n)---[ \t]*\n/y;
const PROPERTIES = /(?:[&!][^\s,[\]{}]*[ \t]*)+/y;
const HEADER = /[|>][-+\d]*[ \t]*(?:#.*)?$/my;
const PLAIN = /(?:[^\s:#]|:(?=[^\s])|(?<=[^\s])#|[ \t]+(?=[^\s#]))*/y;
const COLON = /[ \t]*:(?=\s|$(?![\s\S]))[ \t]*/y;
const BREAK = /[ \t]*(?:\r?\n[ \t]*)+/y;
const FLOW_PLAIN = /[^\s[\]{},"'#]+|[ \t]+(?:#.*)?|(?:\n[ \t]*(?:#.*)?)+/y;
const QUOTED = { '"': /[^"\\\n]+|\\[^\n]/y, "'": /[^'\n]+|''/y };

/** Linear in the length of the text. */
export function repair(text: string): Repair {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #pieces: string[] = [];
  /** The end of the text in `#pieces`. */
  #copied = 0;
  #violation: Repair['violation'];
  #at = 0;
  /** The column of the key or dash that the next value belongs to. */
  #parent = -1;
  #isPlainOpen = false;
  #unclosed: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Repair {
    while (this.#at < this.#text.length && this.#unclosed === undefined) this.#line();
    const text = this.#pieces.join('') + this.#text.slice(this.#copied);
    return { text, violation: this.#violation, unclosed: this.#unclosed };
  }

  #line(): void {
    if (this.#match(DOCUMENT_START) !== '') return;
    const start = this.#at;
    const indent = this.#match(/ */y).length;
    this.#at = start;
    const prefix = this.#match(PREFIX);
    if (!this.#isPlainOpen || indent <= this.#parent) {
      const dash = prefix.search(/[-?]\s*$/);
      if (dash >= 0) this.#parent = dash;
      if (!/[\r\n#]|^$/.test(this.#text[this.#at] ?? '')) {
        this.#isPlainOpen = false;
        this.#tokens(prefix.length, start);
      }
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
    const start = this.#at;
    if (this.#match(/#[^\n]*/y) === '') return;
    this.#violation ??= { offset: start, what: 'a comment follows without a space' };
    this.#blank(start, this.#at);
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
      if (!this.#isIndented()) this.#join(lineEnd, lineEnd);
    }
  }

  #flow(lineStart: number): void {
    const start = this.#at;
    const indent = /^ */.exec(this.#text.slice(lineStart, start))![0].length;
    let tokenEnd = start;
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
        if (skipped.includes('\n')) this.#flowBreak(tokenEnd, indent);
        if (/^\s/.test(skipped)) continue;
      }
      if (/[[\]{}]/.test(char)) this.#at++;
      tokenEnd = this.#at;
      if (depth === 0) return;
    }
  }

  /** @param tokenEnd of the token before the line breaks; @param indent of the line with the opening bracket */
  #flowBreak(tokenEnd: number, indent: number): void {
    if (this.#isIndented()) return;
    const next = this.#text[this.#at] ?? '';
    const hasComment = this.#text.slice(tokenEnd, this.#at).includes('#');
    // A comment ends a plain scalar, spaces do not.
    if (hasComment && !/[[\]{},:"']/.test(this.#text[tokenEnd - 1]! + next)) return;
    const isUsual = /[\]}]/.test(next) && this.#column() === indent;
    this.#join(tokenEnd, isUsual ? undefined : this.#at);
  }

  #column(): number {
    return this.#at - this.#text.lastIndexOf('\n', this.#at - 1) - 1;
  }

  /** True if the current line is indented more than the holder of its value. */
  #isIndented(): boolean {
    return this.#at >= this.#text.length || this.#column() > this.#parent;
  }

  /** @param violation undefined for a closing bracket with the indentation of the line that opens it, which is usual */
  #join(from: number, violation: number | undefined): void {
    if (violation !== undefined) {
      this.#violation ??= { offset: violation, what: 'the line is indented too little' };
    }
    this.#blank(from, this.#at);
  }

  #blank(from: number, to: number): void {
    this.#pieces.push(this.#text.slice(this.#copied, from), ' '.repeat(to - from));
    this.#copied = to;
  }

  /** @param pattern sticky */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [''];
    this.#at += found.length;
    return found;
  }
}
