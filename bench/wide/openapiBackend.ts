// openapi-backend on Koa, like its examples/koa/index.js.
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { OpenAPIBackend } from 'openapi-backend';
import { contract, host, port } from '../contenders/settings.ts';

const app = new Koa();
app.use(bodyParser());
const api = new OpenAPIBackend({
  definition: contract,
  handlers: {
    putItem: async (_c, ctx) => {
      ctx.body = { accepted: true };
    },
    validationFail: async (c, ctx) => {
      ctx.status = 400;
      ctx.body = { message: JSON.stringify(c.validation.errors) };
    },
  },
});
await api.init();
app.use((ctx) => api.handleRequest(ctx.request as never, ctx));
app.listen(port, host);
