// A copy of a body for its validation, while the body is forwarded.
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Content codings (RFC 9110, section 8.4.1). */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
};

export class BodyCopy {
  readonly #limitBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  get isTooLarge(): boolean {
    return this.#length > this.#limitBytes;
  }

  /** Releases the copy of a body beyond the limit. */
  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.isTooLarge) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /**
   * Reads until the end or the limit. The stream stays open.
   *
   * @returns all chunks that were read
   */
  async fill(source: Readable): Promise<Buffer[]> {
    const read: Buffer[] = [];
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      read.push(chunk);
      this.add(chunk);
      if (this.isTooLarge) break;
    }
    return read;
  }

  /**
   * @param codings the value of `Content-Encoding`
   * @returns undefined if the body is too large, or in an unknown or broken content coding
   */
  async decoded(codings: string | undefined): Promise<Buffer | undefined> {
    if (this.isTooLarge) return undefined;
    let bytes = Buffer.concat(this.#chunks);
    if (codings === undefined || bytes.length === 0) return bytes;
    const names = codings.split(',').map((each) => each.trim().toLowerCase());
    for (const name of names.reverse()) {
      if (name === '' || name === 'identity') continue;
      const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
      const decoded = await decode?.(bytes, { maxOutputLength: this.#limitBytes }).catch(
        () => undefined,
      );
      if (decoded === undefined) return undefined;
      bytes = Buffer.from(decoded);
    }
    return bytes;
  }
}
