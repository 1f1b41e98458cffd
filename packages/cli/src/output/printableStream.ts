// The text output of a command, where text of a contract cannot control a terminal or a CI log.
import { Writable } from 'node:stream';
import { printableLines } from '@stubwright/contract/printable';
import type { Progress } from './progress.ts';
import type { Styles } from './styles.ts';

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
