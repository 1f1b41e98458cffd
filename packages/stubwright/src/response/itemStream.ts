// A response body that is a sequence: pulls items from the iterable of a handler, one at a time.

import { pipeline, Readable, Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isUint8Array } from 'node:util/types';
import { errorFrom, Problem, shown } from '@stubwright/contract';
import {
  type ItemSource,
  type ItemWriter,
  NotSerializable,
  type StreamSignals,
} from '@stubwright/contract/values';

export interface ItemStreamOptions {
  readonly items: ItemSource;
  readonly write: ItemWriter;
  readonly signals: StreamSignals | undefined;
  /** `log`: an invalid item is sent. */
  readonly validation: 'strict' | 'log' | 'off';
  /** The interval of keep-alive comments where the format has them, in milliseconds; 0 for none. */
  readonly keepAliveMs: number;
  /** @returns the error of an invalid item */
  readonly fail: (violation: string) => Error;
  /** Called with the violation of an item that is sent nevertheless. */
  readonly onViolation: (error: Error) => void;
  /** @returns true for an error that the abort of the request has caused */
  readonly isAbort: (error: Error) => boolean;
}

/** Items that are ready at the same time are sent together, up to this length. */
const CHUNK_LENGTH = 16 * 1024;

/** Clients connect again between one and three seconds after a shutdown. */
const RECONNECT_MS = 1000;
const RECONNECT_SPREAD_MS = 2000;

export function isItems(body: unknown): body is ItemSource {
  if (typeof body !== 'object' || body === null) return false;
  return Symbol.asyncIterator in body || Symbol.iterator in body;
}

/**
 * Backpressure: no item is requested while the socket is busy. The iterator is closed when the stream is
 * destroyed. An item that is invalid, or an error of the iterable, ends the stream: with an item that
 * describes the error if format and contract have one, else by an error of the stream, which closes the
 * connection. Nothing is sent of an invalid item.
 */
export class ItemStream extends Readable {
  /** The number of items that were written. */
  count = 0;
  /** The size of what was written. */
  bytes = 0;
  /** The error that has ended the stream. */
  failure: Error | undefined;
  /** True after the head of the response is sent: from then on an error is described in the stream. */
  isSent = false;
  readonly #options: ItemStreamOptions;
  readonly #iterator: Iterator<unknown> | AsyncIterator<unknown>;
  #text = '';
  #isPulling = false;
  #isFull = false;
  #isClosed = false;
  #flushing: NodeJS.Immediate | undefined;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(options: ItemStreamOptions) {
    super({ highWaterMark: CHUNK_LENGTH });
    this.#options = options;
    const { items } = options;
    this.#iterator =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  }

  /** Ends the stream after the items that were written, with a hint to connect again. */
  finish(): void {
    if (this.#isClosed) return;
    const delayMs = RECONNECT_MS + Math.round(Math.random() * RECONNECT_SPREAD_MS);
    this.#text += this.#options.signals?.reconnect(delayMs) ?? '';
    this.#end();
    this.#closeIterator();
  }

  override _read(): void {
    this.#isFull = false;
    if (this.#text !== '') this.#flush();
    if (!this.#isPulling && !this.#isFull && !this.#isClosed) void this.#pull();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isClosed) {
      this.#close();
      this.#closeIterator();
    }
    done(error);
  }

  async #pull(): Promise<void> {
    this.#isPulling = true;
    this.#startKeepAlive();
    try {
      while (!this.#isFull) {
        const { done, value } = await this.#iterator.next();
        if (this.#isClosed) return;
        if (done) {
          this.#end();
          return;
        }
        this.#text += this.#written(value);
        this.count++;
        if (this.#text.length < CHUNK_LENGTH) this.#flushing ??= setImmediate(() => this.#flush());
        else {
          this.#flush();
          // Other requests have their turn.
          await nextTurn();
          if (this.#isClosed) return;
        }
      }
    } catch (error) {
      this.#fail(errorFrom(error));
    } finally {
      this.#isPulling = false;
    }
  }

  #written(item: unknown): string {
    const { write, validation, fail, onViolation } = this.#options;
    try {
      return write(item, validation !== 'off');
    } catch (error) {
      if (!(error instanceof NotSerializable)) throw error;
      const violation = fail(`item ${this.count}: ${error.message}`);
      if (validation !== 'log') throw violation;
      onViolation(violation);
      return this.#unvalidated(item, violation);
    }
  }

  #unvalidated(item: unknown, violation: Error): string {
    try {
      return this.#options.write(item, false);
    } catch (error) {
      throw error instanceof NotSerializable ? violation : error;
    }
  }

  #flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    if (this.#text === '') return;
    const chunk = Buffer.from(this.#text);
    this.#text = '';
    this.bytes += chunk.length;
    this.#keepAlive?.refresh();
    this.#isFull = !this.push(chunk);
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    const { signals, isAbort } = this.#options;
    if (signals !== undefined && this.isSent && isAbort(error)) {
      this.finish();
      return;
    }
    this.failure = error;
    const text = this.isSent ? signals?.error(described(error)) : undefined;
    if (text === undefined) {
      this.#flush();
      this.#close();
      this.destroy(error);
    } else {
      this.#text += text;
      this.#end();
    }
    this.#closeIterator();
  }

  #end(): void {
    this.#flush();
    this.#close();
    this.push(null);
  }

  #close(): void {
    this.#isClosed = true;
    clearImmediate(this.#flushing);
    clearInterval(this.#keepAlive);
  }

  /** Without waiting: a generator ends at its next item. */
  #closeIterator(): void {
    try {
      Promise.resolve(this.#iterator.return?.()).catch((error) => this.#late(error));
    } catch (error) {
      this.#late(error);
    }
  }

  /** An error of the end of a handler. */
  #late(error: unknown): void {
    this.failure ??= errorFrom(error);
  }

  #startKeepAlive(): void {
    const { keepAliveMs, signals } = this.#options;
    const { keepAlive } = signals ?? {};
    if (keepAlive === undefined || keepAliveMs === 0 || this.#keepAlive !== undefined) return;
    this.#keepAlive = setInterval(() => {
      this.#text += keepAlive;
      this.#flush();
    }, keepAliveMs).unref();
  }
}

/** What a client is told. */
function described(error: Error): { readonly title: string; readonly status: number } {
  if (error instanceof Problem) return { title: error.title, status: error.status };
  return { title: 'Internal Server Error', status: 500 };
}

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
