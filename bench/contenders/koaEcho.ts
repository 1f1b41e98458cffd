// Bare Koa with koa-bodyparser, as their READMEs show: no contract, no token, no store.
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
