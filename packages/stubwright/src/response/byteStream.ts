// Streams of bytes as response bodies.

import { pipeline, type Readable, Transform } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import { shown } from '@stubwright/contract';

/**
 * @param body of any chunks; its errors are handled from here on
 * @param length the value of `Content-Length`; undefined for any
 * @returns a stream of bytes, which fails for other chunks and another length
 * @throws {TypeError} for an object that only inherits from a stream
 */
export function byteStream(body: Readable, length?: number): Readable {
  if (!isConstructed(body)) throw new TypeError('expected a body stream that was constructed');
  // A stream may fail before the response listens.
  body.on('error', ignore);
  const isOfBytes = !body.readableObjectMode && body.readableEncoding === null;
  if (isOfBytes && length === undefined) return body;
  const bytes = new ByteStream(length);
  pipeline(body, bytes, ignore);
  return bytes.on('error', ignore);
}

/**
 * Waits for the first chunk.
 *
 * @returns the error of a stream that fails before; undefined also for an empty stream
 */
export function firstChunk(body: Readable): Promise<Error | undefined> {
  if (body.errored !== null) return Promise.resolve(body.errored);
  if (body.readableLength > 0 || body.readableEnded) return Promise.resolve(undefined);
  if (body.destroyed) return Promise.resolve(new Error('the body stream is closed'));
  return new Promise((resolve) => {
    const settle = (error?: Error) => {
      body.off('readable', onReadable).off('end', onReadable).off('close', onReadable);
      body.off('error', settle);
      resolve(error);
    };
    const onReadable = () => settle();
    body.on('error', settle);
    body.on('end', onReadable).on('close', onReadable).on('readable', onReadable);
  });
}

function isConstructed(body: Readable): boolean {
  try {
    return body.readableLength >= 0;
  } catch {
    return false;
  }
}

class ByteStream extends Transform {
  #left: number | undefined;

  constructor(length: number | undefined) {
    super({ writableObjectMode: true });
    this.#left = length;
  }

  override _transform(chunk: unknown, _encoding: string, done: Done): void {
    if (typeof chunk !== 'string' && !isUint8Array(chunk)) {
      done(new TypeError(`a body stream returned ${shown(chunk)}, expected bytes or a string`));
      return;
    }
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#left !== undefined) this.#left -= bytes.length;
    done((this.#left ?? 0) < 0 ? wrongLength() : null, bytes);
  }

  override _flush(done: Done): void {
    done((this.#left ?? 0) > 0 ? wrongLength() : null);
  }
}

type Done = (error: Error | null, bytes?: Uint8Array) => void;

function wrongLength(): Error {
  return new Error('a body stream differs from the Content-Length of its reply');
}

function ignore(): void {}
