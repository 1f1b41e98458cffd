// Handwritten stand-in for nahkies' Koa router: the same packages (@koa/router, koa-body, zod) in the same order.
import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { z } from 'zod';
import { openPlants } from './plants.ts';
import { host, isAuthorized, port } from './settings.ts';

// The schemas of openapi.yaml. A generator without bigint makes an int64 a number.
const text = z.string().regex(/^[^\0]*$/);
const Plant = z.object({ name: text, tag: text.optional() });
const NewPlant = z.intersection(Plant, z.object({ id: z.number().int() }));

const plants = openPlants();
const router = new Router();
router.post('createPlant', '/plants', async (ctx, next) => {
  const plant = NewPlant.parse(ctx.request.body);
  plants.create(plant as never);
  ctx.body = Plant.parse({ name: plant.name, tag: plant.tag });
  ctx.status = 200;
  return next();
});

const app = new Koa();
app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error instanceof z.ZodError ? 400 : 500;
    ctx.body = { error: ctx.status * 100, message: String(error) };
  }
});
app.use(koaBody());
app.use(async (ctx, next) => {
  if (isAuthorized(ctx.get('Authorization'))) return next();
  ctx.status = 401;
  ctx.body = { error: 40100, message: 'unauthorized' };
});
app.use(router.allowedMethods());
app.use(router.routes());
app.listen(port, host);
