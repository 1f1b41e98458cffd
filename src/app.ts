// The Koa application: one middleware that hands a request to the contract's engine, writes its
// answer and logs one line. Knows HTTP; knows no operation, no plant, no token.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import Koa, { type Context, type Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import type { Answer, Engine } from './contract/engine.ts';
import type { HttpRequest } from './contract/exchange.ts';
import {
  contentTooLarge,
  expectationFailed,
  malformedHttp,
  type Problem,
} from './contract/problem.ts';
import type { Log } from './log.ts';

export interface AppOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** The most bytes that a request body may have. */
  readonly bodyLimitBytes: number;
  /** How long a refused sender may go on before its connection is cut. */
  readonly lingerMs: number;
  /** True once the service is stopping: answers then close their connection. */
  readonly isStopping: () => boolean;
}

/** Two of these would leave open which one is meant. */
const SINGLE_HEADERS = new Set(['host', 'authorization', 'content-type']);

/** A refused request's body up to this size costs less to drop than a new connection. */
const DROPPED_BODY_BYTES = 64 * 1024;

export function createApp({ engine, log, ...options }: AppOptions): Koa {
  const app = new Koa();
  const readBody = bodyReader(options.bodyLimitBytes);
  const run = randomBytes(6).toString('base64url');
  let requests = 0;
  app.silent = true;
  app.on('error', (error) => log.debug({ err: error }, 'connection'));
  app.use(async (ctx) => {
    ctx.respond = false;
    const startedAt = performance.now();
    const fault = headerFault(ctx.req);
    const answer =
      fault ?? (await engine.handle(new KoaRequest(ctx, readBody, options.bodyLimitBytes)));
    send(ctx.req, ctx.res, answer, options);
    logAnswer(log, `${run}-${++requests}`, ctx.req, answer, performance.now() - startedAt);
  });
  return app;
}

/** A Koa context as the engine wants it. */
class KoaRequest implements HttpRequest {
  readonly #ctx: Context;
  readonly #readBody: (ctx: Context) => Promise<Buffer>;
  readonly #limitBytes: number;

  constructor(ctx: Context, readBody: (ctx: Context) => Promise<Buffer>, limitBytes: number) {
    this.#ctx = ctx;
    this.#readBody = readBody;
    this.#limitBytes = limitBytes;
  }

  get method(): string {
    return this.#ctx.req.method ?? '';
  }

  get url(): string {
    return this.#ctx.req.url ?? '';
  }

  get headers(): IncomingHttpHeaders {
    return this.#ctx.req.headers;
  }

  readBody(): Promise<Buffer> {
    this.#continue();
    // Judged by the engine already; koa-bodyparser knows `identity` in lower case only.
    delete this.#ctx.req.headers['content-encoding'];
    return this.#readBody(this.#ctx);
  }

  stream(): Readable {
    this.#continue();
    const bounded = boundedBy(this.#limitBytes);
    this.#ctx.req.on('error', (error) => bounded.destroy(error)).pipe(bounded);
    return bounded;
  }

  #continue(): void {
    const { req, res } = this.#ctx;
    if (req.headers.expect !== undefined) res.writeContinue();
  }
}

/** Passes bytes on until they are too many. */
function boundedBy(limitBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > limitBytes) done(contentTooLarge(limitBytes));
      else done(null, chunk);
    },
  });
}

/** koa-bodyparser, made to give the bytes: as text it would repair what is not UTF-8. */
function bodyReader(limitBytes: number): (ctx: Context) => Promise<Buffer> {
  const parse: Middleware = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(limitBytes),
    encoding: '',
    onerror(error: Error & { type?: string }) {
      if (error.type === 'entity.too.large') throw contentTooLarge(limitBytes);
      if (error.type === 'request.aborted') throw malformedHttp('the request ended early');
      throw error;
    },
  });
  return async (ctx) => {
    await parse(ctx, async () => {});
    const { body } = ctx.request;
    return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  };
}

function headerFault({ rawHeaders, headers, httpVersion }: IncomingMessage): Answer | undefined {
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return refusal(malformedHttp('expected a Host header'));
    if (!/^100-continue$/i.test(headers.expect ?? '100-continue')) {
      return refusal(expectationFailed());
    }
  }
  let seen = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.includes(name)) return refusal(malformedHttp(`expected one ${name} header`));
    seen += name;
  }
  return undefined;
}

function refusal(problem: Problem): Answer {
  return {
    status: problem.status,
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: problem.toBody(),
    route: undefined,
    cause: undefined,
  };
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: Answer,
  { lingerMs, isStopping }: Pick<AppOptions, 'lingerMs' | 'isStopping'>,
): void {
  const isStream = body instanceof Readable;
  const length =
    isStream || body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const mustLinger = !req.complete && !isSmall(req);
  const connection = isStopping() || mustLinger ? { Connection: 'close' } : {};
  res.writeHead(status, { ...headers, ...length, ...connection });
  if (isStream) pipeBody(body, req, res);
  else if (mustLinger) endLingering(req, res, body, lingerMs);
  else res.end(body);
}

/** A body that fails on its way cuts the connection: its end must not look like one. */
function pipeBody(body: Readable, { method }: IncomingMessage, res: ServerResponse): void {
  if (method !== 'HEAD') {
    pipeline(body, res, () => {});
    return;
  }
  body.destroy();
  res.end();
}

/** The rest of such a body is dropped as it arrives, and the connection stays. */
function isSmall({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= DROPPED_BODY_BYTES;
}

/**
 * Ends an answer whose request is still arriving. Closing at once would reset the connection before
 * the client reads the answer; so its bytes are dropped for a while first.
 */
function endLingering(
  req: IncomingMessage,
  res: ServerResponse,
  body: string | Uint8Array | undefined,
  lingerMs: number,
): void {
  if (body === undefined) res.flushHeaders();
  else res.write(body);
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, lingerMs);
  req.once('end', end).once('close', end).resume();
}

function logAnswer(
  log: Log,
  id: string,
  { method }: IncomingMessage,
  { route, status, body, cause }: Answer,
  elapsedMs: number,
): void {
  const isCounted = body !== undefined && method !== 'HEAD' && !(body instanceof Readable);
  const bytes = isCounted ? Buffer.byteLength(body) : 0;
  const durationMs = Math.round(elapsedMs * 1000) / 1000;
  const line = { id, method, route, status, durationMs, bytes };
  if (cause === undefined) log.info(line, 'request');
  else if (status === 503) log.warn({ ...line, err: cause }, 'request');
  else log.error({ ...line, err: cause }, 'request');
}
