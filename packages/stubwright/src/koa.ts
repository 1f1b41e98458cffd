// Koa middleware for a contract.
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Contract } from './engine/contract.ts';
import type { EngineResponse } from './engine/engine.ts';
import { contentTooLarge } from './errors/problem.ts';
import { NodeBody } from './request/body/nodeBody.ts';
import { type BodySource, Exchange } from './request/exchange.ts';

export interface KoaOptions {
  /**
   * For a request that matches no operation: `next` (default) calls the next middleware, and sends 405
   * or the response to OPTIONS only if that sent nothing; `respond` sends 404 or 405.
   */
  readonly unmatched?: 'next' | 'respond' | undefined;
}

/**
 * Returns middleware that responds through `ctx.status` and `ctx.body`, so that outer middleware may
 * change the response. It may stand before or after koa-bodyparser. After it, invalid UTF-8 is not
 * detected. The cause of a 5xx response is emitted as the `error` event of the application.
 */
export function koaMiddleware(
  contract: Contract<Context>,
  { unmatched = 'next' }: KoaOptions = {},
): Middleware {
  return async (ctx, next) => {
    const { method, url, headers, ip: address } = ctx;
    const own = new NodeBody(ctx.req, ctx.res, contract.bodies);
    const body = parsedBody(ctx, contract.bodies.limitBytes) ?? own;
    const exchange = new Exchange<Context>({ method, url, headers, address }, body, ctx);
    const match = contract.match(exchange);
    if (unmatched === 'next' && match !== 'operation') {
      await next();
      if (match === undefined || hasResponse(ctx)) return;
    }
    const response = await contract.handle(exchange);
    own.release();
    send(ctx, response);
  };
}

/** @returns the body that koa-bodyparser has read; undefined if the request has none or is unread */
function parsedBody({ request }: Context, limitBytes: number): BodySource | undefined {
  const { rawBody } = request as { readonly rawBody?: string };
  if (rawBody === undefined) return undefined;
  const read = () => {
    const bytes = Buffer.from(rawBody);
    if (bytes.length > limitBytes) throw contentTooLarge(limitBytes);
    return bytes;
  };
  return { readBody: async () => read(), stream: () => Readable.from([read()]) };
}

function hasResponse({ status, body }: Context): boolean {
  return status !== 404 || (body !== undefined && body !== null);
}

function send(ctx: Context, { status, headers, body, cause }: EngineResponse): void {
  ctx.status = status;
  if (body === undefined) {
    ctx.body = '';
    ctx.remove('Content-Type');
  } else {
    const isView = ArrayBuffer.isView(body);
    ctx.body = isView ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
  }
  ctx.set(headers);
  if (status >= 500 && cause instanceof Error) ctx.app.emit('error', cause, ctx);
}
