// openapi-backend on Koa, wired as its own examples/koa/index.js, with the security handler that its
// README describes ("Security Handlers").
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
  // Compiled all at once, a schema of GitHub's that Ajv refuses would stop the start. Quick compiles a
  // validator at its first use and keeps it: from then on a request costs the same.
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
