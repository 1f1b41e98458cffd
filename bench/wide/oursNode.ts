// stubwright/node on Node's HTTP server.
import { createServer } from 'node:http';
import { createApi } from 'stubwright';
import { requestListener } from 'stubwright/node';
import { contract, host, port } from '../contenders/settings.ts';

const putItem = () => ({ status: 200, body: { accepted: true } });
const api = await createApi({ contract, handlers: { putItem } });
createServer(requestListener(api as never)).listen(port, host);
