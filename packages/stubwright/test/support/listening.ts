// APIs on the adapters of Koa, Node and fetch, with real sockets where an adapter has one.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Middleware } from 'koa';
import { fetchHandler } from '../../src/fetch.ts';
import type { Api } from '../../src/index.ts';
import { koaMiddleware } from '../../src/koa.ts';
import { requestListener } from '../../src/node.ts';

const servers: Server[] = [];

/** Closes the servers of a test. */
export function closeServers(): void {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
}

/** @returns the URL of a server */
export async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** `Connection` and `Origin` are forbidden headers in browsers only. */
export const sendTo =
  (url: string): Send =>
  (path, init) =>
    fetch(url + path, { ...init, headers: { connection: 'close', ...init?.headers } });

/** @returns a function that fetches from the listener */
export async function served(listener: RequestListener): Promise<Send> {
  return sendTo(await listening(listener));
}

/** @returns a function that fetches from a Koa application, which writes no errors */
export function servedBy(...middleware: readonly Middleware[]): Promise<Send> {
  const app = new Koa();
  app.silent = true;
  for (const each of middleware) app.use(each);
  return served(app.callback());
}

/** @returns by the name of an adapter, a function that fetches from an API */
export const ADAPTERS: Readonly<Record<'koa' | 'node' | 'fetch', (api: Api) => Promise<Send>>> = {
  koa: (api) => servedBy(koaMiddleware(api, { unmatched: 'respond' })),
  node: (api) => served(requestListener(api)),
  fetch(api) {
    const handle = fetchHandler(api);
    return Promise.resolve((path, init) => handle(new Request(`http://t${path}`, init)));
  },
};
