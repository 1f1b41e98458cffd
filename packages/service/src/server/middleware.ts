// Koa middleware around the engine: it may respond itself, and change the response of the engine.

import type { IncomingMessage } from 'node:http';
import { errorFrom, internalError, Problem, unknownPath } from '@stubwright/contract';
import type { Context, Middleware, Next } from 'koa';
import type { BodyLimits, ContextRequest, EngineResponse, Exchange } from 'stubwright/internals';
import {
  hasResponse,
  type KoaBody,
  parsedBody,
  responseOf,
  setResponse,
} from 'stubwright/koa-internals';

/** The response of the engine, or of a fallback. */
export type HandleRequest = (exchange: Exchange, req: IncomingMessage) => Promise<EngineResponse>;

interface Step {
  readonly exchange: Exchange<Context>;
  /** Undefined if middleware has not called the engine. */
  response: EngineResponse | undefined;
}

const steps = new WeakMap<Context, Step>();

/** Calls the middleware, with {@link engineMiddleware} as its last. @throws the error of a middleware */
export async function throughMiddleware(
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
export function engineMiddleware(handle: HandleRequest, limits: BodyLimits): Middleware {
  return async (ctx) => {
    const step = steps.get(ctx)!;
    const { exchange } = step;
    exchange.body = parsedBody(ctx.request, exchange.body as KoaBody, limits) ?? exchange.body;
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
export function problemOfMiddleware(ctx: Context, thrown: unknown): Problem {
  if (!ctx.res.headersSent) for (const name of ctx.res.getHeaderNames()) ctx.remove(name);
  if (thrown instanceof Problem) return thrown;
  const error: HttpError = errorFrom(thrown);
  const { status, expose, headers = {} } = error;
  if (expose === true && typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem(status, error.message, { headers: headers as Record<string, string> });
  }
  return internalError(undefined, error);
}
