// Files of records by day, written behind the responses. The first error ends the recording.
import { randomBytes } from 'node:crypto';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** Lines that wait for the disk; further ones are dropped, and counted. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024;
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
  #pending: { day: string; lines: string[] } | undefined;
  #pendingBytes = 0;
  #dropped = 0;
  isStopped = false;

  constructor(path: string, onError: (error: Error) => void) {
    this.#extension = extname(path) || '.jsonl';
    this.#base = path.slice(0, path.length - extname(path).length);
    this.#onError = onError;
  }

  pathOf(day: string): string {
    return `${this.#base}.${day}.${this.#instance}${this.#extension}`;
  }

  append(day: string, line: string): void {
    if (this.isStopped) return;
    if (this.#pendingBytes + line.length > MAX_PENDING_BYTES) {
      this.#dropped++;
      return;
    }
    this.#pendingBytes += line.length;
    if (this.#pending?.day === day) this.#pending.lines.push(`${line}\n`);
    else {
      const pending = { day, lines: [`${line}\n`] };
      this.#pending = pending;
      this.#enqueue(async () => {
        const { lines } = pending;
        if (this.#pending === pending) this.#pending = undefined;
        const text = lines.join('');
        await appendFile(this.pathOf(day), text, { mode: 0o600 });
        this.#pendingBytes -= text.length - lines.length;
      });
    }
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
  async flush(): Promise<void> {
    await this.#work;
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) {
      this.#onError(new Error(`${dropped} requests were not recorded: the disk is too slow`));
    }
  }

  fail(error: unknown): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.#pending = undefined;
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
