// The body of a message, read on demand.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { unavailable } from '../errors/problem.ts';
import type { MaybePromise } from '../errors/thrown.ts';

/** A body, read on demand. */
export interface BodySource {
  /**
   * Reads the body. May be called once.
   *
   * @throws {Problem} 41300 if it is too large
   */
  readBody(): MaybePromise<Buffer>;
  /**
   * Alternative to readBody.
   *
   * @param allocation counts a body that is retained; a body is not counted by default
   * @throws {Problem} 41300 or 50300, or fails with it while it is read
   */
  stream(allocation?: BodyAllocation): Readable;
  /** For {@link stream}: the share of this body in the memory budget. Absent for a body in memory. */
  allocate?(): BodyAllocation;
  /** @returns true until the whole body has arrived; absent where that is unknown */
  isArriving?(): boolean;
  /**
   * Calls the listener when the connection of the request closes, also after the response.
   *
   * @param listener receives true after the whole response was sent
   */
  onClose?(listener: (isSent: boolean) => void): void;
  /** @returns true if the client has closed the connection: it receives no response */
  isClosed?(): boolean;
}

/** A request or a response. */
export interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: BodySource;
}

/** RFC 9112, section 6.3: a request has a body if it has Transfer-Encoding or Content-Length. */
export function isBodyExpected(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** @returns the source of a body in memory */
export function wholeBody(bytes: Buffer): BodySource {
  return { readBody: async () => bytes, stream: () => Readable.from([bytes]) };
}

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
