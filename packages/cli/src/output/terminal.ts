// The text output of a command: escaped, with colours and progress on a terminal.

import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { printable, printableLines } from '@stubwright/contract/printable';

type TextStyle = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

/**
 * Marks parts of a text with a style. The marks become colours after the text is escaped: text of a contract cannot
 * contain them.
 */
export class Styles {
  readonly isOn: boolean;
  readonly #mark = randomUUID();
  readonly #marked = new RegExp(`${this.#mark}<(\\w+)>(.*?)${this.#mark}<>`, 'gs');

  constructor(isOn: boolean) {
    this.isOn = isOn;
  }

  readonly paint = (style: TextStyle, text: string): string =>
    this.isOn && text !== '' ? `${this.#mark}<${style}>${text}${this.#mark}<>` : text;

  rendered(text: string): string {
    if (!this.isOn) return text;
    return text.replace(this.#marked, (_, style: TextStyle, marked: string) =>
      styleText(style, marked, { validateStream: false }),
    );
  }
}

/**
 * @param option of `--no-color`
 * @returns true on a terminal, unless `NO_COLOR` or `FORCE_COLOR` decide otherwise
 */
export function hasColors(
  stream: Writable,
  env: Readonly<Record<string, string | undefined>>,
  option = true,
): boolean {
  if (!option || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return isTerminal(stream) && env['TERM'] !== 'dumb';
}

export function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

/** Minimum time between two updates of a count. */
const UPDATE_MS = 100;
/** Moves to the start of the line, and erases it. */
const ERASE = '\r\u001b[K';

export class Progress {
  readonly #terminal: Writable | undefined;
  #isShown = false;

  constructor(stream: Writable) {
    this.#terminal = isTerminal(stream) ? stream : undefined;
  }

  /** Replaces the line. @param text such as `checking openapi.yaml` */
  show(text: string): void {
    if (this.#terminal === undefined) return;
    const columns = 'columns' in this.#terminal ? Number(this.#terminal.columns ?? 80) : 80;
    this.#terminal.write(ERASE + `${printable(text)}…`.slice(0, columns - 1));
    this.#isShown = true;
  }

  /** @returns a function that appends the count; undefined without a terminal */
  counting(text: string): ((done: number, total: number) => void) | undefined {
    if (this.#terminal === undefined) return undefined;
    let shownAt = Number.NEGATIVE_INFINITY;
    return (done, total) => {
      const now = performance.now();
      if (now - shownAt < UPDATE_MS) return;
      shownAt = now;
      this.show(`${text} ${done}/${total}`);
    };
  }

  clear(): void {
    if (this.#isShown) this.#terminal!.write(ERASE);
    this.#isShown = false;
  }
}

/** Escapes written text. An error of `target` is its own event, and is not repeated here. */
export class PrintableStream extends Writable {
  readonly #target: Writable;
  readonly #progress: Progress | undefined;
  readonly #styles: Styles | undefined;
  #isLineStart = true;

  /** @param progress erased before output */
  constructor(target: Writable, progress?: Progress, styles?: Styles) {
    super({ decodeStrings: false, defaultEncoding: 'utf8' });
    this.#target = target;
    this.#progress = progress;
    this.#styles = styles;
  }

  /** Of a terminal. */
  get columns(): number | undefined {
    return 'columns' in this.#target ? Number(this.#target.columns) : undefined;
  }

  /** Does not wait for `target`, so that its other writers keep their order. */
  override _write(chunk: string | Buffer, _encoding: BufferEncoding, written: () => void): void {
    const text = chunk.toString();
    const lines = printableLines(text, { isLineStart: this.#isLineStart });
    if (text !== '') this.#isLineStart = text.endsWith('\n');
    this.#progress?.clear();
    this.#target.write(this.#styles?.rendered(lines) ?? lines);
    written();
  }
}
