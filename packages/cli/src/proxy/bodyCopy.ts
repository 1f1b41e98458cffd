// A copy of a body for its validation, within the limit of one body and the memory of all.

import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { contentTooLarge, malformedBody, unavailable } from '@stubwright/contract';
import { type BodyMemory, CHUNK_OVERHEAD_BYTES } from '@stubwright/contract/values';
import { Problem } from 'stubwright';

/** Content codings (RFC 9110, section 8.4.1, RFC 8878). */
const DECODERS: Readonly<Record<string, () => Transform & zlib.Zlib>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};
/** Each coding costs a body of the limit. */
const MAX_CODINGS = 2;
const RETRY_AFTER_SECONDS = 1;

/** A body that cannot be validated. */
export class NotValidated extends Error {
  /** For a proxy that refuses such a request. */
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The minimum progress of a body that is held until its end. */
export interface BodyRate {
  readonly intervalMs: number;
  /** In each interval. */
  readonly minBytes: number;
}

/** 240 bytes per second, the minimum of Kestrel. */
export const BODY_RATE: BodyRate = { intervalMs: 30_000, minBytes: 7_200 };

export class BodyCopy {
  readonly #limitBytes: number;
  readonly #memory: BodyMemory;
  #chunks: Buffer[] = [];
  #length = 0;
  #takenBytes = 0;
  #failure: Problem | undefined;
  #isReleased = false;
  /** The copy without a content coding. */
  #next: BodyCopy | undefined;

  constructor(limitBytes: number, memory: BodyMemory) {
    this.#limitBytes = limitBytes;
    this.#memory = memory;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  /** Drops the copy of a body beyond the limit or the memory. */
  add(chunk: Buffer): void {
    if (this.#failure !== undefined || this.#isReleased) return;
    this.#length += chunk.length;
    if (this.#length > this.#limitBytes) {
      this.#fail(contentTooLarge(this.#limitBytes));
      return;
    }
    const bytes = chunk.length + CHUNK_OVERHEAD_BYTES;
    this.#takenBytes += bytes;
    this.#memory.add(bytes);
    if (!this.#memory.isExceeded) this.#chunks.push(chunk);
    else this.#fail(unavailable('too many bodies in memory, try again', RETRY_AFTER_SECONDS));
  }

  /**
   * Reads until the end, the limit, the end of the memory, or an interval below the rate. The stream stays
   * open.
   */
  async fill(source: Readable, rate = BODY_RATE): Promise<void> {
    const slow = Promise.withResolvers<void>();
    let before = this.#length;
    const timer = setInterval(() => {
      if (this.#length - before < rate.minBytes) {
        this.#fail(new Problem(408, 'the body took too long to arrive'));
        slow.resolve();
      }
      before = this.#length;
    }, rate.intervalMs);
    try {
      await Promise.race([this.#readAll(source), slow.promise]);
    } finally {
      clearInterval(timer);
    }
  }

  async #readAll(source: Readable): Promise<void> {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      this.add(chunk);
      if (this.#failure !== undefined) return;
    }
  }

  /** Returns the memory. May be called again. */
  release(): void {
    this.#isReleased = true;
    this.#drop();
    this.#next?.release();
  }

  /**
   * @param codings the value of `Content-Encoding`
   * @throws {NotValidated} for a body that is too large, or in an unknown or broken content coding
   */
  async decoded(codings: string | undefined): Promise<Buffer> {
    if (this.#failure !== undefined) throw new NotValidated(this.#failure);
    const names = (codings ?? '').split(',').map((part) => part.trim().toLowerCase());
    const applied = names.filter((name) => name !== '' && name !== 'identity').reverse();
    if (this.#length === 0 || applied.length === 0) return Buffer.concat(this.#chunks);
    if (
      applied.length > MAX_CODINGS ||
      !applied.every((coding) => Object.hasOwn(DECODERS, coding))
    ) {
      throw new NotValidated(unsupportedCoding());
    }
    let copy: BodyCopy = this;
    for (const name of applied) copy = await copy.#decoded(name);
    if (copy.#failure !== undefined) throw new NotValidated(copy.#failure);
    return Buffer.concat(copy.#chunks);
  }

  /** @returns a copy that `release` of this one releases too */
  async #decoded(coding: string): Promise<BodyCopy> {
    const decoded = new BodyCopy(this.#limitBytes, this.#memory);
    this.#next = decoded;
    if (this.#failure !== undefined) return this;
    const decoder = DECODERS[coding]!();
    try {
      await decoded.fill(Readable.from(this.#chunks).pipe(decoder));
      const isWhole = decoder.bytesWritten === this.#length;
      if (decoded.#failure === undefined && !isWhole) throw new Error('bytes behind the end');
    } catch {
      decoded.#fail(malformedBody(`expected a body in the content coding ${coding}`));
    } finally {
      decoder.destroy();
    }
    return decoded;
  }

  #fail(problem: Problem): void {
    this.#failure = problem;
    this.#drop();
  }

  #drop(): void {
    this.#chunks = [];
    this.#memory.add(-this.#takenBytes);
    this.#takenBytes = 0;
  }
}

function unsupportedCoding(): Problem {
  const accepted = 'gzip, deflate, br, zstd';
  return new Problem(415, `expected one of the content codings ${accepted}`, {
    number: 41501,
    headers: { 'Accept-Encoding': accepted },
  });
}
