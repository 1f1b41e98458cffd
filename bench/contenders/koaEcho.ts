// Echo with Koa and koa-bodyparser, without contract, token and store.
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import type { NewPlant } from './plants.ts';
import { host, port } from './settings.ts';

const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  const { name, tag } = ctx.request.body as NewPlant;
  ctx.body = { name, tag };
});
app.listen(port, host);
