// Koa: a middleware. Others may precede and follow it.
import Koa from 'koa';
import { koaMiddleware } from 'stubwright/koa';
import { api } from './api.ts';

const app = new Koa();
app.use(koaMiddleware(api));
app.use((ctx) => {
  if (ctx.path === '/health') ctx.body = 'ok';
});
app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
