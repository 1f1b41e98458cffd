// Lines of a text, each of bounded length.

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
