// openapi-backend on Koa, like its examples/koa/index.js, with a security handler.
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { OpenAPIBackend } from 'openapi-backend';
import { openPlants } from './plants.ts';
import { contract, host, isAuthorized, port } from './settings.ts';

const plants = openPlants();
const app = new Koa();
app.use(bodyParser());

const api = new OpenAPIBackend({
  definition: contract,
  // Ajv rejects one of GitHub's schemas, which fails the start. `quick` compiles a
  // validator on first use and caches it: later requests cost the same.
  quick: true,
  handlers: {
    createPlant: async (c, ctx) => {
      plants.create(c.request.requestBody);
      const { name, tag } = c.request.requestBody;
      ctx.body = { name, tag };
    },
    validationFail: async (c, ctx) => {
      ctx.status = 400;
      ctx.body = { error: 40000, message: JSON.stringify(c.validation.errors) };
    },
    unauthorizedHandler: async (_c, ctx) => {
      ctx.status = 401;
      ctx.body = { error: 40100, message: 'unauthorized' };
    },
    notFound: async (_c, ctx) => {
      ctx.status = 404;
      ctx.body = { error: 40400, message: 'not found' };
    },
  },
  securityHandlers: {
    bearerAuth: async (c) => isAuthorized(c.request.headers.authorization as string),
  },
});
await api.init();

app.use((ctx) => api.handleRequest(ctx.request as never, ctx));
app.listen(port, host);
