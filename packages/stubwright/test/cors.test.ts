// CORS: preflights, the headers of all responses, hostile origins, and options that are refused.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLog, readSettings, type Service, startService } from '@stubwright/service';
import { type ApiOptions, type CorsOptions, createApi, mocked, Problem } from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import { loadedContract } from './support/contract.ts';
import {
  ADAPTERS as API_ADAPTERS,
  closeServers,
  type Send,
  sendTo,
  served,
} from './support/listening.ts';

const APP = 'https://app.example';
const TEXT = '{description: ok, content: {text/plain: {}}}';
const YAML = `
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
    session: {type: apiKey, in: cookie, name: sid}
paths:
  /toy:
    get:
      operationId: getToy
      responses: {'200': {description: ok, headers: {X-Page: {schema: {type: integer}}, Cache-Control: {schema: {}}, Content-Language: {schema: {}}, Expires: {schema: {}}, Last-Modified: {schema: {}}, Pragma: {schema: {}}, Set-Cookie: {schema: {}}}, content: {text/plain: {}}}}
    put:
      operationId: putToy
      security: [{bearer: []}, {key: []}]
      parameters: [{name: X-Trace, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'200': ${TEXT}}
  /own:
    options: {operationId: ownOptions, responses: {'204': {description: none, headers: {Access-Control-Allow-Origin: {schema: {type: string}}}}}}
    get:
      operationId: getOwn
      responses: {'200': {description: ok, headers: {Access-Control-Allow-Origin: {schema: {type: string}}, Vary: {schema: {type: string}}}, content: {text/plain: {}}}}
  /broken: {get: {operationId: getBroken, responses: {'200': ${TEXT}}}}
`;

const CONTRACT = loadedContract(YAML);

const ok = (headers: Record<string, unknown> = {}) => ({ status: 200, headers, body: 'ok' });
const OPTIONS = {
  contract: CONTRACT,
  handlers: {
    // Scripts can read the others without a permission, or never.
    getToy: () =>
      ok({
        ...{ 'X-Page': 7, 'Cache-Control': 'no-store', 'Content-Language': 'en', Expires: '0' },
        ...{ 'Last-Modified': '0', Pragma: 'no-cache', 'Set-Cookie': 'a=b' },
      }),
    putToy: () => ok(),
    ownOptions: () => ({
      status: 204,
      headers: { 'Access-Control-Allow-Origin': 'https://own.example' },
    }),
    getOwn: () => ok({ 'Access-Control-Allow-Origin': 'https://own.example', Vary: 'Accept' }),
    getBroken: () => {
      throw new Problem(429, 'slower', { headers: { 'Retry-After': '1' } });
    },
  },
  verifiers: {
    bearer: (token: string) => (token === 'good' ? { name: 'alice' } : undefined),
    key: () => undefined,
    session: () => undefined,
  },
};

const services: Service[] = [];
afterEach(async () => {
  closeServers();
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

const create = (options: object) => createApi({ ...OPTIONS, ...options } as ApiOptions<unknown>);

const ADAPTERS: Readonly<Record<string, (cors: CorsOptions, handlers?: object) => Promise<Send>>> =
  {
    koa: async (cors) => API_ADAPTERS.koa(await create({ cors })),
    node: async (cors) => API_ADAPTERS.node(await create({ cors })),
    fetch: async (cors) => API_ADAPTERS.fetch(await create({ cors })),
    async express(cors) {
      const listener = requestListener(await create({ cors }));
      return served((req, res) => listener(req, res, () => res.writeHead(501).end()));
    },
    async service(cors, handlers = OPTIONS.handlers) {
      const service = await startService({
        ...{ ...OPTIONS, handlers, cors },
        verifiers: () => OPTIONS.verifiers,
        env: { PORT: '0', LAG_LIMIT: '60000', DOCS: 'off' },
        log: createLog('silent'),
      } as never);
      services.push(service);
      return sendTo(service.url);
    },
  };

/** The CORS headers of a response, in lower case and without `Access-Control-`. */
const shown = ({ status, headers }: Response) => ({
  status,
  ...Object.fromEntries(
    [...headers]
      .filter(([name]) => name.startsWith('access-control-') || name === 'vary')
      .map(([name, value]) => [name.replace('access-control-', ''), value]),
  ),
});

const preflight = (method: string, origin = APP): RequestInit => ({
  method: 'OPTIONS',
  headers: { Origin: origin, 'Access-Control-Request-Method': method },
});
const from = (origin: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { Origin: origin, ...init.headers },
});

const VARY = { vary: 'Origin' };
const ALLOWED = { 'allow-origin': APP, ...VARY };
const exposing = (name: string) => ({ ...ALLOWED, 'expose-headers': name });

describe.each(Object.keys(ADAPTERS))('CORS under %s', (adapter) => {
  const PUT = { 'allow-methods': 'GET, PUT, HEAD', 'max-age': '600' };
  const NAMES = 'Content-Type, Authorization, X-Key, X-Trace, Traceparent, Tracestate';
  const JSON_HEADERS = { Authorization: 'Bearer good', 'Content-Type': 'application/json' };
  const malformed = { method: 'PUT', body: '{', headers: JSON_HEADERS };
  const own = { 'allow-origin': 'https://own.example' };
  const evil = 'https://evil.example';

  it.each<[status: number, path: string, init: RequestInit, headers: object]>([
    [200, '/toy', from(APP), exposing('X-Page')],
    [200, '/toy', {}, VARY],
    [401, '/toy', from(APP, { method: 'PUT', body: '{}' }), exposing('WWW-Authenticate')],
    [400, '/toy', from(APP, malformed), ALLOWED],
    [429, '/broken', from(APP), exposing('Retry-After')],
    // A preflight has no token.
    [204, '/toy', preflight('PUT'), { ...ALLOWED, ...PUT, 'allow-headers': NAMES }],
    [204, '/toy', preflight('DELETE'), { ...ALLOWED, ...PUT }],
    [204, '/toy', preflight('PUT', evil), VARY],
    [204, '/toy', preflight('PUT', 'null'), VARY],
    // The contract declares it, or the handler has CORS headers.
    [204, '/own', preflight('GET'), { ...own, ...VARY }],
    [200, '/own', from(APP), { ...own, vary: 'Accept, Origin' }],
  ])('%d %s %j', async (status, path, init, headers) => {
    const send = await ADAPTERS[adapter]!({ origins: [APP] });
    expect(shown(await send(path, init))).toEqual({ status, ...headers });
  });

  it('permits no other origin', async () => {
    const similar = ['https://app.exampl', `${APP}.evil.example`, `${APP}:8443`, `${APP}, ${evil}`];
    const send = await ADAPTERS[adapter]!({ origins: [APP] });
    const others = [evil, 'null', 'http://app.example', 'https://APP.example', ...similar];
    for (const origin of others) {
      const response = shown(await send('/toy', from(origin)));
      expect([origin, response]).toEqual([origin, { status: 200, ...VARY }]);
    }
  });
});

describe('CORS', () => {
  const send = (cors: CorsOptions) => ADAPTERS['node']!(cors);

  it('allows any origin without naming it', async () => {
    const any = await send({ origins: ['*'], maxAgeSeconds: 0 });
    const headers = { 'allow-origin': '*', 'expose-headers': 'X-Page' };
    for (const origin of [APP, 'https://evil.example', 'null']) {
      expect(shown(await any('/toy', from(origin)))).toEqual({ status: 200, ...headers });
    }
    expect(shown(await any('/toy', preflight('GET')))).toMatchObject({ 'max-age': '0' });
  });

  const WITH_COOKIE = { security: [{ session: [] }, {}] };
  it.each<[part: object, options: object, expected: string | null]>([
    [{}, {}, null],
    [{}, { credentials: true }, 'true'],
    [WITH_COOKIE, {}, 'true'],
    [WITH_COOKIE, { credentials: false }, null],
    [WITH_COOKIE, { origins: ['*'] }, null],
  ])('has with %j in the contract and %j the credentials %j', async (part, options, expected) => {
    const contract = loadedContract({ ...CONTRACT.definition.document, ...part });
    const api = await create({ contract, cors: { origins: [APP], ...options } });
    const response = await (await served(requestListener(api)))('/toy', from(APP));
    expect(shown(response)).toMatchObject({ status: 200 });
    expect(response.headers.get('access-control-allow-credentials')).toBe(expected);
  });

  it('comes from x-cors of the contract, unless the options differ', async () => {
    const contract = loadedContract(`${YAML}\nx-cors: {origins: ['${APP}'], maxAgeSeconds: 60}`);
    const declared = await served(requestListener(await create({ contract })));
    expect(shown(await declared('/toy', preflight('GET')))).toMatchObject({
      'max-age': '60',
      ...ALLOWED,
    });
    const cors = { origins: ['https://other.example'] };
    const other = await served(requestListener(await create({ contract, cors })));
    expect(shown(await other('/toy', from(APP)))).toEqual({ status: 200, ...VARY });
  });

  it('is absent without options', async () => {
    const none = await served(requestListener(await create({})));
    expect(shown(await none('/toy', from(APP)))).toEqual({ status: 200 });
    expect(shown(await none('/toy', preflight('GET')))).toEqual({ status: 204 });
  });

  it('leaves a preflight of an unknown path to the engine', async () => {
    const own = await send({ origins: [APP] });
    expect(shown(await own('/unknown', preflight('GET')))).toEqual({ status: 404, ...ALLOWED });
  });

  it('of the options also applies to mocked operations', async () => {
    const handlers = { ...OPTIONS.handlers, getToy: mocked };
    const api = await create({ handlers, cors: { origins: [APP] } });
    const own = await served(requestListener(api));
    expect(shown(await own('/toy', from('https://evil.example')))).toEqual({
      status: 200,
      ...VARY,
    });
  });

  it('allows any origin for the mocked operations of a service only, unless the options have origins', async () => {
    const handlers = { ...OPTIONS.handlers, getToy: mocked };
    const any = (own: Send, path: string) =>
      own(path, from('https://any.example')).then(({ headers }) =>
        headers.get('Access-Control-Allow-Origin'),
      );
    const open = await ADAPTERS['service']!(undefined as never, handlers);
    expect([await any(open, '/toy'), await any(open, '/broken')]).toEqual([
      'https://any.example',
      null,
    ]);
    const closed = await ADAPTERS['service']!({ origins: [APP] }, handlers);
    expect(await any(closed, '/toy')).toBeNull();
  });
});

const ORIGIN =
  'expected an origin such as https://app.example: a scheme and a lower-case host, perhaps a port, no path';
const REFUSED: readonly [unknown, string][] = [
  [
    { origins: ['*'], credentials: true },
    'got * with credentials, expected a list of origins: with *, any page could act as the user',
  ],
  [{ origins: ['*', APP] }, 'got * and other origins, expected * alone or a list of origins'],
  [{ origins: [APP, 'null', ''] }, `got "null", ${ORIGIN}`],
  [{ origins: [`${APP}/`] }, `got "${APP}/", ${ORIGIN}`],
  [{ origins: ['app.example'] }, `got "app.example", ${ORIGIN}`],
  [{ origins: ['https://*.example'] }, `got "https://*.example", ${ORIGIN}`],
  [{ origins: ['https://App.example'] }, `got "https://App.example", ${ORIGIN}`],
  [{ origins: ['https://app.example:443'] }, `got "https://app.example:443", ${ORIGIN}`],
  [{ origins: ['https://user@app.example'] }, `got "https://user@app.example", ${ORIGIN}`],
  [{ origins: [''] }, `got "", ${ORIGIN}`],
  [{ origins: [7] }, `got 7, ${ORIGIN}`],
  [{ origins: APP }, `got origins '${APP}', expected an array of origins`],
  [{ origins: [APP], credentials: 'yes' }, "got credentials 'yes', expected true or false"],
  [{ origins: [APP], maxAgeSeconds: -1 }, 'got maxAgeSeconds -1, expected an integer from 0'],
  [true, 'got true, expected an object with origins'],
];

it.each(REFUSED)('refuses %j', async (cors, message) => {
  await expect(create({ cors })).rejects.toThrow(`cors: ${message}`);
  const contract = loadedContract(`${YAML}\nx-cors: ${JSON.stringify(cors)}`);
  await expect(create({ contract })).rejects.toThrow(`x-cors: ${message}`);
});

describe('CORS_ORIGINS', () => {
  it.each<[Record<string, string>, object | undefined]>([
    [{ CORS_ORIGINS: '' }, undefined],
    [{ CORS_ORIGINS: '*' }, { origins: ['*'] }],
    [
      { CORS_ORIGINS: `${APP}, http://[::1]:5173, capacitor://localhost` },
      { origins: [APP, 'http://[::1]:5173', 'capacitor://localhost'] },
    ],
  ])('%j', (env, expected) => {
    expect(readSettings(env).cors).toEqual(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ CORS_ORIGINS: '*', CORS_CREDENTIALS: 'on' }, `CORS_ORIGINS: ${REFUSED[0]![1]}`],
    [{ CORS_ORIGINS: `${APP},` }, `CORS_ORIGINS: got "", ${ORIGIN}`],
    [
      { CORS_ORIGINS: APP, CORS_CREDENTIALS: 'yes' },
      'CORS_CREDENTIALS: got "yes", expected one of default, on, off',
    ],
  ])('refuses %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it('replaces the origins of the options, also for rejections of the server', async () => {
    const service = await startService({
      ...OPTIONS,
      cors: { origins: ['https://other.example'] },
      verifiers: () => OPTIONS.verifiers,
      env: { PORT: '0', CORS_ORIGINS: APP, LAG_LIMIT: '60000', BODY_LIMIT: '10', DOCS: 'off' },
      log: createLog('silent'),
    } as never);
    services.push(service);
    const send = sendTo(service.url);
    const large = {
      method: 'PUT',
      body: JSON.stringify({ a: 'too large' }),
      headers: { Authorization: 'Bearer good', 'Content-Type': 'application/json' },
    };
    expect(shown(await send('/toy', from(APP, large)))).toMatchObject({ status: 413, ...ALLOWED });
    const request = httpRequest(`${service.url}/toy`, {
      headers: { Origin: APP, Expect: 'nothing' },
      agent: false,
    }).end();
    const [{ statusCode, headers }] = await once(request, 'response');
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([417, APP]);
  });
});
