// stubwright/koa in a Koa application, with this project's handlers and store; without log and metrics.
import Koa from 'koa';
import { koaMiddleware } from 'stubwright/koa';
import { ourApi } from './ourApi.ts';
import { host, port } from './settings.ts';

const { api, close } = await ourApi<never>();
const app = new Koa();
// The types of Koa in bench/ are another copy.
app.use(koaMiddleware(api as never) as never);
const server = app.listen(port, host);
process.on('SIGTERM', () => close(server));
