// stubwright/koa in a Koa application.
import Koa from 'koa';
import { createApi } from 'stubwright';
import { koaMiddleware } from 'stubwright/koa';
import { contract, host, port } from '../contenders/settings.ts';

const putItem = () => ({ status: 200, body: { accepted: true } });
const api = await createApi({ contract, handlers: { putItem } });
const app = new Koa();
// The types of Koa in bench/ are another copy.
app.use(koaMiddleware(api as never) as never);
app.listen(port, host);
