// stubwright/node on Node's HTTP server, with this project's handlers and store; without log and metrics.
import { createServer, type IncomingMessage } from 'node:http';
import { requestListener } from 'stubwright/node';
import { ourContract } from './ourContract.ts';
import { host, port } from './settings.ts';

const { contract, close } = await ourContract<IncomingMessage>();
const server = createServer(requestListener(contract)).listen(port, host);
process.on('SIGTERM', () => close(server));
