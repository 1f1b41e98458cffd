// What a service does to a request besides its handler is the same in each served version.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { Problem } from 'stubwright';
import { createLog, readSettings, type Service, startService } from '../src/index.ts';

const PROBLEM = { description: 'no', content: { 'application/problem+json': {} } };

/** Both have the same operations; a toy has another property. */
function contractOf(version: string, property: string) {
  const toy = {
    'application/json': {
      schema: {
        ...{ type: 'object', required: [property] },
        properties: { [property]: { type: 'string' } },
      },
    },
  };
  const operation = (operationId: string, scope: string) => ({
    operationId,
    security: [{ bearer: [scope] }],
    responses: { 200: { description: 'ok', content: toy }, default: PROBLEM },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Toys', version },
    paths: {
      '/toys': {
        get: operation('getToy', 'read'),
        post: { ...operation('storeToy', 'write'), requestBody: { required: true, content: toy } },
      },
    },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

const folder = temporaryFolder();
afterAll(folder.remove);
const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
write('1.4.0.json', JSON.stringify(contractOf('1.4.0', 'name')));
write(
  '1.4.0.mjs',
  `const reply = ({ status, body }) => ({ status, body: { name: body.title } });
export const converters = { operations: { getToy: { reply }, storeToy: {
  reply, request: ({ body }) => ({ body: { title: body.name } }),
} } };`,
);
write(
  'compatibility.yaml',
  "served: {versions: [{version: '1.4.0', path: /v1, contract: 1.4.0.json, converters: 1.4.0.mjs}]}",
);

let service: Service | undefined;
let waiting = 0;
let handle: () => unknown;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function start(env: Record<string, string> = {}): Promise<Service> {
  waiting = 0;
  handle = () => ({ status: 200, body: { title: 'robot' } });
  const definition = new Contract(contractOf('2.0.0', 'title') as never);
  service = await startService({
    settings: readSettings({
      ...{ PORT: '0', API_TOKENS: 'a-token-of-the-test scope=read', LAG_LIMIT: '60000', ...env },
    }),
    contract: { definition, warnings: [], files: [], publish: () => Promise.reject(new Error()) },
    log: createLog('info', { write: () => {} }),
    handlers: { getToy: () => handle(), storeToy: () => handle() } as never,
    verifiers: (verify) => ({ bearer: verify }),
    open: async () => ({
      services: undefined,
      store: {
        isReady: async () => true,
        get waiting() {
          return waiting;
        },
        close: async () => {},
      },
    }),
    compatibility: join(folder.path, 'compatibility.yaml'),
  });
  return service;
}

const TOKEN = { Authorization: 'Bearer a-token-of-the-test' };

/** With its headers, except those of the single response. */
async function send(path: string, init: RequestInit = {}) {
  const headers = { ...TOKEN, ...(init.headers as Record<string, string>) };
  const response = await fetch(service!.url + path, { ...init, headers });
  const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(response.headers);
  return { status: response.status, headers: rest, body: await response.text() };
}

/** @returns the response of the current version, which the older one has, too */
async function alike(init: RequestInit = {}) {
  const current = await send('/toys', init);
  expect(await send('/v1/toys', init)).toEqual(current);
  return current;
}

const stored = (text: string) => ({
  ...{ method: 'POST', body: text },
  headers: { 'Content-Type': 'application/json' },
});

describe('the same response of both versions', () => {
  it('without a valid token is 401', async () => {
    await start();
    expect(await alike({ headers: { Authorization: '' } })).toMatchObject({
      ...{ status: 401, headers: { 'www-authenticate': expect.stringContaining('Bearer') } },
    });
    expect((await alike({ headers: { Authorization: 'Bearer none' } })).status).toBe(401);
  });

  it('without the scope is 403', async () => {
    await start();
    const { status, headers } = await alike(stored('{}'));
    expect([status, headers['www-authenticate']]).toEqual([
      ...[403, expect.stringContaining('insufficient_scope')],
    ]);
  });

  it('to a body over the limit is 413', async () => {
    await start({ BODY_LIMIT: '10', API_TOKENS: 'a-token-of-the-test scope=*' });
    expect((await alike(stored('{"title":"much too long"}'))).status).toBe(413);
  });

  it('over the rate limit is 429: both count', async () => {
    await start({ RATE_LIMIT: '2/1h' });
    expect((await send('/toys')).status).toBe(200);
    expect((await send('/v1/toys')).status).toBe(200);
    const [current, older] = [await send('/toys'), await send('/v1/toys')];
    expect([current.status, older.status]).toEqual([429, 429]);
    expect(Object.keys(older.headers)).toEqual(Object.keys(current.headers));
    expect(current.headers).toHaveProperty('retry-after');
  });

  it('while too many requests wait is 503', async () => {
    await start({ QUEUE_LIMIT: '1' });
    waiting = 1_000_000;
    const { status, headers } = await alike();
    expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
  });

  it('to an error of the handler is its status', async () => {
    await start();
    handle = () => {
      throw new Problem(503, 'later', { headers: { 'Retry-After': '7' } });
    };
    expect(await alike()).toMatchObject({ status: 503, headers: { 'retry-after': '7' } });
    handle = () => Promise.reject(new Error('secret'));
    const { status, body } = await alike();
    expect([status, body.includes('secret')]).toEqual([500, false]);
  });

  it('after the time limit is 503', async () => {
    await start({ HANDLER_TIMEOUT: '1' });
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    handle = () => settled.then(() => ({ status: 200, body: { title: 'late' } }));
    const [current, older] = await Promise.all([send('/toys'), send('/v1/toys')]);
    settle();
    expect(older).toEqual(current);
    expect(current.status).toBe(503);
  });

  it('to a preflight, and to a request of another origin', async () => {
    await start({ CORS_ORIGINS: 'https://a.example' });
    const Origin = 'https://a.example';
    const preflight = await alike({
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight).toMatchObject({
      ...{ status: 204, headers: { 'access-control-allow-origin': Origin } },
    });
    const [current, older] = [
      await send('/toys', { headers: { Origin } }),
      await send('/v1/toys', { headers: { Origin } }),
    ];
    expect(older.headers).toEqual({
      ...current.headers,
      'content-length': older.headers['content-length'],
    });
    expect(current.headers['access-control-allow-origin']).toBe(Origin);
  });

  it('to an unknown path, and to a method that is not declared', async () => {
    await start();
    const [current, older] = [await send('/none'), await send('/v1/none')];
    expect(older).toEqual(current);
    expect(current.status).toBe(404);
    const { status, headers } = await alike({ method: 'DELETE' });
    expect([status, headers['allow']]).toEqual([405, expect.stringContaining('GET')]);
  });
});

describe('the metrics', () => {
  it('have the same series for both versions, of which one has the version', async () => {
    const { adminUrl } = await start({ ADMIN_PORT: '0' });
    const seriesOf = async () => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      return text
        .split('\n')
        .flatMap((line) => /^\w+\{.*operation="getToy".*\}/.exec(line)?.[0] ?? []);
    };
    await send('/toys');
    const current = await seriesOf();
    await send('/v1/toys');
    const added = (await seriesOf()).filter((each) => !current.includes(each));
    expect(current.length).toBeGreaterThan(2);
    expect(added.every((each) => each.includes('version="1.4.0",'))).toBe(true);
    expect(added.map((each) => each.replace('version="1.4.0",', ''))).toEqual(current);
  });
});
