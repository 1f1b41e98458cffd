// `x-rate-limit` of operations, the headers of counted requests, and limiters of the options.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { ServiceOptions } from '../../src/index.ts';
import {
  type StartedService,
  type StartOptions,
  startedServices,
} from '../support/startedServices.ts';

const OK = { 200: { description: 'ok' }, default: { description: 'an error' } };
const SECURITY = [{ bearer: [] }];

const contractOf = (paths: object) =>
  loadedContract({
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });

const LIMITED = { requests: 2, window: '1h' };
const TOYS = contractOf({
  '/toys': {
    get: { operationId: 'listToys', security: SECURITY, responses: OK },
    post: { operationId: 'addToy', security: SECURITY, 'x-rate-limit': LIMITED, responses: OK },
  },
  '/public': { get: { operationId: 'getPublic', responses: OK } },
  '/optional': {
    get: { operationId: 'getOptional', security: [{}, ...SECURITY], responses: OK },
  },
});
const done = () => ({ status: 200 }) as never;
const handlers = { listToys: done, addToy: done, getPublic: done, getOptional: done };

const startService = startedServices();
let service: StartedService;

async function start(env: Record<string, string> = {}, options: StartOptions = {}) {
  const API_TOKENS = 'a-token-of-ann name=ann, a-token-of-bob name=bob';
  service = await startService(
    { contract: TOYS, handlers, verifiers: (verify) => ({ bearer: verify }), ...options },
    { DOCS: 'off', API_TOKENS, ...env },
  );
  return service;
}

async function send(method: string, path: string, name?: string) {
  const headers = name === undefined ? {} : { authorization: `Bearer a-token-of-${name}` };
  const response = await fetch(service.url + path, { method, headers });
  const seconds = /t=3(?:600|5\d\d)\b/g;
  return {
    status: response.status,
    limit: response.headers.get('ratelimit')?.replaceAll(seconds, 't=T'),
    policy: response.headers.get('ratelimit-policy'),
    retryAfter: response.headers.get('retry-after'),
  };
}

describe('x-rate-limit', () => {
  it('limits the requests of a caller to the operation', async () => {
    await start();
    const policy = '"addToy";q=2;w=3600';
    expect(await send('POST', '/toys', 'ann')).toMatchObject({
      ...{ status: 200, limit: '"addToy";r=1;t=T', policy, retryAfter: null },
    });
    expect(await send('POST', '/toys', 'ann')).toMatchObject({ limit: '"addToy";r=0;t=T' });
    const refused = await send('POST', '/toys', 'ann');
    expect(refused).toMatchObject({ status: 429, limit: '"addToy";r=0;t=T', policy });
    expect(Number(refused.retryAfter)).toBeGreaterThan(3500);
    expect(await send('POST', '/toys', 'bob')).toMatchObject({ limit: '"addToy";r=1;t=T' });
    expect(await send('GET', '/toys', 'ann')).toMatchObject({ status: 200, limit: undefined });
  });

  it('is counted besides RATE_LIMIT', async () => {
    await start({ RATE_LIMIT: '4/1h' });
    expect(await send('POST', '/toys', 'ann')).toMatchObject({
      limit: '"caller";r=3;t=T, "addToy";r=1;t=T',
      policy: '"caller";q=4;w=3600, "addToy";q=2;w=3600',
    });
    await send('POST', '/toys', 'ann');
    expect(await send('POST', '/toys', 'ann')).toMatchObject({
      ...{ status: 429, limit: '"caller";r=1;t=T, "addToy";r=0;t=T' },
    });
    expect(await send('GET', '/toys', 'ann')).toMatchObject({ status: 200 });
    expect(await send('GET', '/toys', 'ann')).toMatchObject({ limit: '"caller";r=0;t=T' });
    expect((await send('GET', '/toys', 'ann')).status).toBe(429);
  });

  it.each([
    [{ requests: 0, window: '1m' }, 'requests: got 0, expected an integer from 1 to 999999999'],
    [{ requests: 1, window: '1w' }, 'window: got "1w", expected a time such as 10s, 1m or 24h'],
  ])('%j stops the start', async (described, message) => {
    const operation = { operationId: 'a', security: SECURITY, responses: OK };
    const contract = contractOf({ '/a': { get: { ...operation, 'x-rate-limit': described } } });
    const started = start({}, { contract, handlers: { a: done } });
    await expect(started).rejects.toThrow(`get /a: x-rate-limit: ${message}`);
  });

  it('of an operation without security stops the start', async () => {
    const operation = { operationId: 'a', responses: OK, 'x-rate-limit': LIMITED };
    const contract = contractOf({ '/a': { get: operation } });
    const started = start({}, { contract, handlers: { a: done } });
    const message = 'expected security requirements: the requests of a caller are counted';
    await expect(started).rejects.toThrow(message);
  });
});

describe('RATE_LIMIT', () => {
  it('has headers in each response to a counted request, also an error', async () => {
    await start({ RATE_LIMIT: '9/1h' });
    expect(await send('GET', '/toys', 'ann')).toMatchObject({ limit: '"caller";r=8;t=T' });
    const invalid = await send('GET', '/toys?unknown=1', 'ann');
    expect(invalid).toMatchObject({ status: 400, limit: '"caller";r=7;t=T' });
    expect(await send('GET', '/optional', 'ann')).toMatchObject({ limit: '"caller";r=6;t=T' });
  });

  it('counts no request without a caller', async () => {
    await start({ RATE_LIMIT: '1/1h' });
    for (let at = 0; at < 3; at++) {
      expect(await send('GET', '/public')).toMatchObject({ status: 200, limit: undefined });
      expect(await send('GET', '/optional')).toMatchObject({ status: 200, limit: undefined });
      expect(await send('GET', '/toys')).toMatchObject({ status: 401, limit: undefined });
      expect(await send('GET', '/toys', 'nobody')).toMatchObject({ status: 401, limit: undefined });
    }
    expect((await send('GET', '/toys', 'ann')).status).toBe(200);
  });
});

describe('a limiter of the options', () => {
  const limiters = new Map<number, RateLimiterMemory>();
  const keys: string[] = [];
  let failure: Error | undefined;
  /** Two services share the limiters, as two processes share a store. */
  const rateLimiter: NonNullable<ServiceOptions['rateLimiter']> = (limit) => {
    const limiter = limiters.get(limit.points) ?? new RateLimiterMemory(limit);
    limiters.set(limit.points, limiter);
    return {
      consume(key, points) {
        keys.push(key);
        return failure ? Promise.reject(failure) : limiter.consume(key, points);
      },
    };
  };
  beforeEach(() => {
    limiters.clear();
    keys.length = 0;
    failure = undefined;
  });

  it('counts the requests of several services', async () => {
    await start({ RATE_LIMIT: '3/1h' }, { rateLimiter });
    expect(await send('POST', '/toys', 'ann')).toMatchObject({
      ...{ status: 200, limit: '"caller";r=2;t=T, "addToy";r=1;t=T' },
    });
    await start({ RATE_LIMIT: '3/1h' }, { rateLimiter });
    expect(await send('POST', '/toys', 'ann')).toMatchObject({
      ...{ status: 200, limit: '"caller";r=1;t=T, "addToy";r=0;t=T' },
    });
    expect(await send('POST', '/toys', 'ann')).toMatchObject({
      ...{ status: 429, limit: '"caller";r=0;t=T, "addToy";r=0;t=T' },
    });
    expect(await send('GET', '/toys', 'bob')).toMatchObject({ status: 200 });
  });

  it('gets digests of 43 characters, one for each limit and caller', async () => {
    await start({ RATE_LIMIT: '9/1h' }, { rateLimiter });
    for (const name of ['ann', 'bob', 'ann']) await send('POST', '/toys', name);
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
  });

  it('that fails is logged once, and each counted request is 503 until it counts', async () => {
    const { lines } = await start({ RATE_LIMIT: '9/1h' }, { rateLimiter });
    failure = new Error('connection refused');
    for (let at = 0; at < 3; at++) {
      expect(await send('GET', '/toys', 'ann')).toMatchObject({ status: 503, retryAfter: '1' });
    }
    expect((await send('GET', '/public')).status).toBe(200);
    failure = undefined;
    expect((await send('GET', '/toys', 'ann')).status).toBe(200);
    const messages = lines.map(({ msg }) => msg).filter((text) => text.startsWith('rate limits'));
    expect(messages).toEqual(['rate limits not counted', 'rate limits counted again']);
  });
});
