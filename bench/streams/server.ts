// A server of events: `server.ts stubwright|koa ITEMS`. It reports its usage to its parent.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { Contract } from '@stubwright/contract';
import Koa from 'koa';
import { createApi } from 'stubwright';
import { koaMiddleware } from 'stubwright/koa';

const [kind, count] = process.argv.slice(2);
const items = Number(count);
const LARGE = 9007199254740993n;

const schema = {
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { enum: ['toy'] },
    id: { type: 'string' },
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          name: { type: 'string', maxLength: 40 },
        },
      },
    },
  },
};
const content = { 'text/event-stream': { itemSchema: schema } };
const operation = (operationId: string) => ({
  get: { operationId, responses: { '200': { description: 'ok', content } } },
});
const document = {
  openapi: '3.2.0',
  info: { title: 'Toys', version: '1' },
  paths: { '/events': operation('getEvents'), '/idle': operation('getIdle') },
};

async function* events() {
  for (let at = 0; at < items; at++) {
    yield { event: 'toy', id: String(at), data: { id: LARGE, name: 'Teddy bear' } };
  }
}

async function* nothing(signal: AbortSignal) {
  if (!signal.aborted) await once(signal, 'abort');
  yield* [];
}

const app = new Koa();
// Clients leave.
app.silent = true;
if (kind === 'stubwright') {
  const api = await createApi({
    contract: {
      definition: new Contract(document),
      ...{ warnings: [], files: [], publish: async () => ({ text: '', servers: [0, 0] }) },
    },
    handlers: {
      getEvents: () => ({ status: 200, body: events() }),
      getIdle: ({ signal }: never) => ({ status: 200, body: nothing(signal) }),
    },
  } as never);
  app.use(koaMiddleware(api as never));
} else {
  app.use(async (ctx) => {
    ctx.type = 'text/event-stream';
    const body = new PassThrough();
    ctx.body = body;
    if (ctx.path === '/idle') {
      ctx.flushHeaders();
      return;
    }
    void (async () => {
      for await (const { event, id, data } of events()) {
        const text = `event: ${event}\nid: ${id}\ndata: {"id":${data.id},"name":${JSON.stringify(data.name)}}\n\n`;
        if (!body.write(text)) await once(body, 'drain');
      }
      body.end();
    })();
  });
}
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMs: (user + system) / 1000, memory: process.memoryUsage().rss });
});
