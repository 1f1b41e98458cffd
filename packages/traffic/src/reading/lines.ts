// The lines of a file, and the entries of a HAR file, without holding it in memory.

/** Of a line, and of an entry of a HAR file. A recorder writes no longer ones. */
export const MAX_LENGTH = 16 * 1024 * 1024;

/** A text that is too long to be parsed. */
export class TooLong extends Error {
  constructor(what: string) {
    super(`got ${what} of more than ${MAX_LENGTH / 1024 / 1024} MiB, expected a shorter one`);
  }
}

/** Collects the chunks of one text: the cost is linear, whatever their number. */
export class Chunks {
  readonly #what: string;
  #chunks: string[] = [];
  #length = 0;

  /** @param what for the error: `a line` */
  constructor(what: string) {
    this.#what = what;
  }

  /** @throws {Error} for a text that is too long */
  add(chunk: string): void {
    this.#length += chunk.length;
    if (this.#length > MAX_LENGTH) throw new TooLong(this.#what);
    this.#chunks.push(chunk);
  }

  /** @returns the text; the next one starts empty @throws {Error} for a text that is too long */
  take(last: string): string {
    this.add(last);
    const text = this.#chunks.join('');
    this.#chunks = [];
    this.#length = 0;
    return text;
  }
}

/** @yields the lines without their breaks @throws {Error} for a text that is too long */
export async function* boundedLines(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const kept = new Chunks('a line');
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      yield kept.take(chunk.slice(start, end));
      start = end + 1;
    }
    kept.add(chunk.slice(start));
  }
  yield kept.take('');
}

/** `{"log":`, the only member of a HAR document. */
const HAR_START = /^\ufeff?\s*\{\s*"log"\s*:/;

/** @param start the first characters of a file */
export function isHar(start: string): boolean {
  return HAR_START.test(start);
}

const [QUOTE, BACKSLASH, COLON] = ['"', '\\', ':'].map((text) => text.charCodeAt(0));
const OPENING = new Set(['{', '['].map((text) => text.charCodeAt(0)));
const CLOSING = new Set(['}', ']'].map((text) => text.charCodeAt(0)));
/** What may stand between entries. */
const BETWEEN = new Set([...' \t\r\n,{]'].map((text) => text.charCodeAt(0)));
/** Longer than `entries`. */
const MAX_KEY_LENGTH = 20;
/** `{"log":{"entries":[{` */
const ENTRIES_DEPTH = 3;

/**
 * @param chunks of the text @yields the JSON text of each element of `log.entries`
 * @throws {Error} for a text that ends early, or has no entries
 */
export async function* harEntryTexts(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const scanner = new HarScanner();
  for await (const chunk of chunks) yield* scanner.texts(chunk);
  if (!scanner.isComplete) throw new Error('got a part of a file, expected HAR 1.2');
}

/** Follows strings and nesting; everything but the entries is skipped. */
class HarScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInEntries = false;
  #hasEntries = false;
  /** The last string outside of the entries, and the keys at the depths 1 and 2. */
  #text = '';
  readonly #keys: string[] = [];
  /** The beginning of an entry in earlier chunks. */
  readonly #kept = new Chunks('an entry');

  get isComplete(): boolean {
    return this.#depth === 0 && this.#hasEntries;
  }

  *texts(chunk: string): Generator<string, void, undefined> {
    let start = this.#isInEntry ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#isInString) this.#readString(code, chunk, at);
      else if (this.#isInEntries && this.#depth === ENTRIES_DEPTH && !BETWEEN.has(code)) {
        throw new Error('log.entries: got another value, expected objects');
      } else if (code === QUOTE) {
        this.#isInString = true;
        this.#text = '';
      } else if (code === COLON && this.#depth < ENTRIES_DEPTH)
        this.#keys[this.#depth] = this.#text;
      else if (OPENING.has(code)) {
        if (this.#isInEntries && this.#depth === ENTRIES_DEPTH) start = at;
        this.#open();
      } else if (CLOSING.has(code)) {
        this.#depth--;
        if (this.#isInEntries && this.#depth === ENTRIES_DEPTH) {
          yield this.#kept.take(chunk.slice(start, at + 1));
          start = -1;
        } else if (this.#depth < ENTRIES_DEPTH) this.#isInEntries = false;
      }
    }
    if (start >= 0) this.#kept.add(chunk.slice(start));
  }

  get #isInEntry(): boolean {
    return this.#isInEntries && this.#depth > ENTRIES_DEPTH;
  }

  #open(): void {
    this.#depth++;
    const [, log, entries] = this.#keys;
    if (this.#depth !== ENTRIES_DEPTH || log !== 'log' || entries !== 'entries') return;
    this.#isInEntries = true;
    this.#hasEntries = true;
  }

  #readString(code: number, chunk: string, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) {
      this.#isInString = false;
      return;
    }
    if (this.#depth < ENTRIES_DEPTH && this.#text.length < MAX_KEY_LENGTH) this.#text += chunk[at];
  }
}
