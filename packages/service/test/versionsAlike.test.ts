// What a service does to a request besides its handler is the same in each served version.
import { describe, expect, it } from '@jest/globals';
import { Problem } from 'stubwright';
import type { Service } from '../src/index.ts';
import { authorized } from './support/startedServices.ts';
import { toyVersions } from './support/toyVersions.ts';

const startVersions = toyVersions().start;

let service: Service;
let waiting = 0;
let handle: () => unknown;

async function start(env: Record<string, string> = {}): Promise<Service> {
  waiting = 0;
  handle = () => ({ status: 200, body: { title: 'robot' } });
  const store = {
    isReady: async () => true,
    get waiting() {
      return waiting;
    },
    close: async () => {},
  };
  service = await startVersions(
    {
      handlers: { getToy: () => handle(), storeToy: () => handle() },
      open: async () => ({ services: undefined, store }),
    },
    env,
  );
  return service;
}

/** With its headers, except those of the single response. */
async function send(path: string, init: RequestInit = {}) {
  const headers = { ...authorized, ...(init.headers as Record<string, string>) };
  const response = await fetch(service.url + path, { ...init, headers });
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
    const settled = Promise.withResolvers<void>();
    handle = () => settled.promise.then(() => ({ status: 200, body: { title: 'late' } }));
    const [current, older] = await Promise.all([send('/toys'), send('/v1/toys')]);
    settled.resolve();
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
    const added = (await seriesOf()).filter((series) => !current.includes(series));
    expect(current.length).toBeGreaterThan(2);
    expect(added.every((series) => series.includes('version="1.4.0",'))).toBe(true);
    expect(added.map((series) => series.replace('version="1.4.0",', ''))).toEqual(current);
  });
});
