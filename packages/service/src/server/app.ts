// The Koa application: one middleware that passes each request to the engine and sends the response.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Problem } from '@stubwright/contract';
import Koa, { type Middleware } from 'koa';
import {
  bodyLimits,
  type Engine,
  type EngineResponse,
  Exchange,
  type HttpRequest,
  headerError,
  headOf,
  ItemStream,
  type Principal,
  type RequestLog,
  sendResponse,
} from 'stubwright/internals';
import { bodyParserFor, KoaBody } from 'stubwright/koa-internals';
import type { SentResponse, ServiceEmitter } from '../operations/events.ts';
import type { Draining } from './draining.ts';
import {
  engineMiddleware,
  type HandleRequest,
  problemOfMiddleware,
  throughMiddleware,
} from './middleware.ts';

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
  /** Koa middleware around the engine and `fallback`; none by default. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** The log of requests before the engine has them. */
  readonly log?: RequestLog | undefined;
  /** @returns the name of a caller for log and metrics; undefined for none */
  readonly callerOf?: ((principal: Principal | undefined) => string | undefined) | undefined;
  /** Aborts the signals of requests at a shutdown. */
  readonly draining?: Draining | undefined;
  /** During shutdown: resolves with true if the connection closes after this response. */
  readonly closesAfter: (response: ServerResponse) => Promise<boolean> | undefined;
}

/** Koa without its own response handling. */
class ContractApp extends Koa {
  // Koa's implementation also attaches on-finished to each response: 10 % of the time of a request.
  handleRequest(ctx: Koa.Context, respond: (ctx: Koa.Context) => Promise<void>): Promise<void> {
    return respond(ctx).catch((error) => ctx.onerror(error));
  }
}

/** @returns a Koa application; all its responses come from the engine, `fallback` or HTTP validation */
export function createApp({ engine, fallback, events, draining, ...options }: AppOptions): Koa {
  const app = new ContractApp();
  const { middleware = [] } = options;
  const limits = bodyLimits(options.bodyLimitBytes, options.bodyMemoryBytes);
  const parse = bodyParserFor(limits);
  app.silent = true;
  app.on('error', (error) => events.emit('connectionFailed', error));
  const report = (error: Error) => events.emit('internalError', error);
  const handle: HandleRequest = async (exchange, req) => {
    const response = serverOptions(req) ?? (await engine.handle(exchange));
    return isUnknownPath(response) ? ((await fallback?.(exchange)) ?? response) : response;
  };
  const respond = async (ctx: Koa.Context, exchange: Exchange<Koa.Context>, next: Koa.Next) => {
    try {
      const rejection = options.shed?.(ctx.req) ?? headerError(ctx.req);
      if (rejection !== undefined) return await engine.reject(rejection, exchange);
      return await (middleware.length > 0
        ? throughMiddleware(ctx, exchange, next)
        : handle(exchange, ctx.req));
    } catch (error) {
      return engine.reject(problemOfMiddleware(ctx, error), exchange);
    }
  };
  app.use(async (ctx, next) => {
    ctx.respond = false;
    const startedAt = performance.now();
    const body = new KoaBody(ctx.req, ctx.res, limits, parse);
    const exchange = new Exchange<Koa.Context>(headOf(ctx.req), body, ctx);
    exchange.onSignal = draining?.onSignal;
    exchange.parentLog = options.log;
    const response = await respond(ctx, exchange, next);
    body.release();
    const closing = options.closesAfter(ctx.res);
    sendResponse(ctx.req, ctx.res, response, closing !== undefined && (await closing), report);
    if (response.body instanceof Readable) draining?.add(exchange, response, ctx.res);
    if (events.listenerCount('responded') === 0) return;
    const headMs = elapsed(startedAt);
    const emit = (sent: SentBody) => {
      const caller = options.callerOf?.(exchange.principal);
      const by = caller === undefined ? sent : { ...sent, caller };
      events.emit('responded', sentResponse(exchange.requestId, ctx.req, response, by));
    };
    if (response.body instanceof Readable) {
      const bytes = countBytes(response.body);
      ctx.res.once('close', () => {
        const { violation } = exchange;
        const items = response.body instanceof ItemStream ? { items: response.body.count } : {};
        emit({ durationMs: elapsed(startedAt), bytes: bytes(), headMs, ...items, violation });
      });
    } else emit({ durationMs: headMs, bytes: sizeOf(response, ctx.req) });
  });
  for (const each of middleware) app.use(each);
  if (middleware.length > 0) app.use(engineMiddleware(handle, limits));
  return app;
}

function isUnknownPath({ status, route }: EngineResponse): boolean {
  return status === 404 && route === undefined;
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

/** What is known after the body was sent. */
interface SentBody
  extends Pick<SentResponse, 'caller' | 'durationMs' | 'bytes' | 'items' | 'headMs'> {
  /** Of an item that was sent nevertheless. */
  readonly violation?: Error | undefined;
}

function sentResponse(
  id: string,
  { method }: IncomingMessage,
  { api, operationId, route, status, cause: known, reason, traceId, deprecated }: EngineResponse,
  { violation, ...sent }: SentBody,
): SentResponse {
  const cause = known ?? violation;
  const named = api === undefined ? sent : { ...sent, api };
  const response = { id, method, route, operationId, status, ...named, reason, traceId, cause };
  return deprecated === undefined ? response : { ...response, deprecated };
}

/** Starts to count. @returns a function that returns the number of bytes until now */
function countBytes(body: Readable): () => number {
  if (body instanceof ItemStream) return () => body.bytes;
  let bytes = 0;
  // The body is already piped.
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  return () => bytes;
}

function sizeOf({ body }: EngineResponse, { method }: IncomingMessage): number {
  const isCounted = body !== undefined && method !== 'HEAD' && !(body instanceof Readable);
  return isCounted ? Buffer.byteLength(body) : 0;
}

/** @returns milliseconds with three decimals */
function elapsed(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}
