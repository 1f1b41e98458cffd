// Credentials, retries, time limits and middleware, on a real socket.
import { EventEmitter, getEventListeners, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import {
  bindOperations,
  type ConnectionOptions,
  type Credentials,
  ErrorReply,
  type ExactHolder,
  isErrorOf,
  type NoResponse,
  type OperationFunction,
  openConnection,
  operation,
  receiveEvents,
  receiveHeader,
  receiveJson,
  type StreamEvent,
  sendJson,
  sendText,
  UndeclaredResponse,
  unwrap,
} from '../src/index.ts';
import { testServers } from './support/server.ts';

const listening = testServers();

interface Toys {
  get: {
    parameters: { path: { id: bigint }; query?: { page?: number } };
    responses: {
      200: { headers: { 'X-Total'?: bigint }; content: { 'application/json': { id: bigint } } };
      404: { headers: Record<never, never>; content: { 'application/json': { message: string } } };
      '5XX': { headers: Record<never, never>; content?: never };
      401: { headers: Record<never, never>; content?: never };
    };
  };
  post: Omit<Toys['get'], 'parameters'> & {
    parameters: { path?: never };
    requestBody: { content: { 'application/json': { id: bigint }; 'text/plain': string } };
  };
  watch: {
    parameters: { path?: never };
    responses: {
      200: { headers: Record<never, never>; content: { 'text/event-stream': string } };
    };
  };
}

const exact = { properties: { id: 1 } } as const;
const replies = {
  200: {
    headers: { 'X-Total': receiveHeader('bigint') },
    content: { 'application/json': receiveJson(exact) },
  },
  404: { content: { 'application/json': receiveJson() } },
  401: {},
  '5XX': {},
} as const;
const shared = { replies, security: [['bearer'], ['key'], []], accept: 'application/json' };

const getToy: OperationFunction<Toys['get']> = operation({
  ...{ id: 'getToy', method: 'GET', path: '/toys/{id}', ...shared },
});
const bodies = { 'application/json': sendJson, 'text/plain': sendText };
const addToy: OperationFunction<Toys['post']> = operation({
  ...{ id: 'addToy', method: 'POST', path: '/toys', bodies, ...shared },
});
const putToy: OperationFunction<Toys['post']> = operation({
  ...{ id: 'putToy', method: 'POST', path: '/toys', bodies, isIdempotent: true, ...shared },
});
const watchToys: OperationFunction<Toys['watch']> = operation({
  ...{ id: 'watchToys', method: 'GET', path: '/toys' },
  replies: { 200: { content: { 'text/event-stream': receiveEvents() } } },
});

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;

/** @param handlers of the requests in order; the last handles all others */
async function serve(...handlers: Handler[]) {
  const seen: string[] = [];
  const url = await listening(async (request, response) => {
    const handle = handlers[Math.min(seen.length, handlers.length - 1)]!;
    const { authorization = '-' } = request.headers;
    seen.push(`${request.method} ${request.url} ${authorization}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    handle(Object.assign(request, { body: Buffer.concat(chunks).toString() }), response);
  });
  const connect = (options: ConnectionOptions = {}, credentials: Credentials = {}) =>
    openConnection(
      {
        server: { url: 'http://{host}/v1', variables: { host: 'unused' } },
        schemes: {
          bearer: { authorization: 'Bearer' },
          key: { in: 'query', name: 'key' },
          basic: { authorization: 'Basic' },
        },
      },
      { baseUrl: `${url}/`, retry: { baseDelayMs: 1 }, ...options },
      credentials,
    );
  return { seen, connect };
}

const ok: Handler = (_, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('X-Total', '9007199254740995');
  response.end('{"id":9007199254740993}');
};
const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(code, headers).end();
const reset: Handler = (request) => void request.socket.destroy();
const toy = { path: { id: 9007199254740993n } };
const body = { id: 9007199254740993n };

describe('a call', () => {
  it('returns the declared reply with exact integers', async () => {
    const { connect, seen } = await serve(ok);
    const reply = await getToy(connect(), { ...toy, query: { page: 2 } });
    expect(reply).toMatchObject({
      ...{ operationId: 'getToy', status: 200, type: 'application/json' },
      ...{ headers: { 'X-Total': 9007199254740995n }, body: { id: 9007199254740993n } },
    });
    expect(seen).toEqual(['GET /toys/9007199254740993?page=2 -']);
    const client = bindOperations(connect(), { getToy }) as {
      getToy(request: typeof toy): ReturnType<typeof getToy>;
    };
    expect(await unwrap(client.getToy(toy))).toEqual({ id: 9007199254740993n });
  });

  it('sends JSON with exact integers, and another media type on demand', async () => {
    const sent: string[] = [];
    const { connect } = await serve((request, response) => {
      sent.push(`${request.headers['content-type']} ${request.headers.accept} ${request.body}`);
      ok(request, response);
    });
    await addToy(connect(), { body });
    await addToy(connect(), { body: 'text', mediaType: 'text/plain' });
    expect(sent).toEqual([
      'application/json application/json {"id":9007199254740993}',
      'text/plain application/json text',
    ]);
  });

  it('throws an ErrorReply for another status, typed by status', async () => {
    const { connect } = await serve((_, response) => {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"message":"gone"}');
    });
    const error: unknown = await unwrap(getToy(connect(), toy)).catch((each) => each);
    expect(error).toBeInstanceOf(ErrorReply);
    expect(isErrorOf(addToy, error)).toBe(false);
    expect(isErrorOf(getToy, error) && error.reply.status === 404 && error.reply.body).toEqual({
      message: 'gone',
    });
    expect(String(error)).toBe('ErrorReply: getToy: got status 404: gone');
  });

  it.each<[string, Handler, unknown]>([
    ['got status 418', (_, response) => void response.writeHead(418).end('tea'), 'tea'],
    [
      'got Content-Type text/html',
      (_, response) => void response.setHeader('Content-Type', 'text/html').end('<p>'),
      '<p>',
    ],
    [
      'expected JSON',
      (_, response) => void response.setHeader('Content-Type', 'application/json').end('{'),
      '{',
    ],
    ['got status 302', status(302, { Location: '/' }), ''],
  ])('throws an UndeclaredResponse: %s', async (reason, handler, text) => {
    const { connect, seen } = await serve(handler);
    const error: UndeclaredResponse = await getToy(connect(), toy).then(undefined, (each) => each);
    expect(error).toBeInstanceOf(UndeclaredResponse);
    expect(error.message).toBe(`getToy: ${reason}, expected a response that the contract declares`);
    expect([error.body, error.headers.has('Date'), seen.length]).toEqual([text, true, 1]);
  });

  it('throws an UndeclaredResponse for JSON that is too deep for its schema, and does not repeat it', async () => {
    const deep = `${'{"next":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const { connect, seen } = await serve((_, response) => {
      response.setHeader('Content-Type', 'application/json').end(deep);
    });
    const holder: ExactHolder = { properties: { next: () => holder } };
    const getDeep: OperationFunction<Toys['get']> = operation({
      ...{ id: 'getDeep', method: 'GET', path: '/deep/{id}' },
      replies: { 200: { content: { 'application/json': receiveJson(holder) } } },
    });
    await expect(getDeep(connect(), toy)).rejects.toThrow('getDeep: expected JSON');
    expect(seen).toHaveLength(1);
  });
});

describe('the URL', () => {
  const urls = async (options: ConnectionOptions) => {
    const sent: string[] = [];
    const fetch = async (url: string) => {
      sent.push(url);
      return new Response(null, { status: 500 });
    };
    const { connect } = await serve(ok);
    await getToy(connect({ ...options, fetch }), toy);
    return sent[0];
  };

  it('is of the contract, with variables, or of the caller', async () => {
    const path = '/toys/9007199254740993';
    expect(await urls({ baseUrl: undefined })).toBe(`http://unused/v1${path}`);
    const variables = { host: 'eu' };
    expect(await urls({ baseUrl: undefined, variables })).toBe(`http://eu/v1${path}`);
    expect(await urls({ baseUrl: 'https://own/' })).toBe(`https://own${path}`);
    const baseUrl = (declared: string, id: string) => declared.replace('unused', id);
    expect(await urls({ baseUrl })).toBe(`http://getToy/v1${path}`);
  });
});

describe('a retry', () => {
  it('follows a lost connection and an unavailable service', async () => {
    const inProgress = status(409, { 'Retry-After': '0' });
    const keyed = await serve(inProgress, ok);
    expect((await putToy(keyed.connect(), { body })).status).toBe(200);
    const conflict = await serve(status(409), ok);
    await expect(putToy(conflict.connect(), { body })).rejects.toThrow('got status 409');
    expect(conflict.seen).toHaveLength(1);
    const { connect, seen } = await serve(reset, status(503), ok);
    expect((await getToy(connect(), toy)).status).toBe(200);
    expect(seen).toHaveLength(3);
  });

  it('is only for requests that are safe to repeat', async () => {
    const lost = await serve(reset, ok);
    const error: NoResponse = await addToy(lost.connect(), { body }).then(
      undefined,
      (each) => each,
    );
    expect([error.name, error.attempts, error.isTimeout]).toEqual(['NoResponse', 1, false]);
    expect(error.message).toMatch(/^addToy: no response: (?:other side closed|read ECONNRESET)$/);
    const unavailable = await serve(status(503), ok);
    expect((await addToy(unavailable.connect(), { body })).status).toBe(503);
    const marked = await serve(status(503), ok);
    expect((await putToy(marked.connect(), { body })).status).toBe(200);
    const stream = new Blob(['text']).stream();
    const streamed = await serve(status(503), ok);
    const request = { body: stream as never, mediaType: 'text/plain' } as const;
    expect((await putToy(streamed.connect(), request)).status).toBe(503);
  });

  it('returns the last reply, and can be switched off', async () => {
    const { connect, seen } = await serve(status(503));
    expect((await getToy(connect(), toy)).status).toBe(503);
    expect(seen).toHaveLength(3);
    await getToy(connect(), toy, { retry: false });
    expect(seen).toHaveLength(4);
  });

  it('waits as Retry-After demands, unless that is too long', async () => {
    const waits: number[] = [];
    const original = globalThis.setTimeout;
    // Node's fetch has timers of its own.
    globalThis.setTimeout = ((run: () => void, ms: number, ...args: []) => {
      if (ms === 60_000 || !new Error().stack?.includes('/client/src/')) {
        return original(run, ms, ...args);
      }
      waits.push(ms);
      return original(run, 0);
    }) as typeof setTimeout;
    try {
      const { connect } = await serve(
        status(503, { 'Retry-After': '7' }),
        status(429, { 'Retry-After': new Date(Date.now() + 20_000).toUTCString() }),
        ok,
      );
      const retry = { statuses: [429, 503], baseDelayMs: 400 };
      await getToy(connect({ retry }), toy);
      const long = await serve(status(503, { 'Retry-After': '31' }));
      expect((await getToy(long.connect(), toy)).status).toBe(503);
      expect(long.seen).toHaveLength(1);
      const none = await serve(status(503));
      await getToy(none.connect({ retry: { limit: 2, baseDelayMs: 400 } }), toy);
    } finally {
      globalThis.setTimeout = original;
    }
    const [seconds = 0, date = 0, first = 0, second = 0] = waits.filter((ms) => ms >= 200);
    expect(seconds).toBe(7000);
    expect(date > 15_000 && date <= 20_000).toBe(true);
    expect(first >= 200 && first <= 400 && second >= 400 && second <= 800).toBe(true);
  });
});

describe('headers', () => {
  it('have defaults, which those of a call, its media types and its parameters replace', async () => {
    const sent: string[][] = [];
    const { connect } = await serve(({ headers }, response) => {
      const names = ['x-default', 'x-both', 'accept', 'content-type', 'x-parameter'];
      sent.push(names.map((name) => `${headers[name]}`));
      status(500)({} as never, response);
    });
    const defaults = { 'X-Default': 'd', 'x-both': 'd', 'X-Parameter': 'd' };
    const connection = connect({ headers: defaults });
    await addToy(connection, { body }, { headers: [['X-Both', 'c']] });
    const own = { headers: new Headers({ Accept: 'a/b', 'Content-Type': 'application/x+json' }) };
    await addToy(connection, { body, header: { 'X-Parameter': 'p' } } as never, own);
    await addToy(connection, { body });
    expect(sent).toEqual([
      ['d', 'c', 'application/json', 'application/json', 'd'],
      ['d', 'd', 'a/b', 'application/x+json', 'p'],
      ['d', 'd', 'application/json', 'application/json', 'd'],
    ]);
    expect(defaults).toEqual({ 'X-Default': 'd', 'x-both': 'd', 'X-Parameter': 'd' });
  });
});

describe('two clients', () => {
  it('share no headers, credentials, renewals, variables, middleware or retries', async () => {
    const seen: string[] = [];
    const clientOf = (name: string, fails: number) => {
      let attempts = 0;
      let renewals = 0;
      const options: ConnectionOptions = {
        baseUrl: undefined,
        variables: { host: name },
        headers: { 'X-Client': name },
        retry: { limit: fails, baseDelayMs: 0 },
        middleware: [{ before: ({ headers }) => headers.append('X-Client', `after ${name}`) }],
        async fetch(url, init) {
          const headers = new Headers(init.headers);
          seen.push([name, url, headers.get('X-Client'), headers.get('Authorization')].join(' '));
          await new Promise((resolve) => setTimeout(resolve, 1));
          attempts++;
          return new Response(null, { status: attempts === 1 ? 401 : 503 });
        },
      };
      const connection = openConnection(
        {
          server: { url: 'http://{host}', variables: { host: 'unused' } },
          schemes: { bearer: { authorization: 'Bearer' } },
        },
        options,
        { bearer: ({ rejected }) => (rejected === undefined ? 'old' : `${name}${++renewals}`) },
      );
      return { connection, renewals: () => renewals };
    };
    const [a, b] = [clientOf('a', 1), clientOf('b', 3)];
    await Promise.all([getToy(a.connection, toy), getToy(b.connection, toy)]);
    const linesOf = (name: string) => seen.filter((line) => line.startsWith(`${name} `));
    const line = (name: string, token: string) =>
      `${name} http://${name}/toys/9007199254740993 ${name}, after ${name} Bearer ${token}`;
    expect(linesOf('a')).toEqual([line('a', 'old'), line('a', 'a1'), line('a', 'a1')]);
    expect(linesOf('b')).toEqual([line('b', 'old'), ...Array(4).fill(line('b', 'b1'))]);
    expect([a.renewals(), b.renewals()]).toEqual([1, 1]);
  });
});

describe('a time limit', () => {
  it('ends a request without response, and one whose body does not end', async () => {
    const silent: Handler = () => {};
    const endless: Handler = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
    };
    for (const handler of [silent, endless]) {
      const { connect } = await serve(handler);
      const error: NoResponse = await addToy(connect({ timeoutMs: 50 }), { body }).then(
        undefined,
        (each) => each,
      );
      expect([error.name, error.isTimeout]).toEqual(['NoResponse', true]);
    }
  });

  it('does not end a stream', async () => {
    let end = () => {};
    const { connect } = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      end = () => response.end('data: 2\n\n');
    });
    // Of the client only: fetch and the server have the timers of Node.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    try {
      const reply = await watchToys(connect({ timeoutMs: 100 }));
      const events: StreamEvent[] = [];
      for await (const event of reply.body) {
        if (events.push(event) > 1) continue;
        jest.advanceTimersByTime(101);
        end();
      }
      expect(events.map(({ data }) => data)).toEqual(['1', '2']);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a signal', () => {
  it('cancels a request, the wait before a retry, and a stream, and frees the connection', async () => {
    const reason = new Error('enough');
    const cancelled = async (handler: Handler, act: (signal: AbortSignal) => Promise<unknown>) => {
      const abort = new AbortController();
      const gone = Promise.withResolvers<void>();
      const { connect } = await serve((request, response) => {
        response.on('close', () => gone.resolve());
        handler(request, response);
        setTimeout(() => abort.abort(reason), 20);
      });
      connection = connect({ retry: { baseDelayMs: 20_000, maxDelayMs: 20_000 } });
      await expect(act(abort.signal)).rejects.toBe(reason);
      await gone.promise;
    };
    let connection = (await serve(ok)).connect();
    await cancelled(
      () => {},
      (signal) => getToy(connection, toy, { signal }),
    );
    await cancelled(status(503), (signal) => getToy(connection, toy, { signal }));
    await cancelled(
      (_, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n'),
      async (signal) => {
        const { body } = await watchToys(connection, {}, { signal });
        for await (const _ of body);
      },
    );
    const aborted = { signal: AbortSignal.abort(reason) };
    await expect(getToy(connection, toy, aborted)).rejects.toBe(reason);
  });

  it('cancels the wait before a retry when it aborts while the response is discarded', async () => {
    const reason = new Error('enough');
    const abort = new AbortController();
    const { connect } = await serve(ok);
    const unavailable = new ReadableStream({ cancel: () => abort.abort(reason) });
    const connection = connect({
      retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 },
      fetch: async () => new Response(unavailable, { status: 503 }),
    });
    await expect(getToy(connection, toy, abort)).rejects.toBe(reason);
  });

  it('has no listeners after calls that ended, failed, were retried, timed out or streamed', async () => {
    const { signal } = new AbortController();
    const events: Handler = (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: 1\n\n');
    const handlers: Handler[] = [
      ok,
      status(404),
      status(418),
      status(503),
      ok,
      reset,
      reset,
      reset,
    ];
    const { connect } = await serve(...handlers, () => {}, events);
    const calls = handlers.length - 3;
    for (let call = 0; call < calls; call++) {
      await getToy(connect(), toy, { signal }).catch(() => {});
    }
    await addToy(connect({ timeoutMs: 20 }), { body }, { signal }).catch(() => {});
    for (let call = 0; call < 2; call++) {
      const reply = await watchToys(connect(), {}, { signal });
      for await (const _ of reply.body) if (call === 0) break;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('credentials', () => {
  it('are those of the first alternative that the client has', async () => {
    const { connect, seen } = await serve(ok);
    await getToy(connect({}, { bearer: 'static', key: 'k' }), toy);
    await getToy(connect({}, { bearer: async () => 'async' }), toy);
    await getToy(connect({}, { key: 'k y' }), { ...toy, query: { page: 1 } });
    await getToy(connect({}), toy);
    const basic: OperationFunction<Toys['get']> = operation({
      ...{ id: 'basic', method: 'GET', path: '/basic/{id}', replies, security: [['basic']] },
    });
    await basic(connect({}, { basic: { username: 'é', password: 'p' } }), { path: { id: 1n } });
    const path = '/toys/9007199254740993';
    expect(seen).toEqual([
      `GET ${path} Bearer static`,
      `GET ${path} Bearer async`,
      `GET ${path}?page=1&key=k%20y -`,
      `GET ${path} -`,
      `GET /basic/1 Basic ${Buffer.from('é:p').toString('base64')}`,
    ]);
  });

  it('are renewed once after a 401, by concurrent requests together', async () => {
    const { connect, seen } = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer new') ok(request, response);
      else response.writeHead(401).end();
    });
    let token = 'old';
    const rejected: unknown[] = [];
    const connection = connect(
      {},
      {
        async bearer({ rejected: value }) {
          if (value === undefined) return token;
          rejected.push(value);
          await new Promise((resolve) => setTimeout(resolve, 20));
          token = 'new';
          return token;
        },
      },
    );
    const calls = Array.from({ length: 5 }, () => addToy(connection, { body }));
    const statuses = (await Promise.all(calls)).map((reply) => reply.status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(rejected).toEqual(['old']);
    expect(seen).toHaveLength(10);
  });

  it.each([2, 20])(
    'are renewed once for %i requests whose 401 arrives after the renewal',
    async (count) => {
      const late: (() => void)[] = [];
      const answered = new EventEmitter();
      const { connect } = await serve((request, response) => {
        if (request.headers.authorization === 'Bearer new') {
          ok(request, response);
          answered.emit('ok');
        } else late.push(() => void response.writeHead(401).end());
      });
      let token = 'old';
      let renewals = 0;
      const bearer = async ({ rejected }: { rejected: unknown }) => {
        if (rejected !== undefined) {
          renewals++;
          token = 'new';
        }
        return token;
      };
      const connection = connect({}, { bearer });
      const calls = Array.from({ length: count }, () => addToy(connection, { body }));
      while (late.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
      for (const reject of late) {
        const next = once(answered, 'ok');
        reject();
        await next;
      }
      const replies = await Promise.all(calls);
      expect(replies.filter((reply) => reply.status === 200)).toHaveLength(count);
      expect(renewals).toBe(1);
    },
  );

  it('are renewed one after another, also if requests sent other ones', async () => {
    const { connect, seen } = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer 3') ok(request, response);
      else response.writeHead(401).end();
    });
    const sent = ['1', '2'];
    let token = '2';
    let pending = 0;
    const rejections: unknown[] = [];
    const bearer = async ({ rejected }: { rejected: unknown }) => {
      if (rejected === undefined) return sent.shift() ?? token;
      rejections.push(rejected);
      expect(++pending).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      pending--;
      token = '3';
      return token;
    };
    const connection = connect({}, { bearer });
    const replies = await Promise.all([1, 2].map(() => addToy(connection, { body })));
    expect(replies.map((reply) => reply.status)).toContain(200);
    expect(rejections).toEqual(['2']);
    expect(seen.length).toBeLessThanOrEqual(4);
  });

  it('are sent once if the renewal changes nothing, or the new ones are rejected', async () => {
    const { connect, seen } = await serve(status(401));
    expect((await getToy(connect({}, { bearer: 'static' }), toy)).status).toBe(401);
    expect((await getToy(connect({}, { bearer: () => 'same' }), toy)).status).toBe(401);
    expect(seen).toHaveLength(2);
    let count = 0;
    expect((await getToy(connect({}, { bearer: () => `${count++}` }), toy)).status).toBe(401);
    expect(seen).toHaveLength(4);
  });
});

describe('middleware', () => {
  it('changes requests and responses, in order and in reverse order', async () => {
    const { connect, seen } = await serve(status(503), ok);
    const log: string[] = [];
    const named = (name: string) => ({
      before({ attempt, headers }: { attempt: number; headers: Headers }) {
        log.push(`before ${name} ${attempt}`);
        headers.append('Authorization', name);
      },
      after(response: Response) {
        log.push(`after ${name} ${response.status}`);
      },
    });
    await getToy(connect({ middleware: [named('a'), named('b')], headers: { 'X-A': '1' } }), toy);
    expect(log).toEqual([
      ...['before a 1', 'before b 1', 'after b 503', 'after a 503'],
      ...['before a 2', 'before b 2', 'after b 200', 'after a 200'],
    ]);
    expect(seen.every((each) => each.endsWith(' a, b'))).toBe(true);
  });

  it('responds instead of the service', async () => {
    const { connect, seen } = await serve(ok);
    const before = () => new Response(null, { status: 500 });
    const after = () => new Response(null, { status: 501 });
    expect((await getToy(connect({ middleware: [{ before }, { after }] }), toy)).status).toBe(501);
    expect(seen).toEqual([]);
  });
});
