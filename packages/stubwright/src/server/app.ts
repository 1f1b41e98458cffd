// The Koa application: one middleware that passes each request to the engine and sends the response.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import Koa from 'koa';
import type { Engine, EngineResponse } from '../engine/engine.ts';
import {
  expectationFailed,
  malformedHttp,
  notImplemented,
  Problem,
  versionNotSupported,
} from '../errors/problem.ts';
import type { SentResponse, ServiceEmitter } from '../operations/events.ts';
import { bodyReader, NodeBody } from '../request/body/nodeBody.ts';
import { Exchange, type HttpRequest, headOf } from '../request/exchange.ts';
import { send } from './send.ts';

export interface AppOptions {
  readonly engine: Pick<Engine, 'handle' | 'reject'>;
  /** Fallback for paths that are not in the contract; resolves to undefined for other paths. */
  readonly fallback?: ((request: HttpRequest) => Promise<EngineResponse | undefined>) | undefined;
  readonly events: ServiceEmitter;
  /** @returns the error for a request that is shed under load; undefined to accept the request */
  readonly shed?: ((req: IncomingMessage) => Problem | undefined) | undefined;
  /** Maximum size of one request body. */
  readonly bodyLimitBytes: number;
  /** Maximum total size of the request bodies that are being read or handled. */
  readonly bodyMemoryBytes: number;
  /** During shutdown: resolves with true if the connection closes after this response. */
  readonly closesAfter: (response: ServerResponse) => Promise<boolean> | undefined;
}

/** RFC 9110, section 7.2: a host and an optional port, without user, path or white space. */
const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

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
    const body = new NodeBody(ctx.req, ctx.res, reader);
    const exchange = new Exchange(headOf(ctx.req), body);
    const rejection = options.shed?.(ctx.req) ?? headerError(ctx.req);
    let response =
      rejection === undefined
        ? (serverOptions(ctx.req) ?? (await engine.handle(exchange)))
        : await engine.reject(rejection, exchange);
    if (isUnknownPath(response)) response = (await fallback?.(exchange)) ?? response;
    body.release();
    const closing = options.closesAfter(ctx.res);
    send(ctx.req, ctx.res, response, closing !== undefined && (await closing));
    const elapsedMs = performance.now() - startedAt;
    requestCount++;
    if (events.listenerCount('responded') > 0) {
      const id = `${idPrefix}-${requestCount}`;
      events.emit('responded', sentResponse(id, ctx.req, response, elapsedMs));
    }
  });
  return app;
}

function isUnknownPath({ status, route }: EngineResponse): boolean {
  return status === 404 && route === undefined;
}

function headerError(req: IncomingMessage): Problem | undefined {
  const { headers, httpVersion } = req;
  const codings = headers['transfer-encoding'];
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return closing(versionNotSupported());
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return closing(malformedHttp('expected a Host header'));
    if (!/^100-continue$/i.test(headers.expect ?? '100-continue')) {
      return closing(expectationFailed());
    }
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return closing(malformedHttp('expected a host in the Host header'));
  }
  // RFC 9112, section 6.1: HTTP/1.0 has no Transfer-Encoding, so such a request has faulty framing.
  if (codings !== undefined && (httpVersion !== '1.1' || !/^chunked$/i.test(codings))) {
    return closing(
      httpVersion === '1.1' && /(?:^|,)[ \t]*chunked$/i.test(codings)
        ? notImplemented('Transfer-Encoding chunked or none')
        : malformedHttp('expected Transfer-Encoding chunked or none'),
    );
  }
  return repeatedHeader(req);
}

function repeatedHeader({ rawHeaders }: IncomingMessage): Problem | undefined {
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
  if (host > 1) return closing(malformedHttp('expected one Host header'));
  if (authorization > 1) return closing(malformedHttp('expected one Authorization header'));
  return contentType > 1 ? closing(malformedHttp('expected one Content-Type header')) : undefined;
}

/** The connection closes: the framing of further requests is uncertain. */
function closing(error: Problem): Problem {
  return new Problem(error.error, error.message, {
    headers: { ...error.headers, Connection: 'close' },
  });
}

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
