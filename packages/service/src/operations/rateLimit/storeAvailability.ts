// Whether the store of rate limits responds. While it does not, one request per second tries it.
import { errorFrom } from '@stubwright/contract';
import type { Log } from '../log.ts';

const RETRY_MS = 1000;

export class StoreAvailability {
  readonly #log: Log;
  readonly #timeoutMs: number;
  /** On the clock of `performance.now()`; undefined while the store responds. */
  #retryAtMs: number | undefined;

  constructor(log: Log, timeoutMs: number) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  /** @returns undefined if the store does not respond in time, or was not called */
  async attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
    const startMs = performance.now();
    if (this.#retryAtMs !== undefined) {
      if (startMs < this.#retryAtMs) return undefined;
      this.#retryAtMs = startMs + RETRY_MS;
    }
    try {
      const result = await within(this.#timeoutMs, call());
      if (this.#retryAtMs !== undefined) this.#log.info('rate limits counted again');
      this.#retryAtMs = undefined;
      return result;
    } catch (error) {
      const err = errorFrom(error);
      if (this.#retryAtMs === undefined) this.#log.error({ err }, 'rate limits not counted');
      this.#retryAtMs = performance.now() + RETRY_MS;
      return undefined;
    }
  }
}

async function within<T>(timeoutMs: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = new Error(`the store did not respond within ${timeoutMs} ms`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
