// The body of a Koa context's request: koa-bodyparser reads it when it is asked for, up to a limit.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { contentTooLarge, malformedHttp, unavailable } from '../errors/problem.ts';
import type { BodySource } from '../request/exchange.ts';

/** How the bodies of an application are read. */
export interface BodyReader {
  readonly limitBytes: number;
  readonly memory: BodyMemory;
  /** koa-bodyparser, made to give the bytes: as text it would repair what is not UTF-8. */
  readonly parse: (context: ParsedContext, next: () => Promise<void>) => Promise<void>;
}

/** What koa-bodyparser reads of a Koa context, and where it leaves the body. */
interface ParsedContext {
  readonly req: IncomingMessage | ArrivedBody;
  readonly request: { readonly is: () => 'text'; body: unknown };
}

/** koa-bodyparser, by what it takes; its types ask for more: the limit as a text, to be parsed for each request. */
type ParserOf = (options: {
  readonly enableTypes: readonly 'text'[];
  readonly textLimit: number;
  readonly encoding: string;
  readonly onerror: (error: Error & { type?: string }) => void;
}) => BodyReader['parse'];
const parserOf = bodyParser as unknown as ParserOf;

/** The bytes of all bodies that are being read or handled. */
class BodyMemory {
  readonly #limitBytes: number;
  #usedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isExceeded(): boolean {
    return this.#usedBytes > this.#limitBytes;
  }

  /** @param bytes negative for bytes that are no longer held */
  add(bytes: number): void {
    this.#usedBytes += bytes;
  }
}

/** What a chunk takes beyond its bytes, as measured with 1,000,000 chunks of one byte. */
const CHUNK_OVERHEAD_BYTES = 200;

/** When a client whose body was refused for want of memory may try again. */
const RETRY_AFTER_SECONDS = 1;

/**
 * @param limitBytes the most bytes that a body may have
 * @param memoryBytes the most bytes that all bodies may have
 */
export function bodyReader(limitBytes: number, memoryBytes: number): BodyReader {
  const parse = parserOf({
    enableTypes: ['text'],
    textLimit: limitBytes,
    encoding: '',
    onerror(error) {
      if (error.type === 'entity.too.large') throw contentTooLarge(limitBytes);
      if (error.type === 'request.aborted') throw malformedHttp('the request ended early');
      throw error;
    },
  });
  return { limitBytes, memory: new BodyMemory(memoryBytes), parse };
}

export class KoaBody implements BodySource {
  readonly #ctx: Context;
  readonly #reader: BodyReader;
  #heldBytes = 0;

  constructor(ctx: Context, reader: BodyReader) {
    this.#ctx = ctx;
    this.#reader = reader;
  }

  readBody(): Promise<Buffer> {
    this.#expectBody();
    const { req } = this.#ctx;
    // The engine has checked it; koa-bodyparser knows `identity` in lower case only.
    if (req.headers['content-encoding'] !== undefined) delete req.headers['content-encoding'];
    // The engine has checked the media type.
    const request: ParsedContext['request'] = { is: () => 'text', body: undefined };
    const isArrived = hasArrived(req);
    if (isArrived) this.#hold(req.readableLength);
    const source = isArrived ? new ArrivedBody(req) : req;
    const parsed = this.#reader.parse({ req: source, request }, done);
    if (!isArrived) this.#countArriving();
    return parsed.then(() => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)));
  }

  /** Gives back the memory of the body, once the request was handled or refused. */
  release(): void {
    this.#reader.memory.add(-this.#heldBytes);
    this.#heldBytes = 0;
  }

  stream(): Readable {
    this.#expectBody();
    const bounded = boundedBy(this.#reader.limitBytes);
    // The client closed the connection; there is nothing else that Node reports here.
    const end = () => bounded.destroy(malformedHttp('the request ended early'));
    this.#ctx.req.on('error', end).pipe(bounded);
    return bounded;
  }

  #hold(chunkBytes: number): void {
    const bytes = chunkBytes + CHUNK_OVERHEAD_BYTES;
    this.#heldBytes += bytes;
    this.#reader.memory.add(bytes);
  }

  /**
   * Refuses a body that keeps memory while it waits for its sender. One that has arrived with its
   * headers is handled at once, so that stalled senders do not stop small requests.
   */
  #countArriving(): void {
    const { req } = this.#ctx;
    const count = (chunk: Buffer) => {
      this.#hold(chunk.length);
      if (!this.#reader.memory.isExceeded) return;
      req.off('data', count);
      // koa-bodyparser listens for this event: it drops the chunks and rejects.
      req.emit(
        'error',
        unavailable('too many request bodies in memory, try again', RETRY_AFTER_SECONDS),
      );
    };
    req.on('data', count);
  }

  #expectBody(): void {
    const { req, res } = this.#ctx;
    const { limitBytes } = this.#reader;
    // koa-bodyparser takes the length for one of 32 bits.
    if (Number(req.headers['content-length']) > limitBytes) throw contentTooLarge(limitBytes);
    // RFC 9110, section 10.1.1: HTTP/1.0 knows no interim answer.
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
  }
}

function hasArrived({ headers, readableLength }: IncomingMessage): boolean {
  return Number(headers['content-length']) === readableLength;
}

/**
 * A body that has arrived whole, as a stream that ends as soon as it is listened to: most come with
 * their headers, and to wait for their own stream to flow costs a twentieth of a create.
 */
class ArrivedBody {
  readonly headers: IncomingHttpHeaders;
  readonly #bytes: Buffer;

  constructor(req: IncomingMessage) {
    this.headers = req.headers;
    this.#bytes = req.read() ?? NO_BYTES;
    // Its end is still to be read.
    req.resume();
  }

  on(event: string, listener: (bytes?: Buffer) => void): this {
    if (event === 'data') listener(this.#bytes);
    else if (event === 'end') listener();
    return this;
  }

  removeListener(): void {}
}

const NO_BYTES = Buffer.alloc(0);
const DONE = Promise.resolve();
const done = () => DONE;

/** Passes bytes on until they are too many. */
function boundedBy(limitBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      bytes += chunk.length;
      if (bytes > limitBytes) pass(contentTooLarge(limitBytes));
      else pass(null, chunk);
    },
  });
}
