// The memory budget of the request bodies that are being read or handled.
import { unavailable } from '../errors/problem.ts';

/** Memory of a chunk beyond its bytes, measured with 1,000,000 chunks of one byte. */
export const CHUNK_OVERHEAD_BYTES = 200;

const RETRY_AFTER_SECONDS = 1;

export class BodyMemory {
  readonly #limitBytes: number;
  #usedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isExceeded(): boolean {
    return this.#usedBytes > this.#limitBytes;
  }

  /** @param bytes negative to release */
  add(bytes: number): void {
    this.#usedBytes += bytes;
  }
}

/** The share of one body. */
export class BodyAllocation {
  readonly #memory: BodyMemory;
  readonly #isExempt: boolean;
  #bytes = 0;

  /** @param options.isExempt true for a body that is counted, but never rejected */
  constructor(memory: BodyMemory, { isExempt = false }: { readonly isExempt?: boolean } = {}) {
    this.#memory = memory;
    this.#isExempt = isExempt;
  }

  /** @throws {Problem} 50300 if the budget is exceeded */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.add(bytes);
    if (this.#memory.isExceeded && !this.#isExempt) throw bodyMemoryExceeded();
  }

  addChunk(chunk: Buffer): void {
    this.add(chunk.length + CHUNK_OVERHEAD_BYTES);
  }

  /** May be called again. */
  release(): void {
    this.#memory.add(-this.#bytes);
    this.#bytes = 0;
  }
}

export function bodyMemoryExceeded(): Error {
  return unavailable('too many request bodies in memory, try again', RETRY_AFTER_SECONDS);
}
