// The same contract beside other middleware of a Koa application.
import { randomUUID } from 'node:crypto';
import cors from '@koa/cors';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { createApi } from 'stubwright';
import { koaMiddleware } from 'stubwright/koa';
import { Bookings } from './bookings.ts';
import { type Context as BookingContext, handlers } from './handlers.ts';

export async function createApp(): Promise<Koa> {
  const bookings = new Bookings(':memory:');
  const api = await createApi<BookingContext, Context>({
    contract: 'generated/contract.json',
    handlers,
    verifiers: {
      oauth: (token) => ({ name: token, scopes: ['bookings:read', 'bookings:write'] }),
    },
    context: () => ({ bookings }),
  });
  const router = new Router();
  router.get('/health', (ctx) => {
    ctx.body = { ok: true };
  });
  router.patch('/v1/bookings/1', (ctx) => {
    ctx.body = ctx.request.body;
  });
  const app = new Koa();
  app.use(async (ctx, next) => {
    const id = randomUUID();
    ctx.set('X-Request-Id', id);
    await next();
    if (ctx.status >= 400 && typeof ctx.body === 'string' && ctx.type.includes('json')) {
      ctx.body = JSON.stringify({ ...JSON.parse(ctx.body), requestId: id });
    }
  });
  app.use(cors({ origin: 'https://shop.test' }));
  app.use(bodyParser());
  app.use(koaMiddleware(api));
  app.use(router.routes()).use(router.allowedMethods());
  return app;
}
