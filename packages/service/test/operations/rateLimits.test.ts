// `x-rate-limit` of operations, the headers of counted requests, and a store that does not respond.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Contract, type LoadedContract } from '@stubwright/contract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createLog, readSettings, type Service, startService } from '../../src/index.ts';
import {
  type CounterStore,
  SharedCounters,
  type WhenUnavailable,
} from '../../src/operations/rateLimit/sharedCounters.ts';

const OK = { 200: { description: 'ok' }, default: { description: 'an error' } };
const SECURITY = [{ bearer: [] }];

function contractOf(paths: object): LoadedContract {
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1.0.0' }, paths },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
  return {
    ...{ definition: new Contract(document), warnings: [], files: [] },
    publish: () => Promise.reject(new Error('none')),
  };
}

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

let service: Service | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function start(env: Record<string, string> = {}, contract = TOYS, own: object = handlers) {
  service = await startService({
    settings: readSettings({
      ...{ PORT: '0', DOCS: 'off', API_TOKENS: 'a-token-of-ann name=ann, a-token-of-bob name=bob' },
      ...env,
    }),
    log: createLog('silent'),
    verifiers: (verify) => ({ bearer: verify }),
    handlers: own as never,
    contract,
  });
}

async function send(method: string, path: string, name?: string) {
  const headers = name === undefined ? {} : { authorization: `Bearer a-token-of-${name}` };
  const response = await fetch(service!.url + path, { method, headers });
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
    const started = start({}, contract, { a: done });
    await expect(started).rejects.toThrow(`get /a: x-rate-limit: ${message}`);
  });

  it('of an operation without security stops the start', async () => {
    const operation = { operationId: 'a', responses: OK, 'x-rate-limit': LIMITED };
    const started = start({}, contractOf({ '/a': { get: operation } }), { a: done });
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
    }
    expect((await send('GET', '/toys', 'ann')).status).toBe(200);
  });
});

/** A store that counts in memory, until it fails or does not answer. */
class TestStore implements CounterStore {
  state: 'ok' | 'failing' | 'silent' = 'ok';
  calls = 0;
  keys: string[] = [];

  open(): Promise<void> {
    return Promise.resolve();
  }

  limiter({ requests, windowSeconds }: { requests: number; windowSeconds: number }) {
    const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
    return {
      consume: (key: string | number) => {
        this.calls++;
        this.keys.push(String(key));
        if (this.state === 'failing') return Promise.reject(new Error('connection refused'));
        return this.state === 'ok' ? limiter.consume(key) : new Promise<never>(() => {});
      },
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function sharedCounter(whenUnavailable: WhenUnavailable) {
  const store = new TestStore();
  let lines = '';
  const log = createLog('info', { write: (text) => (lines += text) });
  const counters = new SharedCounters(store, { service: 'toys', whenUnavailable, log });
  const rate = { requests: 2, windowSeconds: 60 };
  const counter = counters.counter(rate, ['caller']);
  const messages = () => [...lines.matchAll(/"msg":"([^"]*)"/g)].map(([, message]) => message);
  return { store, messages, counter, count: () => counter.count([undefined, 'ann']) };
}

describe('a store that does not answer', () => {
  it.each(['failing', 'silent'] as const)(
    'is asked once a second, and logged once (%s)',
    async (state) => {
      const { store, messages, count } = sharedCounter('local');
      expect(await count()).toMatchObject({ isExceeded: false, remaining: 1 });
      store.state = state;
      expect(await count()).toMatchObject({ isExceeded: false, remaining: 1 });
      const calls = store.calls;
      for (let at = 0; at < 50; at++) await count();
      expect(store.calls).toBe(calls);
      expect(await count()).toMatchObject({ isExceeded: true, remaining: 0 });
      expect(messages()).toEqual(['rate limits not counted']);
      store.state = 'ok';
      while (store.calls === calls) {
        await count();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      // The store has the count of before.
      expect(messages()).toEqual(['rate limits not counted', 'rate limits counted again']);
      expect(await count()).toMatchObject({ isExceeded: true });
    },
  );

  it('lets every request pass (allow)', async () => {
    const { store, count } = sharedCounter('allow');
    store.state = 'failing';
    expect(await count()).toBeUndefined();
    expect(await count()).toBeUndefined();
  });

  it('refuses every request (deny)', async () => {
    const { store, count } = sharedCounter('deny');
    store.state = 'failing';
    for (let at = 0; at < 2; at++) {
      await expect(count()).rejects.toMatchObject({ status: 503, number: 50300 });
    }
  });
});

describe('the key of a caller in a store', () => {
  it('is a digest of 43 characters, different for each issuer and name', async () => {
    const { store, counter } = sharedCounter('deny');
    const long = 'x'.repeat(10_000);
    await counter.count([undefined, long]);
    await counter.count(['https://issuer.example', long]);
    await counter.count([undefined, `${long}x`]);
    expect(new Set(store.keys).size).toBe(3);
    for (const key of store.keys) expect(key).toMatch(/^[\w-]{43}$/);
  });
});
