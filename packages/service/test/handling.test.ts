// A service around its handlers: context, log, Koa middleware, and requests during a shutdown.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import type { Middleware } from 'koa';
import { Problem, type RequestOutcome } from 'stubwright';
import { requestOf, type Service } from '../src/index.ts';
import { type StartOptions, startedServices } from './support/startedServices.ts';

const TEXT = '{description: ok, content: {text/plain: {}}}';
const CONTRACT = loadedContract(`
paths:
  /toy:
    get: {operationId: getToy, responses: {'200': ${TEXT}}}
    post:
      operationId: storeToy
      requestBody: {content: {application/json: {schema: {type: object, required: [id]}}}}
      responses: {'200': ${TEXT}, '400': {description: no, content: {application/problem+json: {}}}}
  /events:
    get: {operationId: getEvents, responses: {'200': {description: ok, content: {text/event-stream: {}}}}}
  /file: {get: {operationId: getFile, responses: {'200': {description: ok, content: {application/octet-stream: {}}}}}}
  /items:
    get:
      operationId: getItems
      responses: {'200': {description: ok, content: {text/event-stream: {x-item-schema: {properties: {data: {type: integer, format: int64}}}}}}}
  /slow: {get: {operationId: getSlow, responses: {'200': ${TEXT}}}}
`);

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
type AnyRequest = any;

const text = (body: string) => ({ status: 200, body });
const opened = () => {
  const body = new Readable({ read() {} });
  body.push('data: 1\n\n');
  return { status: 200, body };
};
const handlers = {
  getToy: () => text('toy'),
  storeToy: () => text('stored'),
  getEvents: opened,
  getFile: opened,
  getItems: (): { status: number; body: AsyncIterable<unknown> | Iterable<unknown> } => ({
    status: 200,
    body: [{ data: 1n }, { data: 2n }],
  }),
  getSlow: () => text('slow'),
};

const startService = startedServices();

const start = (replaced: object = {}, { bounds, ...options }: StartOptions = {}) =>
  startService(
    {
      contract: CONTRACT,
      ...options,
      handlers: { ...handlers, ...replaced },
      // A stop waits for longer than the test may take.
      bounds: { drainMs: 600_000, abortMs: 600_000, ...bounds },
    },
    { DOCS: 'off' },
  );

describe('the context of a service', () => {
  it('receives the services and the Koa context', async () => {
    const seen: unknown[] = [];
    const getToy = (_: never, context: unknown) => {
      seen.push(context);
      return text('toy');
    };
    const { url } = await start(
      { getToy },
      {
        open: async () => ({ services: { toys: 1 } }),
        middleware: [
          (ctx, next) => {
            ctx.state['user'] = 'alice';
            return next();
          },
        ],
        context: ({ native, operationId }, { toys }) => [native.state['user'], operationId, toys],
      },
    );
    expect((await fetch(`${url}/toy`)).status).toBe(200);
    expect(seen).toEqual([['alice', 'getToy', 1]]);
  });

  it('of shared services is not disposed', async () => {
    const outcomes: RequestOutcome[] = [];
    const shared = {
      [Symbol.asyncDispose]: async (outcome: RequestOutcome) => outcomes.push(outcome),
    };
    const open = async () => ({ services: shared });
    for (const options of [
      { open },
      { open, context: (_: unknown, services: unknown) => services },
    ]) {
      const { url } = await start({}, options);
      expect((await fetch(`${url}/toy`)).status).toBe(200);
    }
    expect(outcomes).toEqual([]);
  });
});

it('logs lines with the id of the request', async () => {
  const { url, lines } = await start({
    getToy({ log }: AnyRequest) {
      log.info({ toy: 7 }, 'found');
      return text('toy');
    },
  });
  await fetch(`${url}/toy`);
  const found = lines.find(({ msg }) => msg === 'found');
  const request = lines.find(({ msg }) => msg === 'request');
  expect([found?.['toy'], found?.['requestId']]).toEqual([7, request?.['id']]);
});

describe('Koa middleware', () => {
  it('has the id and the log of the request, and its operation afterwards', async () => {
    const seen: unknown[] = [];
    const getToy = (request: AnyRequest) => {
      seen.push(request.requestId);
      return text('toy');
    };
    const watch: Middleware = async (ctx, next) => {
      const request = requestOf(ctx);
      request.log.info('before');
      seen.push(request.requestId, request.operationId);
      await next();
      seen.push(request.operationId);
    };
    const { url, lines } = await start({ getToy }, { middleware: [watch] });
    await fetch(`${url}/toy`);
    const id = lines.find(({ msg }) => msg === 'before')?.['requestId'];
    expect(id).toEqual(expect.any(String));
    expect(seen).toEqual([id, undefined, id, 'getToy']);
  });

  it('of another application has no request', () => {
    expect(() => requestOf({} as never)).toThrow(
      'expected a Koa context of the middleware of a service',
    );
  });

  const before: Middleware = (ctx, next) => {
    ctx.set('X-Before', '1');
    return next();
  };
  const cases: readonly [string, Middleware, string, number, string][] = [
    [
      'sees and changes a response',
      async (ctx, next) => {
        await next();
        ctx.body = `${ctx.body} ${ctx.status}`;
        ctx.set('X-After', '1');
      },
      '/toy',
      200,
      'toy 200',
    ],
    [
      'changes the status of an error',
      async (ctx, next) => {
        await next();
        ctx.status = 410;
        ctx.body = 'gone';
      },
      '/unknown',
      410,
      'gone',
    ],
    [
      'responds itself',
      (ctx) => {
        ctx.body = { own: true };
      },
      '/toy',
      200,
      '{"own":true}',
    ],
    [
      'sends a stream',
      (ctx) => {
        ctx.body = Readable.from(['a', 'b']);
      },
      '/toy',
      200,
      'ab',
    ],
    [
      'responds with a Blob',
      (ctx) => {
        ctx.body = new Blob(['ab']);
      },
      '/toy',
      200,
      'ab',
    ],
    [
      'throws a Problem',
      () => {
        throw new Problem(429, 'slower');
      },
      '/toy',
      429,
      '{"type":"about:blank","title":"Too Many Requests","status":429,"detail":"slower"}',
    ],
    [
      'calls ctx.throw',
      (ctx) => ctx.throw(403, 'not here'),
      '/toy',
      403,
      '{"type":"about:blank","title":"Forbidden","status":403,"detail":"not here"}',
    ],
    [
      'fails',
      () => {
        throw new Error('a secret');
      },
      '/toy',
      500,
      expect.not.stringContaining('secret') as never,
    ],
    ['does nothing', () => {}, '/toy', 404, expect.stringContaining('404') as never],
  ];

  it.each(cases)('%s', async (_, middleware, path, status, body) => {
    const { url } = await start({}, { middleware: [before, middleware] });
    const response = await fetch(url + path);
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('leaves the responses of the engine as they are', async () => {
    const plain = await start();
    const around = await start({}, { middleware: [before] });
    const shown = async ({ url }: Service, path: string, init?: RequestInit) => {
      const { status, headers, ...response } = await fetch(url + path, init).then(async (each) => ({
        status: each.status,
        headers: Object.fromEntries(each.headers),
        body: await each.text(),
      }));
      const { date: _date, 'x-before': _own, ...rest } = headers;
      return { status, headers: rest, ...response };
    };
    const requests: [string, RequestInit?][] = [
      ['/toy'],
      ['/toy', { method: 'HEAD' }],
      ['/toy', { method: 'OPTIONS' }],
      ['/toy', { method: 'DELETE' }],
      ['/unknown'],
      [
        '/toy',
        { method: 'POST', body: '{"id":1}', headers: { 'Content-Type': 'application/json' } },
      ],
      ['/toy', { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } }],
    ];
    for (const [path, init] of requests) {
      expect(await shown(around, path, init)).toEqual(await shown(plain, path, init));
    }
  });

  it('comes after the checks of the server', async () => {
    const seen: string[] = [];
    const watch: Middleware = (ctx, next) => {
      seen.push(ctx.url);
      return next();
    };
    const { url } = await start({}, { middleware: [watch] });
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('GET /toy HTTP/1.1\r\nHost: a/b\r\n\r\n');
    const [bytes] = await once(socket, 'data');
    expect([String(bytes).slice(0, 12), seen]).toEqual(['HTTP/1.1 400', []]);
  });
});

describe('a shutdown', () => {
  it('ends an open event stream whole', async () => {
    const service = await start();
    const response = await fetch(`${service.url}/events`);
    await service.stop();
    expect(await response.text()).toBe('data: 1\n\n');
  });

  it.each([
    [
      'its last events',
      async function* (signal: AbortSignal) {
        yield 'data: 1\n\n';
        await once(signal, 'abort');
        yield 'data: bye\n\n';
      },
      'data: 1\n\ndata: bye\n\n',
    ],
    [
      'an error of the aborted signal',
      async function* (signal: AbortSignal) {
        yield 'data: 1\n\n';
        await sleep(600_000, undefined, { signal });
      },
      'data: 1\n\n',
    ],
  ])('ends an event stream with %s', async (_, events, body) => {
    const service = await start({
      getEvents: ({ signal }: AnyRequest) => ({ status: 200, body: Readable.from(events(signal)) }),
    });
    const response = await fetch(`${service.url}/events`);
    await service.stop();
    expect(await response.text()).toBe(body);
  });

  it.each([false, true])(
    'ends a sequence of events with a hint to connect again (%j)',
    async (isAborted) => {
      const getItems = ({ signal }: AnyRequest) => ({
        status: 200,
        body: (async function* () {
          yield { data: 1n };
          await sleep(600_000, undefined, isAborted ? { signal } : { ref: false });
        })(),
      });
      const service = await start({ getItems });
      const response = await fetch(`${service.url}/items`);
      await service.stop();
      expect(await response.text()).toMatch(/^data: 1\n\nretry: [123]\d{3}\n\n$/);
      expect(service.lines.filter(({ level }) => level !== 30)).toEqual([]);
    },
  );

  it('logs and counts a stream at its end', async () => {
    const { url, lines } = await start();
    expect(await (await fetch(`${url}/items`)).text()).toBe('data: 1\n\ndata: 2\n\n');
    while (lines.length === 0) await sleep(5);
    expect(lines).toMatchObject([{ route: '/items', status: 200, bytes: 18, items: 2 }]);
    expect(lines[0]!['headMs']).toBeLessThanOrEqual(lines[0]!['durationMs'] as number);
  });

  it('logs the violation of an item that was sent nevertheless', async () => {
    const getItems = () => ({
      status: 200,
      body: (async function* () {
        yield { data: 1n };
        await sleep(5);
        yield { data: 'x' };
      })(),
    });
    const { url, lines } = await start({ getItems }, { responseValidation: 'log' });
    expect(await (await fetch(`${url}/items`)).text()).toContain('data: x');
    while (lines.length === 0) await sleep(5);
    expect(lines).toMatchObject([{ status: 200, err: { type: 'InvalidReply' } }]);
  });

  it('logs the size of a download', async () => {
    const getFile = () => ({
      status: 200,
      body: Readable.from([Buffer.from('one '), Buffer.from('two')]),
    });
    const { url, lines } = await start({ getFile });
    expect(await (await fetch(`${url}/file`)).text()).toBe('one two');
    while (lines.length === 0) await sleep(5);
    expect(lines).toMatchObject([{ route: '/file', status: 200, bytes: 7 }]);
    expect(lines[0]).not.toHaveProperty('items');
  });

  it('completes a request in flight without an abort', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const done = Promise.withResolvers<void>();
    const getSlow = async ({ signal }: AnyRequest) => {
      started.resolve(signal);
      await done.promise;
      return text('slow');
    };
    const service = await start({ getSlow });
    const response = fetch(`${service.url}/slow`);
    const signal = await started.promise;
    const stopped = service.stop();
    await sleep(60);
    expect(signal.aborted).toBe(false);
    done.resolve();
    expect(await (await response).text()).toBe('slow');
    await stopped;
  });

  it('aborts a request in flight before its connection is closed', async () => {
    const started = Promise.withResolvers<void>();
    const getSlow = async ({ signal }: AnyRequest) => {
      const aborted = once(signal, 'abort');
      started.resolve();
      await aborted;
      return text(signal.reason.message);
    };
    const service = await start({ getSlow }, { bounds: { abortMs: 30 } });
    const response = fetch(`${service.url}/slow`);
    await started.promise;
    await service.stop();
    expect(await (await response).text()).toBe('the service is stopping');
  });

  it('does not end a download early', async () => {
    const body = new Readable({ read() {} });
    body.push('one ');
    const service = await start({ getFile: () => ({ status: 200, body }) });
    const response = await fetch(`${service.url}/file`);
    const stopped = service.stop();
    await sleep(60);
    body.push('two');
    body.push(null);
    expect(await response.text()).toBe('one two');
    await stopped;
  });
});
