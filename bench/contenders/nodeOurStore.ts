// stubwright/node on Node's HTTP server, with this project's handlers and store; without log and metrics.
import { createServer, type IncomingMessage } from 'node:http';
import { requestListener } from 'stubwright/node';
import { ourApi } from './ourApi.ts';
import { host, port } from './settings.ts';

const { api, close } = await ourApi<IncomingMessage>();
const server = createServer(requestListener(api)).listen(port, host);
process.on('SIGTERM', () => close(server));
