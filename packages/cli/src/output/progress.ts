// Shows the progress of a command, on a terminal only.
import type { Writable } from 'node:stream';
import { printable } from '@stubwright/contract/printable';
import { isTerminal } from './styles.ts';

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
