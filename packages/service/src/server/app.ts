// The Koa application: one middleware that passes each request to the engine and sends the response.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { errorFrom, internalError, Problem, unknownPath } from '@stubwright/contract';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import {
  type BodyLimits,
  bodyLimits,
  type ContextRequest,
  type EngineResponse,
  Exchange,
  type HttpRequest,
  headerError,
  headOf,
  ItemStream,
  NodeBody,
  originForm,
  type RequestLog,
  sendResponse,
} from 'stubwright/internals';
import {
  hasResponse,
  koaCollector,
  parsedBody,
  responseOf,
  setResponse,
} from 'stubwright/koa-internals';
import type { ActiveContract } from '../activeContract.ts';
import type { TokenSet } from '../operations/auth/tokens.ts';
import type { SentResponse, ServiceEmitter } from '../operations/events.ts';
import type { Shedding } from '../operations/shedding.ts';
import type { Draining, State } from '../resources.ts';
import type { Settings } from '../settings.ts';
import { type HttpServer, type Limits, listen } from './server.ts';

/** The contracts that a service serves. */
export class ServedApis {
  readonly #active: ActiveContract[];
  /** The longest base path first. */
  #byPrefix: ActiveContract[] = [];

  /** @throws {TypeError} for contracts with the same base path */
  constructor(active: readonly ActiveContract[]) {
    this.#active = [...active];
    this.#sort();
    const prefixes = active.map(({ prefix }) => prefix);
    const twice = prefixes.find((prefix, at) => prefixes.indexOf(prefix) !== at);
    if (twice === undefined) return;
    throw new TypeError(
      `apis: got two contracts with the base path ${twice || '/'}, expected another basePath for each`,
    );
  }

  get all(): readonly ActiveContract[] {
    return this.#active;
  }

  get first(): ActiveContract {
    return this.#active[0]!;
  }

  /** Replaces the first contract, the only one in development. */
  replaceFirst(active: ActiveContract): void {
    this.#active[0] = active;
    this.#sort();
  }

  /** @returns the contract with the operation of a request, or with its path */
  of(exchange: Exchange): ActiveContract {
    if (this.#active.length === 1) return this.#active[0]!;
    let ofPath: ActiveContract | undefined;
    for (const activeContract of this.#byPrefix) {
      const match = activeContract.engine.match(exchange);
      if (match === 'operation') return activeContract;
      if (match === 'path') ofPath ??= activeContract;
    }
    return ofPath ?? this.below(exchange);
  }

  /** @returns the contract whose base path is the start of the path, or else the first */
  below({ url }: Pick<HttpRequest, 'url'>): ActiveContract {
    if (this.#active.length === 1) return this.first;
    const [path = ''] = originForm(url).split('?');
    const isBelow = ({ prefix }: ActiveContract) =>
      path === prefix || path.startsWith(`${prefix}/`);
    return this.#byPrefix.find(isBelow) ?? this.first;
  }

  #sort(): void {
    this.#byPrefix = this.#active.toSorted((a, b) => b.prefix.length - a.prefix.length);
  }
}

interface AppOptions {
  readonly settings: Pick<Settings, 'bodyLimitBytes' | 'bodyMemoryBytes'>;
  readonly events: ServiceEmitter;
  readonly shedding: Pick<Shedding, 'rejection'>;
  readonly draining: Pick<Draining, 'onSignal' | 'add'>;
  /** The log of requests before the engine has them. */
  readonly log?: RequestLog;
  /** Koa middleware around the engine and the documentation. */
  readonly middleware?: readonly Middleware[] | undefined;
  readonly tokens: Pick<TokenSet, 'callerOf'>;
  readonly state: Pick<State, 'isStopping'>;
  /** Resolves with false if a further request has arrived on the connection of a response. */
  readonly isLast: HttpServer['isLast'];
}

interface Serving extends AppOptions {
  readonly settings: Settings;
  readonly bounds: Limits;
}

/** Listens with the engines and the documentation of the contracts, from which all responses come. */
export async function serve(
  apis: ServedApis,
  serving: Omit<Serving, 'isLast'>,
): Promise<HttpServer> {
  const { settings, events, bounds } = serving;
  const app = createApp(apis, { ...serving, isLast: (response) => server.isLast(response) });
  const server = await listen(app.callback(), {
    host: settings.host,
    port: settings.port,
    maxConnections: settings.connectionLimit,
    maxConnectionsPerAddress: settings.connectionLimitPerAddress,
    events,
    bounds,
    errorResponse: (error) => apis.first.engine.reject(error),
  });
  return server;
}

/** Koa without its own response handling. */
class ContractApp extends Koa {
  // Koa's implementation also attaches on-finished to each response: 10 % of the time of a request.
  handleRequest(ctx: Koa.Context, respond: (ctx: Koa.Context) => Promise<void>): Promise<void> {
    return respond(ctx).catch((error) => ctx.onerror(error));
  }
}

/** The contract that a request belongs to. */
interface Apis {
  of(exchange: Exchange): Pick<ActiveContract, 'engine'>;
  below(request: HttpRequest): Pick<ActiveContract, 'docs'>;
}

export function createApp(
  apis: Apis,
  { settings, events, shedding, draining, log, middleware = [], tokens, ...closing }: AppOptions,
): Koa {
  const app = new ContractApp();
  const limits = bodyLimits(settings.bodyLimitBytes, settings.bodyMemoryBytes);
  const collect = koaCollector(limits);
  app.silent = true;
  app.on('error', (error) => events.emit('connectionFailed', error));
  const report = (error: Error) => events.emit('internalError', error);
  const handle: HandleRequest = async (exchange, req) => {
    // `OPTIONS *` applies to the server as a whole (RFC 9110, section 9.3.7).
    if (req.url === '*' && req.method === 'OPTIONS') return SERVER_OPTIONS;
    const response = await apis.of(exchange).engine.handle(exchange);
    if (response.status !== 404 || response.route !== undefined) return response;
    return (await apis.below(exchange).docs?.respond(exchange)) ?? response;
  };
  const respond = async (ctx: Koa.Context, exchange: Exchange<Koa.Context>, next: Koa.Next) => {
    const reject = (error: Problem) => apis.of(exchange).engine.reject(error, exchange);
    try {
      const rejection = shedding.rejection(ctx.req) ?? headerError(ctx.req);
      if (rejection !== undefined) return await reject(rejection);
      return await (middleware.length > 0
        ? throughMiddleware(ctx, exchange, next)
        : handle(exchange, ctx.req));
    } catch (error) {
      return reject(problemOfMiddleware(ctx, error));
    }
  };
  app.use(async (ctx, next) => {
    ctx.respond = false;
    const startedAt = performance.now();
    const body = new NodeBody(ctx.req, ctx.res, limits, collect);
    const exchange = new Exchange<Koa.Context>(headOf(ctx.req), body, ctx);
    exchange.onSignal = draining.onSignal;
    exchange.parentLog = log;
    const response = await respond(ctx, exchange, next);
    body.release();
    const closes = closing.state.isStopping && (await closing.isLast(ctx.res));
    sendResponse(ctx.req, ctx.res, response, closes, report);
    const headMs = elapsed(startedAt);
    const emit = (sent: Pick<SentResponse, 'durationMs' | 'bytes' | 'items' | 'headMs'>) => {
      const { method } = ctx.req;
      const { operationId, route, status, reason, traceId, api, deprecated, version } = response;
      const caller = tokens.callerOf(exchange.principal);
      // A stream may have an item that was sent nevertheless.
      const cause = response.cause ?? exchange.violation;
      events.emit('responded', {
        ...{ id: exchange.requestId, method, route, operationId, status, ...sent, reason, traceId },
        ...{ cause, api, caller, deprecated, version },
      });
    };
    if (response.body instanceof Readable) {
      draining.add(exchange, response, ctx.res);
      const bytes = countBytes(response.body);
      ctx.res.once('close', () => {
        const items = response.body instanceof ItemStream ? response.body.count : undefined;
        emit({ durationMs: elapsed(startedAt), bytes: bytes(), headMs, items });
      });
    } else {
      const bytes = ctx.req.method === 'HEAD' ? 0 : Buffer.byteLength(response.body ?? '');
      emit({ durationMs: headMs, bytes });
    }
  });
  for (const added of middleware) app.use(added);
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
