// Koa middleware for an API.
import { errorFrom } from '@stubwright/contract';
import type { Context, Middleware } from 'koa';
import { hasResponse, koaCollector, parsedBody, setResponse } from './adapters/koaResponse.ts';
import { type Api, internals } from './pipeline/api.ts';
import type { EngineResponse } from './pipeline/engineResponse.ts';
import { NodeBody } from './request/body/nodeBody.ts';
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
  const collect = koaCollector(bodies);
  return async (ctx, next) => {
    const { method, url, headers, ip: address } = ctx;
    const own = new NodeBody(ctx.req, ctx.res, bodies, collect);
    const body = parsedBody(ctx.request, own, bodies) ?? own;
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

function send(ctx: Context, response: EngineResponse, report: (error: Error) => void): void {
  setResponse(ctx, response);
  const { status, cause } = response;
  if (status < 500 || cause === undefined) return;
  try {
    ctx.app.emit('error', errorFrom(cause), ctx);
  } catch (error) {
    report(errorFrom(error));
  }
}
