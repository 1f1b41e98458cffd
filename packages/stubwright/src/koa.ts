// Koa middleware for an API.
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { contentTooLarge } from './errors/problem.ts';
import { errorFrom } from './errors/thrown.ts';
import type { BodySource } from './media/bodySource.ts';
import { type Api, internals } from './pipeline/api.ts';
import type { EngineResponse } from './pipeline/engineResponse.ts';
import { bodyParserFor, KoaBody } from './request/body/koaBody.ts';
import type { BodyLimits } from './request/body/nodeBody.ts';
import { Exchange } from './request/exchange.ts';

/** Options of koaMiddleware. */
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
  api: Api<Context>,
  { unmatched = 'next' }: KoaOptions = {},
): Middleware {
  const { bodies, match, handle, report } = api[internals];
  const parse = bodyParserFor(bodies);
  return async (ctx, next) => {
    const { method, url, headers, ip: address } = ctx;
    const own = new KoaBody(ctx.req, ctx.res, bodies, parse);
    const body = parsedBody(ctx, own, bodies) ?? own;
    const exchange = new Exchange<Context>({ method, url, headers, address }, body, ctx);
    const matched = match(exchange);
    if (unmatched === 'next' && matched !== 'operation') {
      await next();
      if (matched === undefined || hasResponse(ctx)) return;
    }
    try {
      send(ctx, await handle(exchange), report);
    } finally {
      own.release();
    }
  };
}

/** @returns the body that koa-bodyparser has read; undefined if the request has none or is unread */
function parsedBody(
  { request }: Context,
  own: KoaBody,
  { limitBytes }: BodyLimits,
): BodySource | undefined {
  const { rawBody } = request as { readonly rawBody?: string };
  if (rawBody === undefined) return undefined;
  const read = () => {
    const bytes = Buffer.from(rawBody);
    if (bytes.length > limitBytes) throw contentTooLarge(limitBytes);
    return bytes;
  };
  return {
    readBody: async () => read(),
    stream: () => Readable.from([read()]),
    onClose: (listener) => own.onClose(listener),
  };
}

function hasResponse({ status, body }: Context): boolean {
  return status !== 404 || (body !== undefined && body !== null);
}

function send(
  ctx: Context,
  { status, headers, body, cause }: EngineResponse,
  report: (error: Error) => void,
): void {
  ctx.status = status;
  if (body === undefined) {
    ctx.body = '';
    ctx.remove('Content-Type');
  } else {
    const isView = ArrayBuffer.isView(body);
    ctx.body = isView ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
  }
  ctx.set(headers);
  if (status < 500 || cause === undefined) return;
  try {
    ctx.app.emit('error', errorFrom(cause), ctx);
  } catch (error) {
    report(errorFrom(error));
  }
}
