// An API of a contract as YAML, on a real socket of each adapter.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Contract } from '@stubwright/contract';
import Koa from 'koa';
import { type ApiOptions, createApi } from 'stubwright';
import { koaMiddleware } from 'stubwright/koa';
import { requestListener } from 'stubwright/node';
import { parse } from 'yaml';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly text?: string;
}

export type Ask = (path: string, asked?: Asked) => Promise<Answer>;

const servers: Server[] = [];

/** Closes the servers of a test. */
export function closeServers(): void {
  for (const server of servers.splice(0)) server.close();
}

// biome-ignore lint/suspicious/noExplicitAny: the contracts of these tests have no generated types
type AnyOptions = Partial<ApiOptions<any>>;

/** @param yaml from `paths` on */
export async function serve(
  yaml: string,
  { adapter = 'node', ...options }: AnyOptions & { readonly adapter?: 'node' | 'koa' } = {},
): Promise<{ url: string; ask: Ask; errors: unknown[] }> {
  const document = { openapi: '3.1.0', info: { title: 'Toys', version: '1' }, ...parse(yaml) };
  const api = await createApi({
    contract: {
      definition: new Contract(document),
      ...{ warnings: [], files: [] },
      publish: () => Promise.resolve({ text: '', servers: [0, 0] as const }),
    },
    ...options,
  });
  const errors: unknown[] = [];
  api.events.on('responded', ({ cause }) => {
    if (cause !== undefined) errors.push((cause as Error).message);
  });
  const app = new Koa();
  app.silent = true;
  const listener =
    adapter === 'koa' ? app.use(koaMiddleware(api)).callback() : requestListener(api);
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, errors, ask: (path, asked = {}) => send(port, path, asked) };
}

function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, text = jsonOf(body) }: Asked,
): Promise<Answer> {
  const json = text === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: { ...json, ...headers } };
    const req = request({ ...options, agent: false }, async (res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of res) chunks.push(chunk as Buffer);
      resolve({
        status: res.statusCode!,
        headers: res.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      });
    });
    req.on('error', reject).end(text);
  });
}

function jsonOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}
