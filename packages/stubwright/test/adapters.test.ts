// The adapters of Koa, Node and fetch, each on a real socket where it has one.
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import cors from '@koa/cors';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import mount from 'koa-mount';
import { hasResponse, responseOf } from '../src/adapters/koaResponse.ts';
import { fetchHandler } from '../src/fetch.ts';
import { type ApiOptions, createApi, Problem } from '../src/index.ts';
import { koaMiddleware } from '../src/koa.ts';
import { requestListener } from '../src/node.ts';
import { testClient } from '../src/testing.ts';
import { loadedContract } from './support/contract.ts';
import { ADAPTERS, closeServers, served, servedBy } from './support/listening.ts';

const TOY = '{type: object, required: [id], properties: {id: {type: integer, format: int64}}}';
const CONTRACT = loadedContract(`
paths:
  /toys:
    post:
      operationId: storeToy
      requestBody: {required: true, content: {application/json: {schema: ${TOY}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: ${TOY}}}}}
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
      responses: {'200': {description: ok, content: {application/json: {schema: ${TOY}}}}}
  /files:
    post:
      operationId: copyFile
      requestBody: {required: true, content: {application/octet-stream: {}, application/xml: {}}}
      responses: {'200': {description: ok, content: {application/octet-stream: {}}}}
  /nothing: {get: {operationId: getNothing, responses: {'204': {description: none}, '200': {description: empty}}}}
  /reset: {get: {operationId: reset, responses: {'205': {description: reset, content: {text/plain: {}}}}}}
`);

const SESSION = loadedContract(`
openapi: 3.2.0
paths:
  /items:
    get:
      operationId: asItems
      responses:
        '204':
          description: signed in
          headers:
            Set-Cookie: {required: true, schema: {type: array, items: {type: string}}, example: [a=1, 'b=2; Path=/']}
            X-Tags: {required: true, schema: {type: array, items: {type: string}}, example: [x, y]}
  /one:
    get:
      operationId: asOne
      responses: {'204': {description: signed in, headers: {Set-Cookie: {schema: {type: string}}}}}
  /text:
    get:
      operationId: asText
      responses:
        '204':
          description: signed in
          headers:
            Set-Cookie: {required: true, content: {text/plain: {schema: {type: string}, example: "a=1\\nb=2; Path=/"}}}
            X-Tags: {required: true, schema: {type: array, items: {type: string}}, example: [x, y]}
`);

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
type AnyRequest = any;

const handlers = {
  storeToy: async ({ body }: AnyRequest) => ({ status: 200, body }),
  async getToy({ path: { id } }: AnyRequest) {
    if (id === 404n) throw new Problem(404, 'no toy has the id 404');
    if (id === 500n) throw new TypeError('a defect');
    if (id === 501n) return { status: 200, body: { id: 'not a number' } };
    return { status: 200, body: { id } };
  },
  copyFile: async ({ body }: AnyRequest) => ({ status: 200, body }),
  getNothing: async ({ query }: AnyRequest) => ({ status: query.empty ? 200 : 204 }),
  reset: async () => ({ status: 205, body: 'not sent' }),
};

const create = <Native = unknown>(options: Partial<ApiOptions<unknown, Native>> = {}) =>
  createApi<unknown, Native>({ contract: CONTRACT, handlers, ...options });

afterEach(closeServers);

const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});

type Options = Partial<
  Pick<ApiOptions<unknown>, 'contract' | 'handlers' | 'mock' | 'responseValidation'>
>;

describe.each(Object.entries(ADAPTERS))('stubwright/%s', (_, serve) => {
  const open = async () => serve(await create());

  it.each<[string, RequestInit | undefined, number, string | RegExp]>([
    ['/toys/9007199254740993', {}, 200, '{"id":9007199254740993}'],
    ['/toys/x', {}, 400, 'path parameter id expected'],
    ['/toys', post('{"id":9223372036854775807}'), 200, '{"id":9223372036854775807}'],
    ['/toys', post('{"id":9223372036854775808}'), 400, 'int64'],
    ['/toys', post('{'), 400, 'JSON'],
    ['/toys', { method: 'POST' }, 400, 'expected a body'],
    ['/toys', post('{}', 'text/csv'), 415, 'application/json'],
    ['/toys/404', {}, 404, 'no toy has the id 404'],
    ['/toys/500', {}, 500, 'internal error'],
    ['/toys/501', {}, 500, 'internal error'],
    ['/nowhere', {}, 404, 'no such path'],
    ['/toys', {}, 405, 'POST'],
    ['/nothing', {}, 204, ''],
    ['/reset', {}, 205, /^$/],
    ['/files', post('bytes', 'application/octet-stream'), 200, 'bytes'],
  ])('%s %j gets %d', async (path, init, status, text) => {
    const request = await open();
    const response = await request(path, init);
    expect([response.status, await response.text()]).toEqual([
      status,
      typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
    ]);
    if (status >= 400) {
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it('rejects a body above the limit', async () => {
    const request = await open();
    const response = await request('/toys', post(`"${'x'.repeat(1024 * 1024)}"`));
    expect(response.status).toBe(413);
  });

  it('returns no body for HEAD', async () => {
    const request = await open();
    const response = await request('/toys/1', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it('responds to OPTIONS with the methods of the path', async () => {
    const request = await open();
    const response = await request('/toys', { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });
});

describe.each(Object.entries(ADAPTERS))('Set-Cookie in stubwright/%s', (_, serve) => {
  const open = async (options: Options) => serve(await create(options));
  const LINES = ['a=1', 'b=2; Path=/'];
  const tags = { 'X-Tags': ['x', 'y'] };
  const replying = (items: unknown, text: unknown) => ({
    handlers: {
      asItems: async () => ({ status: 204, headers: { 'Set-Cookie': items, ...tags } }),
      asOne: async () => ({ status: 204, headers: { 'Set-Cookie': [items].flat()[0] } }),
      asText: async () => ({ status: 204, headers: { 'set-cookie': text, ...tags } }),
    },
  });
  const table: [string, Options][] = [
    ['a reply', replying(LINES, LINES.join('\n'))],
    ['a reply with CRLF', replying(LINES, `${LINES.join('\r\n')}\r\n`)],
    ['an unvalidated reply', { ...replying(LINES, LINES.join('\n')), responseValidation: 'off' }],
    ['a mock', { handlers: {}, mock: 'all' }],
  ];

  it.each(table)('is one line per cookie in %s', async (_name, options) => {
    const fetchFrom = await open({ contract: SESSION, ...options });
    for (const path of ['/items', '/text']) {
      const { status, headers } = await fetchFrom(path);
      expect([path, status, headers.getSetCookie()]).toEqual([path, 204, LINES]);
      expect(headers.get('x-tags')).toMatch(/^x, ?y$/);
    }
  });

  it('keeps the commas of a cookie', async () => {
    const dated = 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT';
    const fetchFrom = await open({ contract: SESSION, ...replying([dated], dated) });
    for (const path of ['/items', '/one', '/text']) {
      expect((await fetchFrom(path)).headers.getSetCookie()).toEqual([dated]);
    }
  });

  it.each(['a=1\nb=2', 'a=1\r\nX: y', 'a=1\r', 'a=\0'])('rejects the item %j', async (item) => {
    const fetchFrom = await open({ contract: SESSION, ...replying([item], `ok\n${item}\0`) });
    for (const path of ['/items', '/one', '/text'])
      expect((await fetchFrom(path)).status).toBe(500);
  });

  it('is read by the test client', async () => {
    const options = { contract: SESSION, ...replying(LINES, LINES.join('\n')) };
    const fetchFrom = await open(options);
    const client = await testClient({
      contract: SESSION,
      target: (request: Request) => fetchFrom(new URL(request.url).pathname),
    });
    expect((await client.call('asItems')).headers).toMatchObject({ 'Set-Cookie': LINES });
    expect((await client.call('asText')).headers).toMatchObject({ 'Set-Cookie': LINES.join('\n') });
  });
});

describe('in a Koa application', () => {
  it.each(['before', 'after'])('works %s koa-bodyparser', async (place) => {
    const both = [koaMiddleware(await create()), bodyParser()];
    const request = await servedBy(...(place === 'after' ? both.reverse() : both), (ctx) => {
      ctx.body = { parsed: (ctx.request as { body?: unknown }).body };
    });
    const exact = '{"id":9007199254740993}';
    expect(await (await request('/toys', post(exact))).text()).toBe(exact);
    expect((await request('/toys', post('{"id":"x"}'))).status).toBe(400);
    expect(await (await request('/other', post('{"a":1}'))).json()).toEqual({ parsed: { a: 1 } });
    const file = await request('/files', post('bytes', 'application/octet-stream'));
    expect(await file.text()).toBe('bytes');
  });

  it('streams a body that koa-bodyparser has read', async () => {
    const parser = bodyParser({ enableTypes: ['xml'], xmlLimit: '2mb' });
    const request = await servedBy(parser, koaMiddleware(await create()));
    const copied = await request('/files', post('<toy/>', 'application/xml'));
    expect([copied.status, await copied.text()]).toEqual([200, '<toy/>']);
    const tooLarge = await request('/files', post('x'.repeat(1024 * 1024 + 1), 'application/xml'));
    expect(tooLarge.status).toBe(413);
  });

  it('lets outer middleware see and change the response', async () => {
    const seen: unknown[] = [];
    const outer: Middleware = async (ctx, next) => {
      await next();
      seen.push([ctx.status, ctx.body, ctx.response.get('content-type')]);
      ctx.set('X-Request-Id', '7');
      ctx.body = `${ctx.body} `;
    };
    const response = await (await servedBy(outer, koaMiddleware(await create())))('/toys/1');
    expect(seen).toEqual([[200, '{"id":1}', 'application/json']]);
    expect(response.headers.get('x-request-id')).toBe('7');
    expect(await response.text()).toBe('{"id":1} ');
  });

  it('leaves other paths and methods to the next middleware', async () => {
    const router = new Router();
    router.get('/pages', (ctx) => {
      ctx.body = 'page';
    });
    router.delete('/toys', (ctx) => {
      ctx.status = 204;
    });
    const request = await servedBy(koaMiddleware(await create()), router.routes() as Middleware);
    expect(await (await request('/pages')).text()).toBe('page');
    expect((await request('/toys', { method: 'DELETE' })).status).toBe(204);
    const missing = await request('/nowhere');
    expect([missing.status, await missing.text()]).toEqual([404, 'Not Found']);
    const put = await request('/toys', { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it.each(['before', 'after'])('leaves CORS to @koa/cors %s it', async (place) => {
    const origin = 'https://app.example';
    const both = [cors({ origin }), koaMiddleware(await create({ mock: 'all' }))];
    const request = await servedBy(...(place === 'before' ? both : both.reverse()));
    const headers = { origin, 'access-control-request-method': 'POST' };
    const preflight = await request('/toys', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
  });

  it('is mounted under a prefix, by koa-mount or as base path', async () => {
    const mounted = mount('/api', koaMiddleware(await create(), { unmatched: 'respond' }));
    const request = await servedBy(mounted, koaMiddleware(await create({ basePath: '/v2' })));
    for (const base of ['/api', '/v2']) {
      expect(await (await request(`${base}/toys/1`)).text()).toBe('{"id":1}');
    }
    expect((await request('/api/nowhere')).status).toBe(404);
    expect(await (await request('/toys/1')).text()).toBe('Not Found');
  });

  it('emits the cause of a 500 as the error event of the application, and logs nothing', async () => {
    const app = new Koa();
    const errors: unknown[] = [];
    app.on('error', (error: Error, ctx: Context) => errors.push([error.message, ctx.path]));
    app.use(koaMiddleware(await create()));
    const request = await served(app.callback());
    await request('/toys/500');
    await request('/toys/404');
    expect(errors).toEqual([['a defect', '/toys/500']]);
  });

  it('passes the result of `context` to the handler', async () => {
    const api = await create<Context>({
      verifiers: {},
      context: async ({ native, operationId, principal }) => ({
        user: native.state['user'],
        operationId,
        principal,
      }),
      handlers: {
        ...handlers,
        getToy: async (_: unknown, context: unknown) => {
          contexts.push(context);
          return { status: 200, body: { id: 1n } };
        },
      },
    });
    const contexts: unknown[] = [];
    const login: Middleware = (ctx, next) => {
      ctx.state['user'] = 'ann';
      return next();
    };
    const request = await servedBy(login, koaMiddleware(api));
    await request('/toys/1');
    await request('/toys/x');
    expect(contexts).toEqual([{ user: 'ann', operationId: 'getToy', principal: undefined }]);
  });

  it('reports a body that another middleware has read', async () => {
    const app = new Koa();
    const errors: string[] = [];
    app.on('error', (error: Error) => errors.push(error.message));
    app.use(async (ctx, next) => {
      for await (const _chunk of ctx.req);
      await next();
    });
    app.use(koaMiddleware(await create()));
    const request = await served(app.callback());
    expect((await request('/toys', post('{"id":1}'))).status).toBe(500);
    expect(errors[0]).toContain('was read by another middleware');
  });
});

describe('requestListener', () => {
  it('calls next for other paths and methods', async () => {
    const listener = requestListener(await create());
    const request = await served((req, res) => listener(req, res, () => res.end('next')));
    expect(await (await request('/toys/1')).text()).toBe('{"id":1}');
    expect(await (await request('/nowhere')).text()).toBe('next');
    expect(await (await request('/toys', { method: 'PUT' })).text()).toBe('next');
  });
});

describe('createApi', () => {
  it('lists its operations', async () => {
    expect((await create()).operations[1]).toEqual({
      operationId: 'getToy',
      method: 'GET',
      path: '/toys/{id}',
    });
  });

  it('emits an event for each response', async () => {
    const api = await create();
    const events: unknown[] = [];
    api.events.on('responded', ({ durationMs: _, ...event }) => events.push(event));
    const handle = fetchHandler(api);
    await handle(new Request('http://t/toys/1'));
    await handle(new Request('http://t/nowhere'));
    expect(events).toEqual([
      { method: 'GET', route: '/toys/{id}', operationId: 'getToy', status: 200, cause: undefined },
      { method: 'GET', route: undefined, operationId: undefined, status: 404, cause: undefined },
    ]);
  });

  it.each([
    ['strict', 500, 'internal error', true],
    ['log', 200, '{"id":"not a number"}', true],
    ['off', 200, '"not a number"', false],
  ] as const)('validates replies: %s', async (responseValidation, status, text, isReported) => {
    const api = await create({ responseValidation });
    const causes: unknown[] = [];
    api.events.on('responded', ({ cause }) => causes.push(cause));
    const response = await fetchHandler(api)(new Request('http://t/toys/501'));
    expect([response.status, await response.text()]).toEqual([
      status,
      expect.stringContaining(text),
    ]);
    expect(causes[0] !== undefined).toBe(isReported);
  });

  it('maps the errors of services', async () => {
    const api = await create({
      toProblem: (error) =>
        error instanceof TypeError ? new Problem(503, 'try again') : undefined,
    });
    const response = await fetchHandler(api)(new Request('http://t/toys/500'));
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'try again',
    });
  });

  it('needs no option but the contract', async () => {
    const api = await createApi({ contract: CONTRACT, mock: 'all' });
    expect((await fetchHandler(api)(new Request('http://t/toys/1'))).status).toBe(200);
  });

  it('passes credentials, request and scopes to a verifier', async () => {
    const secured = loadedContract(`
components: {securitySchemes: {oauth: {type: oauth2, flows: {}}}}
paths:
  /a: {get: {operationId: get, security: [{oauth: [read]}, {oauth: [admin]}], responses: {'204': {description: ok}}}}
`);
    const calls: unknown[] = [];
    const api = await createApi<undefined, Request>({
      contract: secured,
      handlers: { get: async () => ({ status: 204 }) },
      verifiers: {
        oauth(credentials, { operationId, native }, scopes) {
          calls.push([credentials, operationId, native.url, scopes]);
          return { name: 'ann', scopes: ['read'] };
        },
      },
    });
    const headers = { authorization: 'Bearer token' };
    const response = await fetchHandler(api)(new Request('http://t/a', { headers }));
    expect(response.status).toBe(204);
    expect(calls).toEqual([['token', 'get', 'http://t/a', ['read', 'admin']]]);
    const challenge = (await fetchHandler(api)(new Request('http://t/a'))).headers;
    expect(challenge.get('www-authenticate')).toBe('Bearer realm="Toys"');
  });
});

describe('a body of a Koa context', () => {
  const bytes = () => new Blob(['text']).stream();
  /** As streams were before Node 0.10. */
  const oldStream = () => {
    const stream = new EventEmitter();
    setImmediate(() => {
      stream.emit('data', Buffer.from('text'));
      stream.emit('end');
    });
    return Object.assign(stream, { pipe() {}, pause() {}, resume() {} });
  };

  it.each<[string, () => unknown, string | undefined]>([
    ['nothing', () => undefined, undefined],
    ['null', () => null, undefined],
    ['a string', () => 'text', 'text'],
    ['bytes', () => Buffer.from('text'), 'text'],
    ['a stream', () => Readable.from(['text']), 'text'],
    ['a Blob', () => new Blob(['text']), 'text'],
    ['a ReadableStream', bytes, 'text'],
    ['a Response', () => new Response('text'), 'text'],
    ['a Response without a body', () => new Response(), undefined],
    ['a stream without promises', oldStream, 'text'],
    ['an object', () => ({ a: 1 }), '{"a":1}'],
  ])('may be %s', async (_, make, expected) => {
    const removed: string[] = [];
    const value = make();
    const ctx = { status: 201, body: value, remove: (name: string) => removed.push(name) };
    const { status, headers, body } = responseOf(ctx as never);
    expect([status, headers]).toEqual([201, {}]);
    expect(removed).toEqual(body instanceof Readable ? [] : ['Content-Length']);
    expect(body && String(body instanceof Readable ? await textOf(body) : body)).toBe(expected);
  });

  it.each<[object, boolean]>([
    [{ status: 404, body: undefined }, false],
    [{ status: 404, body: null }, false],
    [{ status: 404, body: '' }, true],
    [{ status: 204, body: undefined }, true],
  ])('of %j is a response: %j', (ctx, isResponse) => {
    expect(hasResponse(ctx as never)).toBe(isResponse);
  });
});
