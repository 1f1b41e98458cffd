// The Koa application: one middleware that hands a request to the contract's engine and writes its
// answer. Knows HTTP; knows no operation and no token.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import Koa from 'koa';
import type { Answer, Engine } from '../engine/engine.ts';
import {
  expectationFailed,
  malformedHttp,
  notImplemented,
  type Problem,
  versionNotSupported,
} from '../errors/problem.ts';
import type { SentResponse, ServiceEmitter } from '../operations/events.ts';
import { Exchange, type HttpRequest } from '../request/exchange.ts';
import { bodyReader, KoaBody } from './koaBody.ts';

export interface AppOptions {
  readonly engine: Engine;
  /** Asked for paths that the contract does not know; undefined where it knows none either. */
  readonly beside?: ((request: HttpRequest) => Promise<Answer | undefined>) | undefined;
  readonly events: ServiceEmitter;
  /** @returns why a request is refused before anything is asked of it, if it is */
  readonly shed?: ((req: IncomingMessage) => Problem | undefined) | undefined;
  /** The most bytes that a request body may have. */
  readonly bodyLimitBytes: number;
  /** The most bytes that all request bodies may have that are being read or handled. */
  readonly bodyMemoryBytes: number;
  /** True once the service is stopping: answers then close their connection. */
  readonly isStopping: () => boolean;
}

/** RFC 9110, section 7.2: a host and perhaps a port, without user, path or white space. */
const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** A refused request's body up to this size costs less to drop than a new connection. */
const DROPPED_BODY_BYTES = 64 * 1024;

/** Koa without what it does for answers that middleware leaves to it: here nothing is left to it. */
class ContractApp extends Koa {
  // Koa's own also watches each response for its end (on-finished), a tenth of a request's time.
  handleRequest(ctx: Koa.Context, respond: (ctx: Koa.Context) => Promise<void>): Promise<void> {
    return respond(ctx).catch((error) => ctx.onerror(error));
  }
}

export function createApp({ engine, beside, events, ...options }: AppOptions): Koa {
  const app = new ContractApp();
  const reader = bodyReader(options.bodyLimitBytes, options.bodyMemoryBytes);
  const run = randomBytes(6).toString('base64url');
  let requests = 0;
  app.silent = true;
  app.on('error', (error) => events.emit('connectionFailed', error));
  app.use(async (ctx) => {
    ctx.respond = false;
    const startedAt = performance.now();
    const overload = options.shed?.(ctx.req);
    const refused = overload === undefined ? headerError(ctx.req) : answerOf(overload);
    const body = new KoaBody(ctx, reader);
    const exchange = new Exchange(headOf(ctx.req), body);
    let answer = refused ?? serverOptions(ctx.req) ?? (await engine.handle(exchange));
    if (isUnknownPath(answer)) answer = (await beside?.(exchange)) ?? answer;
    body.release();
    send(ctx.req, ctx.res, answer, options.isStopping());
    const elapsedMs = performance.now() - startedAt;
    requests++;
    if (events.listenerCount('responded') > 0) {
      events.emit('responded', sentResponse(`${run}-${requests}`, ctx.req, answer, elapsedMs));
    }
  });
  return app;
}

function headOf({ method = '', url = '', headers, socket }: IncomingMessage): HttpRequest {
  return { method, url, headers, address: socket.remoteAddress };
}

function isUnknownPath({ status, route }: Answer): boolean {
  return status === 404 && route === undefined;
}

function headerError(req: IncomingMessage): Answer | undefined {
  const { headers, httpVersion } = req;
  const codings = headers['transfer-encoding'];
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusal(versionNotSupported());
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return refusal(malformedHttp('expected a Host header'));
    if (!/^100-continue$/i.test(headers.expect ?? '100-continue')) {
      return refusal(expectationFailed());
    }
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return refusal(malformedHttp('expected a host in the Host header'));
  }
  // RFC 9112, section 6.1: codings are named in full, and HTTP/1.0 knows none.
  if (codings !== undefined && (httpVersion !== '1.1' || !/^chunked$/i.test(codings))) {
    // A request of HTTP/1.0 with Transfer-Encoding has faulty framing (RFC 9112, section 6.1).
    return refusal(
      httpVersion === '1.1' && /(?:^|,)[ \t]*chunked$/i.test(codings)
        ? notImplemented('Transfer-Encoding chunked or none')
        : malformedHttp('expected Transfer-Encoding chunked or none'),
    );
  }
  return doubledHeader(req);
}

function doubledHeader({ rawHeaders }: IncomingMessage): Answer | undefined {
  let host = 0;
  let authorization = 0;
  let contentType = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Most names differ in their length already.
    const { length } = rawHeaders[at]!;
    if (length !== 4 && length !== 12 && length !== 13) continue;
    const name = rawHeaders[at]!.toLowerCase();
    if (name === 'host') host++;
    else if (name === 'authorization') authorization++;
    else if (name === 'content-type') contentType++;
  }
  if (host > 1) return refusal(malformedHttp('expected one Host header'));
  if (authorization > 1) return refusal(malformedHttp('expected one Authorization header'));
  return contentType > 1 ? refusal(malformedHttp('expected one Content-Type header')) : undefined;
}

function refusal(problem: Problem): Answer {
  return answerOf(problem, { Connection: 'close' });
}

function answerOf(problem: Problem, headers: Record<string, string> = {}): Answer {
  return {
    status: problem.status,
    headers: { ...problem.headers, ...headers, 'Content-Type': 'application/json' },
    body: problem.toBody(),
    route: undefined,
    cause: undefined,
  };
}

const NO_SNIFF = { 'X-Content-Type-Options': 'nosniff' };

/** `OPTIONS *` asks for what the server takes, not a resource (RFC 9110, section 9.3.7). */
const SERVER_OPTIONS: Answer = {
  status: 204,
  headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
  body: undefined,
  route: undefined,
  cause: undefined,
};

function serverOptions({ method, url }: IncomingMessage): Answer | undefined {
  return method === 'OPTIONS' && url === '*' ? SERVER_OPTIONS : undefined;
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: Answer,
  isStopping: boolean,
): void {
  const isStream = body instanceof Readable;
  const length =
    isStream || body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const isUnread = !req.complete && !isSmall(req);
  const closes = isStopping || isUnread || status === 413;
  const connection = closes ? { Connection: 'close' } : {};
  res.writeHead(status, { ...NO_SNIFF, ...headers, ...length, ...connection });
  if (isStream) pipeBody(body, req, res);
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

function sentResponse(
  id: string,
  { method }: IncomingMessage,
  { operationId, route, status, body, cause, traceId }: Answer,
  elapsedMs: number,
): SentResponse {
  const isCounted = body !== undefined && method !== 'HEAD' && !(body instanceof Readable);
  const bytes = isCounted ? Buffer.byteLength(body) : 0;
  const durationMs = Math.round(elapsedMs * 1000) / 1000;
  return { id, method, route, operationId, status, durationMs, bytes, traceId, cause };
}
