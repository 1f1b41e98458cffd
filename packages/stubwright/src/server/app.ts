// The Koa application: one middleware that passes each request to the engine and sends the response.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import Koa from 'koa';
import type { Engine, EngineResponse } from '../engine/engine.ts';
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
  /** Fallback for paths that are not in the contract; resolves to undefined for other paths. */
  readonly fallback?: ((request: HttpRequest) => Promise<EngineResponse | undefined>) | undefined;
  readonly events: ServiceEmitter;
  /** @returns the error for a request that is shed under load; undefined to accept the request */
  readonly shed?: ((req: IncomingMessage) => Problem | undefined) | undefined;
  /** Maximum size of one request body. */
  readonly bodyLimitBytes: number;
  /** Maximum total size of the request bodies that are being read or handled. */
  readonly bodyMemoryBytes: number;
  /** True during shutdown: each response then closes its connection. */
  readonly isStopping: () => boolean;
}

/** RFC 9110, section 7.2: a host and an optional port, without user, path or white space. */
const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** Up to this size, discarding the body of a rejected request costs less than a new connection. */
const DISCARDED_BODY_BYTES = 64 * 1024;

/** Koa without its own response handling. */
class ContractApp extends Koa {
  // Koa's implementation also attaches on-finished to each response: 10 % of the time of a request.
  handleRequest(ctx: Koa.Context, respond: (ctx: Koa.Context) => Promise<void>): Promise<void> {
    return respond(ctx).catch((error) => ctx.onerror(error));
  }
}

/** @returns a Koa application; all its responses come from the engine, `fallback` or HTTP validation */
export function createApp({ engine, fallback, events, ...options }: AppOptions): Koa {
  const app = new ContractApp();
  const reader = bodyReader(options.bodyLimitBytes, options.bodyMemoryBytes);
  const idPrefix = randomBytes(6).toString('base64url');
  let requestCount = 0;
  app.silent = true;
  app.on('error', (error) => events.emit('connectionFailed', error));
  app.use(async (ctx) => {
    ctx.respond = false;
    const startedAt = performance.now();
    const overload = options.shed?.(ctx.req);
    const rejection = overload === undefined ? headerError(ctx.req) : errorResponse(overload);
    const body = new KoaBody(ctx, reader);
    const exchange = new Exchange(headOf(ctx.req), body);
    let response = rejection ?? serverOptions(ctx.req) ?? (await engine.handle(exchange));
    if (isUnknownPath(response)) response = (await fallback?.(exchange)) ?? response;
    body.release();
    send(ctx.req, ctx.res, response, options.isStopping());
    const elapsedMs = performance.now() - startedAt;
    requestCount++;
    if (events.listenerCount('responded') > 0) {
      const id = `${idPrefix}-${requestCount}`;
      events.emit('responded', sentResponse(id, ctx.req, response, elapsedMs));
    }
  });
  return app;
}

function headOf({ method = '', url = '', headers, socket }: IncomingMessage): HttpRequest {
  return { method, url, headers, address: socket.remoteAddress };
}

function isUnknownPath({ status, route }: EngineResponse): boolean {
  return status === 404 && route === undefined;
}

function headerError(req: IncomingMessage): EngineResponse | undefined {
  const { headers, httpVersion } = req;
  const codings = headers['transfer-encoding'];
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return closingError(versionNotSupported());
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return closingError(malformedHttp('expected a Host header'));
    if (!/^100-continue$/i.test(headers.expect ?? '100-continue')) {
      return closingError(expectationFailed());
    }
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return closingError(malformedHttp('expected a host in the Host header'));
  }
  // RFC 9112, section 6.1: HTTP/1.0 has no Transfer-Encoding, so such a request has faulty framing.
  if (codings !== undefined && (httpVersion !== '1.1' || !/^chunked$/i.test(codings))) {
    return closingError(
      httpVersion === '1.1' && /(?:^|,)[ \t]*chunked$/i.test(codings)
        ? notImplemented('Transfer-Encoding chunked or none')
        : malformedHttp('expected Transfer-Encoding chunked or none'),
    );
  }
  return repeatedHeader(req);
}

function repeatedHeader({ rawHeaders }: IncomingMessage): EngineResponse | undefined {
  let host = 0;
  let authorization = 0;
  let contentType = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Fast path: most header names have another length.
    const { length } = rawHeaders[at]!;
    if (length !== 4 && length !== 12 && length !== 13) continue;
    const name = rawHeaders[at]!.toLowerCase();
    if (name === 'host') host++;
    else if (name === 'authorization') authorization++;
    else if (name === 'content-type') contentType++;
  }
  if (host > 1) return closingError(malformedHttp('expected one Host header'));
  if (authorization > 1) return closingError(malformedHttp('expected one Authorization header'));
  return contentType > 1
    ? closingError(malformedHttp('expected one Content-Type header'))
    : undefined;
}

function closingError(problem: Problem): EngineResponse {
  return errorResponse(problem, { Connection: 'close' });
}

function errorResponse(problem: Problem, headers: Record<string, string> = {}): EngineResponse {
  return {
    status: problem.status,
    headers: { ...problem.headers, ...headers, 'Content-Type': 'application/json' },
    body: problem.toBody(),
    route: undefined,
    cause: undefined,
  };
}

const NO_SNIFF = { 'X-Content-Type-Options': 'nosniff' };

/** `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7). */
const SERVER_OPTIONS: EngineResponse = {
  status: 204,
  headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
  body: undefined,
  route: undefined,
  cause: undefined,
};

function serverOptions({ method, url }: IncomingMessage): EngineResponse | undefined {
  return method === 'OPTIONS' && url === '*' ? SERVER_OPTIONS : undefined;
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: EngineResponse,
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

/** A stream that fails destroys the connection: the client must not take a partial body for a complete one. */
function pipeBody(body: Readable, { method }: IncomingMessage, res: ServerResponse): void {
  if (method !== 'HEAD') {
    pipeline(body, res, () => {});
    return;
  }
  body.destroy();
  res.end();
}

/** True for a body whose unread rest is discarded, with the connection kept open. */
function isSmall({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= DISCARDED_BODY_BYTES;
}

function sentResponse(
  id: string,
  { method }: IncomingMessage,
  { operationId, route, status, body, cause, traceId }: EngineResponse,
  elapsedMs: number,
): SentResponse {
  const isCounted = body !== undefined && method !== 'HEAD' && !(body instanceof Readable);
  const bytes = isCounted ? Buffer.byteLength(body) : 0;
  const durationMs = Math.round(elapsedMs * 1000) / 1000;
  return { id, method, route, operationId, status, durationMs, bytes, traceId, cause };
}
