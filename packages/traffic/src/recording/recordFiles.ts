// Files of records by day, written behind the responses. The first error ends the recording.
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** Lines that are serialized in one turn of the event loop. */
const LINES_PER_TURN = 50;

/** @returns the day (UTC) of a time, `2026-11-23` */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** `traffic.jsonl` becomes `traffic.2026-11-23.k3f9a1.jsonl`: several processes may share the name. */
export class RecordFiles {
  readonly #base: string;
  readonly #extension: string;
  readonly #instance = randomBytes(4).toString('hex');
  readonly #onError: (error: Error) => void;
  #work: Promise<void> = Promise.resolve();
  isStopped = false;

  constructor(path: string, onError: (error: Error) => void) {
    this.#extension = extname(path) || '.jsonl';
    this.#base = path.slice(0, path.length - extname(path).length);
    this.#onError = onError;
  }

  pathOf(day: string): string {
    return `${this.#base}.${day}.${this.#instance}${this.#extension}`;
  }

  /** Replaces the file of a day. @param lines values that `JSON.stringify` accepts */
  replace(day: string, lines: Iterable<object>): void {
    this.#enqueue(async () => {
      const texts: string[] = [];
      for (const line of lines) {
        texts.push(`${JSON.stringify(line)}\n`);
        if (texts.length % LINES_PER_TURN === 0) await turn();
      }
      const path = this.pathOf(day);
      const temporary = `${path}.tmp`;
      try {
        await writeFile(temporary, texts, { mode: 0o600 });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
    });
  }

  /** Waits for everything that was added. */
  flush(): Promise<void> {
    return this.#work;
  }

  fail(error: unknown): void {
    if (this.isStopped) return;
    this.isStopped = true;
    const { message } = error as Error;
    this.#onError(new Error(`the recording has ended: ${message}`));
  }

  #enqueue(write: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.isStopped) return;
      try {
        await write();
      } catch (error) {
        this.fail(error);
      }
    });
  }
}
