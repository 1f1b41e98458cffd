// The thread that reads contracts, as seen by the server: a crash ends its calls, and the next call starts another.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Call, CallName, Reply } from './thread.ts';

/** A call beyond it ends the thread. */
const LIMIT_MS = 120_000;
/** A contract that needs more ends the thread, not the server. From 2048 on, V8 lets a heap grow fourfold. */
const MAX_HEAP_MB = 2047;
/** By default three times as much, and a contract of 1.2 MB takes 200 MB more. */
const MAX_YOUNG_MB = 16;

/** The thread ended before the reply. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Analysis {
  readonly #texts = new Map<string, string>();
  readonly #changed = new Set<string>();
  readonly #pending = new Map<number, Pending>();
  readonly #onThread: (thread: Worker) => void;
  #isStale = false;
  #thread: Worker | undefined;
  #id = 0;

  /** @param onThread called with each thread that starts */
  constructor(onThread: (thread: Worker) => void = () => {}) {
    this.#onThread = onThread;
  }

  /** @param text undefined for a document that was closed */
  set(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
    this.#changed.add(path);
  }

  /** Files on the disk have changed. */
  forget(): void {
    this.#isStale = true;
  }

  /** @throws {ThreadEnded} */
  async call<Result>(name: CallName, argument: unknown): Promise<Result> {
    const thread = this.#running();
    const texts = [...this.#changed].map((path) => [path, this.#texts.get(path)] as const);
    const call: Call = { id: ++this.#id, name, argument, texts, isStale: this.#isStale };
    this.#changed.clear();
    this.#isStale = false;
    const limit = setTimeout(() => void thread.terminate(), LIMIT_MS).unref();
    try {
      return await new Promise<Result>((resolve, reject) => {
        this.#pending.set(call.id, { resolve: resolve as Pending['resolve'], reject });
        thread.postMessage(call);
      });
    } finally {
      clearTimeout(limit);
      this.#pending.delete(call.id);
    }
  }

  async end(): Promise<void> {
    await this.#thread?.terminate();
  }

  #running(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const script = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
    const thread = new Worker(script, {
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: MAX_HEAP_MB,
        maxYoungGenerationSizeMb: MAX_YOUNG_MB,
      },
    });
    let reason = 'it was stopped';
    thread.on('message', ({ id, result, error }: Reply) => {
      const pending = this.#pending.get(id);
      if (error === undefined) pending?.resolve(result);
      else pending?.reject(new Error(error));
    });
    // `exit` follows.
    thread.on('error', (error) => {
      reason = error.message;
    });
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const { reject } of this.#pending.values()) {
        reject(new ThreadEnded(`the thread that reads contracts ended: ${reason}`));
      }
      this.#pending.clear();
    });
    this.#thread = thread;
    for (const path of this.#texts.keys()) this.#changed.add(path);
    this.#onThread(thread);
    return thread;
  }
}
