// Bodies as streams: downloads in flat memory, their limits, errors and connections, on a real socket.
import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { inTestAll } from '@stubwright/test-support/testAll';
import {
  type ConnectionOptions,
  NoResponse,
  type OperationFunction,
  openConnection,
  operation,
  receiveBytes,
  receiveEvents,
  receiveJson,
  receiveJsonLines,
  receiveText,
  UndeclaredResponse,
} from '../src/index.ts';
import { testServers } from './support/server.ts';

const listening = testServers();

interface Download {
  parameters: { path?: never };
  responses: {
    200: {
      headers: Record<never, never>;
      content: {
        'application/octet-stream': Blob;
        'application/json': { id: number };
        'text/plain': string;
        'text/event-stream': string;
        'application/jsonl': { id: number }[];
      };
    };
    204: { headers: Record<never, never>; content?: never };
    404: { headers: Record<never, never>; content: { 'application/json': { message: string } } };
  };
}

const download: OperationFunction<Download> = operation({
  ...{ id: 'download', method: 'GET', path: '/file' },
  replies: {
    200: {
      content: {
        'application/octet-stream': receiveBytes(),
        'application/json': receiveJson(),
        'text/plain': receiveText(),
        'text/event-stream': receiveEvents(undefined, { json: 0 }),
        'application/jsonl': receiveJsonLines(),
      },
    },
    204: {},
    404: { content: { 'application/json': receiveJson() } },
  },
});

async function serve(handle: (response: ServerResponse) => void) {
  const closed = Promise.withResolvers<void>();
  const baseUrl = await listening((_, response) => {
    response.on('close', () => closed.resolve());
    handle(response);
  });
  const connect = (options: ConnectionOptions = {}) =>
    openConnection({}, { baseUrl, retry: false, ...options });
  return { connect, closed: closed.promise };
}

const MB = 2 ** 20;
const TYPES: Readonly<Record<string, string>> = {
  'text/event-stream': 'data: 1\n\n',
  'application/jsonl': '{"id":1}\n',
};
const next = (type: string) => TYPES[type] ?? 'two';
const start = (type: string) => (response: ServerResponse) =>
  void response.writeHead(200, { 'Content-Type': type }).write(TYPES[type] ?? 'one');

/** Doubles the time limit if a busy machine exceeds it before the response has started. */
async function startedWithin<T>(
  limitMs: number,
  act: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  try {
    return await act(limitMs);
  } catch (error) {
    if (!(error instanceof NoResponse) || limitMs > 1_000) throw error;
    return startedWithin(2 * limitMs, act);
  }
}

/** Sends as fast as the reader reads. @returns the number of bytes that were sent */
function sender(size: number) {
  const chunk = new Uint8Array(MB).fill(7);
  const progress = { sent: 0 };
  const send = async (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    while (progress.sent < size && !response.destroyed) {
      progress.sent += MB;
      if (!response.write(chunk)) await once(response, 'drain').catch(() => {});
    }
    response.end();
  };
  return { progress, send };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** @returns the bytes that were read, and the growth of the memory in use (least of the second half) and of the process */
async function downloadOf(size: number) {
  const { connect } = await serve(sender(size).send);
  const { type, body } = await download(connect(), {}, { as: 'stream' });
  if (type !== 'application/octet-stream') throw new Error(`got ${type}`);
  collectGarbage();
  const before = process.memoryUsage();
  let [read, used, resident, sample] = [0, Infinity, 0, 0];
  for await (const bytes of body) {
    read += bytes.length;
    if (read < sample) continue;
    sample += size / 16;
    resident = Math.max(resident, process.memoryUsage().rss - before.rss);
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const growth = heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers;
    // Buffers are freed in the background: a single sample may have garbage.
    if (read > size / 2) used = Math.min(used, growth);
  }
  return { read, used, resident };
}

describe('a streamed download', () => {
  inTestAll(it)('of 64 MB is in flat memory', async () => {
    const { read, used } = await downloadOf(64 * MB);
    expect(read).toBe(64 * MB);
    expect(used).toBeLessThan(16 * MB);
  });

  inTestAll(it)(
    'of 2 GB is in flat memory too',
    async () => {
      const { read, used, resident } = await downloadOf(2048 * MB);
      expect(read).toBe(2048 * MB);
      expect(used).toBeLessThan(16 * MB);
      expect(resident).toBeLessThan(512 * MB);
    },
    300_000,
  );

  it('stops while it is not read, and frees the connection when it is cancelled', async () => {
    const { signal } = new AbortController();
    const { progress, closed, reply, timeoutMs } = await startedWithin(400, async (timeoutMs) => {
      const { progress, send } = sender(1024 * MB);
      const { connect, closed } = await serve(send);
      const reply = await download(connect({ timeoutMs }), {}, { as: 'stream', signal });
      return { progress, closed, reply, timeoutMs };
    });
    if (reply.type !== 'application/octet-stream') throw new Error(`got ${reply.type}`);
    const reader = reply.body.getReader();
    await reader.read();
    await sleep(1.5 * timeoutMs);
    expect(progress.sent).toBeLessThan(32 * MB);
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    await closed;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('has the bytes of text too, and of no media type', async () => {
    for (const type of ['text/plain', 'application/octet-stream', undefined]) {
      const { connect } = await serve((response) => {
        response.writeHead(200, type === undefined ? {} : { 'Content-Type': type }).end('{');
      });
      const { type: read, body } = await download(connect(), {}, { as: 'stream' });
      expect(body).toBeInstanceOf(ReadableStream);
      expect(await new Response(body as ReadableStream).text()).toBe('{');
      expect(read).toBe(type ?? 'application/octet-stream');
    }
  });

  it('leaves JSON, sequences and empty replies as they are', async () => {
    const json = { 'Content-Type': 'application/json' };
    const failing = await serve((response) => {
      response.writeHead(404, json).end('{"message":"gone"}');
    });
    const reply = await download(failing.connect(), {}, { as: 'stream' });
    expect(reply.status === 404 && reply.body.message).toBe('gone');
    const empty = await serve((response) => void response.writeHead(204).end());
    expect((await download(empty.connect(), {}, { as: 'stream' })).body).toBeUndefined();
    const lines = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'application/jsonl' }).end('{"id":1}\n');
    });
    const { type, body } = await download(lines.connect(), {}, { as: 'stream' });
    if (type !== 'application/jsonl') throw new Error(`got ${type}`);
    for await (const item of body) expect(item).toEqual({ id: 1 });
    const undeclared = await serve((response) => void response.writeHead(206).end('x'));
    const act = download(undeclared.connect(), {}, { as: 'stream' });
    await expect(act).rejects.toBeInstanceOf(UndeclaredResponse);
  });

  it('is passed on after its head was validated', async () => {
    const validated: unknown[] = [];
    const { connect } = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('1');
    });
    const validate = {
      after: ({ status, bodyUsed }: Response) => void validated.push([status, bodyUsed]),
    };
    const { body } = await download(connect({ validate }), {}, { as: 'stream' });
    await (body as ReadableStream).cancel();
    expect(validated).toEqual([[200, false]]);
  });
});

/** The items of an event stream and JSON Lines, and the bytes of a streamed body. */
const reading: [
  string,
  (
    connection: ReturnType<typeof openConnection>,
    options?: object,
  ) => Promise<AsyncIterable<unknown>>,
][] = [...Object.keys(TYPES), 'application/octet-stream'].map((type) => [
  type,
  async (connection, options) => {
    const as = type === 'application/octet-stream' ? ({ as: 'stream' } as const) : {};
    const { body } = await download(connection, {}, { ...options, ...as });
    return body as AsyncIterable<unknown>;
  },
]);

async function readAll(body: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of body);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(reading)('a stream of %s', (type, open) => {
  it('that is never read frees its connection after the time limit', async () => {
    const { signal } = new AbortController();
    const { closed, body } = await startedWithin(300, async (timeoutMs) => {
      const { connect, closed } = await serve(start(type));
      return { closed, body: await open(connect({ timeoutMs }), { signal }) };
    });
    await closed;
    const error = await readAll(body);
    expect(error).toBeInstanceOf(NoResponse);
    expect((error as NoResponse).isTimeout).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('frees its connection when it is cancelled before the first read', async () => {
    const { connect, closed } = await serve(start(type));
    const { signal } = new AbortController();
    const body = await open(connect(), { signal });
    if (body instanceof ReadableStream) await body.cancel();
    else await body[Symbol.asyncIterator]().return!();
    await closed;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason of a broken connection', async () => {
    const { connect } = await serve((response) => {
      start(type)(response);
      setTimeout(() => response.destroy(), 20);
    });
    const error = await readAll(await open(connect()));
    expect(error).toBeInstanceOf(NoResponse);
    expect(error).toMatchObject({ operationId: 'download', attempts: 1, isTimeout: false });
    expect(error).toHaveProperty('cause.name', 'TypeError');
  });

  it('ends after its idle limit, which slow readers do not reach', async () => {
    /** @returns the number of writes before the limit of three times their interval */
    const sendsBeforeLimit = async (intervalMs: number) => {
      let sends = 0;
      const { connect, closed } = await serve((response) => {
        start(type)(response);
        const timer = setInterval(() => {
          if (++sends < 5) response.write(next(type));
          else clearInterval(timer);
        }, intervalMs);
      });
      const error = await readAll(await open(connect({ idleTimeoutMs: 3 * intervalMs })));
      expect(error).toMatchObject({ name: 'NoResponse', isTimeout: true });
      await closed;
      return sends;
    };
    // A busy machine may send too late: twice the interval is another attempt.
    let intervalMs = 30;
    while ((await sendsBeforeLimit(intervalMs)) < 5 && intervalMs < 500) intervalMs *= 2;
    expect(intervalMs).toBeLessThan(500);
    const slow = await serve((response) => {
      start(type)(response);
      response.end(TYPES[type]);
    });
    for await (const _ of await open(slow.connect({ idleTimeoutMs: 50 }))) await sleep(120);
  });

  it('rejects with the reason of a signal', async () => {
    const { connect, closed } = await serve(start(type));
    const abort = new AbortController();
    const reason = new Error('enough');
    const body = await open(connect(), { signal: abort.signal });
    setTimeout(() => abort.abort(reason), 20);
    expect(await readAll(body)).toBe(reason);
    await closed;
  });
});

describe('an item that does not conform to its media type', () => {
  it.each([
    ['text/event-stream', 'event: json\ndata: {\n\n', 'expected JSON', '{'],
    ['application/jsonl', '{"id":1}\n{"id":\n', 'expected JSON', '{"id":'],
  ])(
    'is an UndeclaredResponse, and frees the connection: %s %j',
    async (type, text, message, item) => {
      const { connect } = await serve((response) => {
        response.writeHead(200, { 'Content-Type': type }).end(text);
      });
      const { signal } = new AbortController();
      const { body } = await download(connect(), {}, { signal });
      const error = await readAll(body as AsyncIterable<unknown>);
      expect(error).toBeInstanceOf(UndeclaredResponse);
      expect(error).toMatchObject({
        message: `download: ${message}, expected a response that the contract declares`,
        ...{ body: item, status: 200, operationId: 'download' },
      });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );
});
