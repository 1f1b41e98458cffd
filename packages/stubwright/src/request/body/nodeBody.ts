// Reads the body of a Node request with koa-bodyparser, within size and memory limits.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import bodyParser from 'koa-bodyparser';
import { contentTooLarge, malformedHttp } from '../../errors/problem.ts';
import {
  BodyAllocation,
  BodyMemory,
  bodyMemoryExceeded,
  CHUNK_OVERHEAD_BYTES,
} from '../../media/bodyMemory.ts';
import type { BodySource } from '../../media/bodySource.ts';
import { limitBody } from './limitBody.ts';

export interface BodyReader {
  readonly limitBytes: number;
  readonly memory: BodyMemory;
  /** koa-bodyparser, configured to return a Buffer: as a string it would replace invalid UTF-8. */
  readonly parse: (context: ParsedContext, next: () => Promise<void>) => Promise<void>;
}

/** The part of a Koa context that koa-bodyparser uses; it assigns `request.body`. */
interface ParsedContext {
  readonly req: IncomingMessage | BufferedBody;
  readonly request: { readonly is: () => 'text'; body: unknown };
}

/** koa-bodyparser accepts a number as limit; its types require a string, which it parses for each request. */
type ParserOf = (options: {
  readonly enableTypes: readonly 'text'[];
  readonly textLimit: number;
  readonly encoding: string;
  readonly onerror: (error: Error & { type?: string }) => void;
}) => BodyReader['parse'];
const parserOf = bodyParser as unknown as ParserOf;

/**
 * @param limitBytes maximum size of one body
 * @param memoryBytes maximum total size of all bodies
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

export class NodeBody implements BodySource {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #reader: BodyReader;
  #countedBytes = 0;

  constructor(req: IncomingMessage, res: ServerResponse, reader: BodyReader) {
    this.#req = req;
    this.#res = res;
    this.#reader = reader;
  }

  readBody(): Promise<Buffer> {
    this.#expectBody();
    const req = this.#req;
    // Validated by the engine; koa-bodyparser accepts `identity` in lower case only.
    if (req.headers['content-encoding'] !== undefined) delete req.headers['content-encoding'];
    // Validated by the engine.
    const request: ParsedContext['request'] = { is: () => 'text', body: undefined };
    const isArrived = hasArrived(req);
    if (isArrived) this.#count(req.readableLength);
    const source = isArrived ? new BufferedBody(req) : req;
    const parsed = this.#reader.parse({ req: source, request }, done);
    if (!isArrived) this.#countArriving();
    return parsed.then(() => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)));
  }

  /** Releases the memory of the body after the request. */
  release(): void {
    this.#reader.memory.add(-this.#countedBytes);
    this.#countedBytes = 0;
  }

  /** A body that arrived with its headers is exempt, as in readBody. */
  allocate(): BodyAllocation {
    return new BodyAllocation(this.#reader.memory, { isExempt: hasArrived(this.#req) });
  }

  stream(allocation?: BodyAllocation): Readable {
    this.#expectBody();
    const limited = limitBody(this.#reader.limitBytes, allocation);
    // Node emits this error only when the client closes the connection.
    const end = () => limited.destroy(malformedHttp('the request ended early'));
    this.#req.on('error', end).pipe(limited);
    return limited;
  }

  isArriving(): boolean {
    return !this.#req.complete && !this.#req.destroyed;
  }

  onClose(listener: () => void): void {
    if (this.#res.destroyed) listener();
    else this.#res.once('close', listener);
  }

  #count(chunkBytes: number): void {
    const bytes = chunkBytes + CHUNK_OVERHEAD_BYTES;
    this.#countedBytes += bytes;
    this.#reader.memory.add(bytes);
  }

  /**
   * Rejects a body that exceeds the memory limit while it arrives. A body that arrived with its headers
   * is exempt, so that slow senders do not block small requests.
   */
  #countArriving(): void {
    const req = this.#req;
    const onData = (chunk: Buffer) => {
      this.#count(chunk.length);
      if (!this.#reader.memory.isExceeded) return;
      req.off('data', onData);
      // On this event koa-bodyparser discards the chunks and rejects.
      req.emit('error', bodyMemoryExceeded());
    };
    req.on('data', onData);
  }

  #expectBody(): void {
    const req = this.#req;
    const { limitBytes } = this.#reader;
    if (req.readableDidRead) throw consumed();
    // koa-bodyparser truncates the length to 32 bits.
    if (Number(req.headers['content-length']) > limitBytes) throw contentTooLarge(limitBytes);
    // RFC 9110, section 10.1.1: HTTP/1.0 has no interim responses.
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') {
      this.#res.writeContinue();
    }
  }
}

/** Waiting for a stream that has ended would never end. */
function consumed(): Error {
  return new Error(
    'the request body was read by another middleware: expected koa-bodyparser, or a place before it',
  );
}

function hasArrived({ headers, readableLength }: IncomingMessage): boolean {
  return Number(headers['content-length']) === readableLength;
}

/**
 * A stream stand-in for a body that is already in the read buffer: it emits `data` and `end` when a
 * listener is added. Waiting for the request stream costs 5 % of a POST.
 */
class BufferedBody {
  readonly headers: IncomingHttpHeaders;
  readonly #bytes: Buffer;

  constructor(req: IncomingMessage) {
    this.headers = req.headers;
    this.#bytes = req.read() ?? NO_BYTES;
    // Consumes the end of the stream.
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
