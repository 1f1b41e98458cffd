// Several contracts in one service: which one a request belongs to, and what they share.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { LoadedContract } from '@stubwright/contract';
import { mocked } from '@stubwright/mock/mocked';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import { type Environment, type Service, startService } from '../src/index.ts';
import { requestsOf } from './support/logLines.ts';
import {
  authorized as headers,
  type StartedService,
  type StartOptions,
  startedServices,
} from './support/startedServices.ts';

const PROBLEM = { description: 'no', content: { 'application/problem+json': {} } };

function contractOf(
  title: string,
  paths: Record<string, object>,
  rest: Record<string, unknown> = {},
): LoadedContract {
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } };
  return {
    ...loadedContract({ info: { title, version: '1.0.0' }, components, ...rest, paths }),
    publish: async () => ({ text: `title: ${title}\n`, servers: [0, 0] as const }),
  };
}

const get = (operationId: string, scope?: string) => ({
  get: {
    operationId,
    security: [{ bearer: scope === undefined ? [] : [scope] }],
    responses: { 200: { description: 'ok', content: { 'text/plain': {} } }, default: PROBLEM },
  },
});

const OLD = contractOf('Old', { '/toys': get('listToys'), '/old': get('getOld') });
const NEW = contractOf('New', {
  '/toys': get('listToys', 'read'),
  '/v1/inner': get('getInner'),
  '/public': {
    get: { operationId: 'getPublic', responses: { 200: { description: 'ok' } } },
  },
});

const body = (text: string) => () => ({ status: 200, body: text });

const startedService = startedServices();

/** @param options by default two contracts, which share a service of the handlers */
const started = (options: StartOptions = {}, env: Environment = {}): Promise<StartedService> =>
  startedService(
    {
      verifiers: (verify) => ({ bearer: verify }),
      open: async () => ({ services: { name: 'shared' } }),
      apis: [
        {
          contract: OLD,
          basePath: '/v1',
          errors: 'numbered',
          handlers: { listToys: body('old'), getOld: body('only old') },
        },
        {
          contract: NEW,
          basePath: '/',
          context: (_: unknown, { name }: { name: string }) => ({ upper: name.toUpperCase() }),
          handlers: {
            listToys: (_: unknown, { upper }: { upper: string }) => ({ status: 200, body: upper }),
            getInner: body('inner'),
            getPublic: () => ({ status: 200 }),
          },
        },
      ],
      ...options,
    },
    env,
  );

async function read(origin: string, path: string, init: RequestInit = { headers }) {
  const response = await fetch(origin + path, init);
  return [response.status, await response.text()] as const;
}

const originOf = ({ url }: Service) => new URL(url).origin;

describe('a request', () => {
  it('belongs to the contract that has its operation, the longest base path first', async () => {
    const origin = originOf(await started());
    expect(await read(origin, '/v1/toys')).toEqual([200, 'old']);
    expect(await read(origin, '/toys')).toEqual([200, 'SHARED']);
    // Below /v1, but an operation of the other contract.
    expect(await read(origin, '/v1/inner')).toEqual([200, 'inner']);
  });

  it('without operation gets the errors of the contract with its path, or with its base path', async () => {
    const origin = originOf(await started());
    const shape = async (path: string, method = 'GET') => {
      const [status, text] = await read(origin, path, { headers, method });
      return [status, Object.keys(JSON.parse(text)).includes('error') ? 'numbered' : 'problem'];
    };
    expect(await shape('/v1/old', 'POST')).toEqual([405, 'numbered']);
    expect(await shape('/v1/inner', 'POST')).toEqual([405, 'problem']);
    expect(await shape('/v1/nothing')).toEqual([404, 'numbered']);
    expect(await shape('/v1')).toEqual([404, 'numbered']);
    expect(await shape('/v10')).toEqual([404, 'problem']);
    expect(await shape('/nothing')).toEqual([404, 'problem']);
  });

  it('belongs to the first contract as serve() has replaced it', async () => {
    const service = await started();
    await service.serve(contractOf('Old', { '/dolls': get('listToys'), '/old': get('getOld') }));
    const origin = originOf(service);
    expect(await read(origin, '/v1/dolls')).toEqual([200, 'old']);
    expect((await read(origin, '/v1/toys'))[0]).toBe(404);
    expect(await read(origin, '/toys')).toEqual([200, 'SHARED']);
    const unserved = contractOf('Old', { '/old': get('getOld') });
    await expect(service.serve(unserved)).rejects.toThrow(
      'handler listToys belongs to no operation',
    );
    expect(await read(origin, '/v1/dolls')).toEqual([200, 'old']);
  });

  it('gets the documentation and the contract of its base path', async () => {
    const origin = originOf(await started({}, { DOCS: 'on' }));
    expect(await read(origin, '/openapi.yaml')).toEqual([
      200,
      expect.stringContaining('title: New'),
    ]);
    expect(await read(origin, '/v1/openapi.yaml')).toEqual([
      200,
      expect.stringContaining('title: Old'),
    ]);
    const [, json] = await read(origin, '/v1/openapi.json');
    expect(JSON.parse(json).servers).toEqual([{ url: '/v1' }]);
    const [, ofRoot] = await read(origin, '/openapi.json');
    expect(JSON.parse(ofRoot).servers).toEqual([{ url: '/' }]);
    expect((await read(origin, '/v1/docs'))[1]).toContain('<title>Old');
    expect((await read(origin, '/docs'))[1]).toContain('<title>New');
  });

  it('has the path of BASE_URL before the base path', async () => {
    const service = await started({}, { BASE_URL: 'https://example.com/shop/', DOCS: 'on' });
    const origin = originOf(service);
    expect(service.url).toBe(`${origin}/shop/v1`);
    expect(await read(origin, '/shop/v1/toys')).toEqual([200, 'old']);
    expect(await read(origin, '/shop/toys')).toEqual([200, 'SHARED']);
    expect((await read(origin, '/v1/toys'))[0]).toBe(404);
    const [, json] = await read(origin, '/shop/v1/openapi.json');
    expect(JSON.parse(json).servers).toEqual([{ url: 'https://example.com/shop/v1' }]);
    expect(service.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['GET /shop/v1/toys', 'GET /shop/v1/old'],
      ...['GET /shop/toys', 'GET /shop/v1/inner', 'GET /shop/public'],
    ]);
  });

  it('has the base path of its servers without basePath', async () => {
    const origin = originOf(
      await started({
        apis: ['/a', '/b/c'].map((url) => ({
          contract: contractOf(url, { '/toys': get('listToys') }, { servers: [{ url }] }),
          handlers: { listToys: body(url) },
        })),
      }),
    );
    expect(await read(origin, '/a/toys')).toEqual([200, '/a']);
    expect(await read(origin, '/b/c/toys')).toEqual([200, '/b/c']);
  });
});

describe('all contracts share', () => {
  it('the rate limit, log and metrics, which name the base path', async () => {
    const service = await started({}, { RATE_LIMIT: '2/1h', ADMIN_PORT: '0' });
    const origin = originOf(service);
    const statuses = [];
    for (const path of ['/v1/toys', '/toys', '/v1/toys', '/toys'])
      statuses.push((await read(origin, path))[0]);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect((await read(origin, '/v1/none'))[0]).toBe(404);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    for (const labels of [
      'api="/v1",operation="listToys",status="200"',
      'api="/v1",operation="listToys",status="429"',
      'api="/",operation="listToys",status="200"',
      'api="/v1",operation="none",status="404"',
    ]) {
      expect(metrics).toContain(`http_request_duration_seconds_count{${labels}} 1`);
    }
    await service.stop();
    expect(
      requestsOf(service.lines).map(({ route, caller, status }) => [route, caller, status]),
    ).toEqual([
      ['/v1/toys', 'web', 200],
      ['/toys', 'web', 200],
      ['/v1/toys', 'web', 429],
      ['/toys', 'web', 429],
      [undefined, undefined, 404],
    ]);
  });

  it('tokens, but each contract demands its own scopes', async () => {
    const origin = originOf(
      await started({}, { API_TOKENS: 'a-token-of-the-test,another-token-here scope=*' }),
    );
    const every = { headers: { Authorization: 'Bearer another-token-here' } };
    expect((await read(origin, '/v1/toys'))[0]).toBe(200);
    expect((await read(origin, '/toys'))[0]).toBe(403);
    expect((await read(origin, '/toys', every))[0]).toBe(200);
    expect((await read(origin, '/toys', {}))[0]).toBe(401);
  });

  it('the stop: requests in flight of both are completed', async () => {
    const released = Promise.withResolvers<void>();
    const arrived: string[] = [];
    const slow = async () => {
      arrived.push('request');
      await released.promise;
      return { status: 200, body: 'done' };
    };
    const service = await started({
      apis: ['/a', '/b'].map((basePath) => ({
        contract: contractOf(basePath, { '/toys': get('listToys') }),
        basePath,
        handlers: { listToys: slow },
      })),
    });
    const origin = originOf(service);
    const replies = ['/a/toys', '/b/toys'].map((path) => read(origin, path));
    while (arrived.length < 2) await turn();
    const stopped = service.stop();
    released.resolve();
    expect(await Promise.all(replies)).toEqual([
      [200, 'done'],
      [200, 'done'],
    ]);
    await stopped;
  });
});

it('records each contract into a file of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'apis-'));
  const service = await started({}, { RECORD: join(folder, 'traffic.jsonl') });
  const origin = originOf(service);
  await read(origin, '/v1/toys');
  await read(origin, '/toys');
  await service.stop();
  const files = readdirSync(folder).sort();
  expect(files.map((file) => file.replace(/\d{4}-\d\d-\d\d\.[0-9a-f]{8}/, 'DAY'))).toEqual([
    expect.stringMatching(/^traffic\.DAY\.jsonl$/),
    expect.stringMatching(/^traffic\.v1\.DAY\.jsonl$/),
  ]);
  for (const file of files) {
    expect(
      readFileSync(join(folder, file), 'utf8').match(/"operation":"GET \/toys"/g),
    ).toHaveLength(1);
  }
});

it('mocks the operations that each contract marks as mocked', async () => {
  const origin = originOf(
    await started({
      apis: [{ contract: OLD, basePath: '/v1', handlers: { listToys: mocked, getOld: body('x') } }],
    }),
  );
  expect((await read(origin, '/v1/toys'))[0]).toBe(200);
  expect(await read(origin, '/v1/old')).toEqual([200, 'x']);
});

describe('startService rejects', () => {
  const api = (basePath?: string) => ({
    contract: OLD,
    basePath,
    handlers: { listToys: body(''), getOld: body('') },
  });
  it.each([
    ['the same base path twice', { apis: [api('/v1'), api('/v1/')] }, 'base path /v1'],
    ['two contracts without base path', { apis: [api(), api()] }, 'base path /,'],
    ['no contract', { apis: [] }, 'apis: got none, expected one or more'],
    ['a base path that is no path', { apis: [api('v1?x')] }, 'apis[0].basePath: got'],
    ['an API without contract', { apis: [api('/a'), { handlers: {} }] }, 'apis[1].contract: got'],
    [
      'handlers beside apis',
      { apis: [api()], handlers: {}, pin: () => undefined },
      'got handlers, pin beside apis',
    ],
    ['served versions beside apis', { apis: [api()], compatibility: 'x' }, 'got compatibility'],
    ['a contract beside apis', { apis: [api()], contract: OLD }, 'got contract beside apis'],
    [
      'a missing handler',
      { apis: [{ ...api(), handlers: {} }] },
      'operation listToys has no handler',
    ],
  ])('%s', async (_name, options, message) => {
    await expect(started(options)).rejects.toThrow(message);
  });
});

it('types the second argument of each contract by its own context', () => {
  const open = async () => ({ services: { name: 'shared' } });
  const handlers = {
    listToys: (_request: never, { upper }: { upper: string }) => ({ status: 200, body: upper }),
  };
  const text = () => ({ upper: 'text' });
  const number = () => ({ upper: 1 });
  const starts = [
    () => startService({ open, apis: [{ contract: NEW, context: text, handlers }] }),
    () =>
      startService({
        open,
        apis: [{ contract: NEW, context: (_request, { name }) => ({ upper: name }), handlers }],
      }),
    // @ts-expect-error: the services have no `upper`
    () => startService({ open, apis: [{ contract: NEW, handlers }] }),
    // @ts-expect-error: `upper` of the context is a number
    () => startService({ open, apis: [{ contract: NEW, context: number, handlers }] }),
  ];
  expect(starts).toHaveLength(4);
});
