// The Koa application: one middleware that passes each request to the engine and sends the response.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { errorFrom, internalError, Problem, unknownPath } from '@stubwright/contract';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import {
  type BodyLimits,
  bodyLimits,
  type ContextRequest,
  type Engine,
  type EngineResponse,
  Exchange,
  type HttpRequest,
  type HttpResponse,
  headerError,
  headOf,
  ItemStream,
  NodeBody,
  type Principal,
  type RequestLog,
  sendResponse,
  sendsEvents,
} from 'stubwright/internals';
import {
  hasResponse,
  koaCollector,
  parsedBody,
  responseOf,
  setResponse,
} from 'stubwright/koa-internals';
import type { SentResponse, ServiceEmitter } from '../operations/events.ts';
import type { Limits } from './server.ts';

interface AppOptions {
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
  const collect = koaCollector(limits);
  app.silent = true;
  app.on('error', (error) => events.emit('connectionFailed', error));
  const report = (error: Error) => events.emit('internalError', error);
  const handle: HandleRequest = async (exchange, req) => {
    // `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7).
    if (req.url === '*' && req.method === 'OPTIONS') return SERVER_OPTIONS;
    const response = await engine.handle(exchange);
    if (response.status !== 404 || response.route !== undefined) return response;
    return (await fallback?.(exchange)) ?? response;
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
    const body = new NodeBody(ctx.req, ctx.res, limits, collect);
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

const SERVER_OPTIONS: EngineResponse = {
  status: 204,
  headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
  body: undefined,
  route: undefined,
  cause: undefined,
};

/** What is known after the body was sent. */
interface SentBody
  extends Pick<SentResponse, 'caller' | 'durationMs' | 'bytes' | 'items' | 'headMs'> {
  /** Of an item that was sent nevertheless. */
  readonly violation?: Error | undefined;
}

function sentResponse(
  id: string,
  { method }: IncomingMessage,
  response: EngineResponse,
  { violation, ...sent }: SentBody,
): SentResponse {
  const { operationId, route, status, cause: known, reason, traceId } = response;
  const { api, deprecated, version } = response;
  const cause = known ?? violation;
  return {
    ...{ id, method, route, operationId, status, ...sent, reason, traceId, cause },
    ...(api !== undefined && { api }),
    ...(deprecated !== undefined && { deprecated }),
    ...(version !== undefined && { version }),
  };
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

/** The response of the engine, or of a fallback. */
type HandleRequest = (exchange: Exchange, req: IncomingMessage) => Promise<EngineResponse>;

interface Step {
  readonly exchange: Exchange<Context>;
  /** Undefined if middleware has not called the engine. */
  response: EngineResponse | undefined;
}

const steps = new WeakMap<Context, Step>();

/** Calls the middleware, with {@link engineMiddleware} as its last. @throws the error of a middleware */
async function throughMiddleware(
  ctx: Context,
  exchange: Exchange<Context>,
  next: Next,
): Promise<EngineResponse> {
  const step: Step = { exchange, response: undefined };
  steps.set(ctx, step);
  // As Koa does.
  ctx.res.statusCode = 404;
  await next();
  if (step.response === undefined && !hasResponse(ctx)) throw unknownPath();
  const { route, cause, ...log } = step.response ?? NO_OPERATION;
  return { ...log, route, cause, ...responseOf(ctx) };
}

const NO_OPERATION = { route: undefined, cause: undefined };

/**
 * @param ctx the Koa context of a `middleware` of the service
 * @returns its request, with the id and the log of the handler; `operationId` and `principal` are
 *   undefined before `next()`
 * @throws TypeError for another Koa context
 */
export function requestOf(ctx: Context): ContextRequest<Context> {
  const step = steps.get(ctx);
  if (step === undefined)
    throw new TypeError('expected a Koa context of the middleware of a service');
  return step.exchange;
}

/** @returns middleware that sets the response of the engine */
function engineMiddleware(handle: HandleRequest, limits: BodyLimits): Middleware {
  return async (ctx) => {
    const step = steps.get(ctx)!;
    const { exchange } = step;
    exchange.body = parsedBody(ctx.request, exchange.body as NodeBody, limits) ?? exchange.body;
    step.response = await handle(exchange, ctx.req);
    setResponse(ctx, step.response);
  };
}

/** An error of `ctx.throw`. */
interface HttpError extends Error {
  readonly status?: unknown;
  readonly expose?: unknown;
  readonly headers?: unknown;
}

/**
 * Removes the headers that middleware has set.
 *
 * @returns the Problem itself, one for a 4xx of `ctx.throw`, or else an internal error
 */
function problemOfMiddleware(ctx: Context, thrown: unknown): Problem {
  if (!ctx.res.headersSent) for (const name of ctx.res.getHeaderNames()) ctx.remove(name);
  if (thrown instanceof Problem) return thrown;
  const error: HttpError = errorFrom(thrown);
  const { status, expose, headers = {} } = error;
  if (expose === true && typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem(status, error.message, { headers: headers as Record<string, string> });
  }
  return internalError(undefined, error);
}

const REASON = 'the service is stopping';

export class Draining {
  /** The requests whose signal is used, until their responses are sent. */
  readonly #requests = new Set<Exchange>();
  readonly #streams = new Set<() => void>();
  readonly #settleMs: number;
  readonly #abortMs: number;
  #isStarted = false;

  constructor({ settleMs, abortMs }: Limits) {
    this.#settleMs = settleMs;
    this.#abortMs = abortMs;
  }

  /** For Exchange: called when the signal of a request is first used. */
  readonly onSignal = (exchange: Exchange): void => {
    this.#requests.add(exchange);
    exchange.body.onClose?.(() => this.#requests.delete(exchange));
  };

  /** Registers a response that is being sent; only an event stream ends early. */
  add(exchange: Exchange, { headers, body }: HttpResponse, res: ServerResponse): void {
    if (!(body instanceof Readable) || !sendsEvents(headers)) return;
    const end = () => {
      exchange.abort(REASON);
      // Time for the last events of the handler.
      setTimeout(() => {
        if (body instanceof ItemStream) body.finish();
        else {
          body.unpipe(res).destroy();
          res.end();
        }
      }, this.#settleMs);
    };
    if (this.#isStarted) end();
    else {
      this.#streams.add(end);
      res.once('close', () => this.#streams.delete(end));
    }
  }

  start(): void {
    this.#isStarted = true;
    for (const end of this.#streams) end();
    setTimeout(() => {
      for (const exchange of this.#requests) exchange.abort(REASON);
    }, this.#abortMs).unref();
  }
}
