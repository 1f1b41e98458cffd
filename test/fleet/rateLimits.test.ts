// Two processes share one rate limit, in PostgreSQL and in Redis, also while the store is away.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { createAt, spawnService, TOKEN } from '../../packages/stubwright/test/support/service.ts';
import type { ServiceProcess } from '../../packages/stubwright/test/support/serviceProcess.ts';
import { inTestAll, isTestAll } from '../../packages/stubwright/test/support/testAll.ts';
import { Postgres, query } from '../support/postgres.ts';
import { missingPrograms, RedisServer } from '../support/redis.ts';

// Processes that start and stop take their time on a busy machine.
jest.setTimeout(90_000);

const missing = missingPrograms();
if (isTestAll && missing.length > 0)
  process.stderr.write(`SKIPPED: ${missing.join(', ')} is not installed\n`);

interface Store {
  readonly url: string;
  stop(): Promise<void>;
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

async function postgresStore(): Promise<Store> {
  const postgres = await Postgres.start();
  const url = await postgres.createDatabase();
  return {
    url,
    stop: () => postgres.stop('SIGQUIT'),
    restart: () => postgres.restart(),
    freeze: () => postgres.freeze(),
    thaw: () => postgres.thaw(),
    remove: () => postgres.remove(),
  };
}

let running: ServiceProcess[] = [];

/** @returns the URLs of two processes */
async function fleet(env: Record<string, string>): Promise<[string, string]> {
  const settings = { API_TOKENS: `${TOKEN} name=web, another-token-of-web name=web`, ...env };
  running = [spawnService(settings), spawnService(settings)];
  const [one, other] = await Promise.all(running.map(({ url }) => url));
  return [one!, other!];
}

afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    child.kill('SIGKILL');
    await exited;
  }
});

const toy = { id: 1, name: 'bear' };
const create = async (url: string) => {
  const { status, headers } = await createAt(url, toy);
  return { status, limit: headers['ratelimit']?.toString(), policy: headers['ratelimit-policy'] };
};
const statusesOf = async (urls: readonly string[], count: number) => {
  const requests = Array.from({ length: count }, (_, at) => create(urls[at % urls.length]!));
  return (await Promise.all(requests)).map(({ status }) => status);
};
const count = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;
/** The lines of the log with a message. */
const logged = (at: number, message: string) => running[at]!.output().split(message).length - 1;

/** Sends until a response is as expected. */
async function until(url: string, isExpected: (status: number, limit?: string) => boolean) {
  for (;;) {
    const { status, limit } = await create(url);
    if (isExpected(status, limit)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['PostgreSQL', postgresStore],
  ...(missing.length > 0 ? [] : [['Redis', () => RedisServer.start()] as const]),
];

inTestAll(describe).each(stores)('two processes with RATE_LIMIT_STORE on %s', (name, start) => {
  let store: Store;
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.remove());
  /** A limit of each test: the caller has used up the others. */
  let env: Record<string, string>;
  let tests = 0;
  beforeEach(async () => {
    const database = new URL(store.url);
    if (name === 'Redis') database.pathname = `/${++tests}`;
    else await query(store.url, 'DROP TABLE IF EXISTS stubwright_rate_limit');
    env = { RATE_LIMIT: '10/1h', RATE_LIMIT_STORE: database.href };
  });

  it('count each request of a caller once', async () => {
    const urls = await fleet(env);
    const statuses = await statusesOf(urls, 30);
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([10, 20]);
    for (const url of urls) {
      const { status, limit, policy } = await create(url);
      expect([status, policy]).toEqual([429, '"caller";q=10;w=3600']);
      expect(limit).toMatch(/^"caller";r=0;t=3[56]\d\d$/);
    }
  });

  it('report the requests that the other one has counted', async () => {
    const [one, other] = await fleet(env);
    const remaining = async (url: string) => /r=(\d+)/.exec((await create(url)).limit!)![1];
    expect([await remaining(one), await remaining(other), await remaining(one)]).toEqual([
      ...['9', '8', '7'],
    ]);
  });

  it('start before the store, and count in it as soon as it is there', async () => {
    await store.stop();
    const [url] = await fleet(env);
    expect((await create(url)).limit).toMatch(/r=9;/);
    await store.restart();
    await until(url, () => logged(0, 'rate limits counted again') > 0);
    expect((await create(url)).status).toBe(200);
    expect(logged(0, 'rate limits not counted')).toBe(1);
  });

  it.each(['kill', 'freeze'])(
    'count for themselves after a %s (local), and log it once',
    async (fault) => {
      const urls = await fleet(env);
      expect(count(await statusesOf(urls, 4), 200)).toBe(4);
      await (fault === 'kill' ? store.stop() : store.freeze());
      const statuses = await statusesOf(urls, 60);
      // Each process has a limit of its own.
      expect([count(statuses, 200), count(statuses, 429)]).toEqual([20, 40]);
      await (fault === 'kill' ? store.restart() : store.thaw());
      for (const at of [0, 1]) {
        await until(urls[at]!, () => logged(at, 'rate limits counted again') === 1);
        expect(logged(at, 'rate limits not counted')).toBe(1);
      }
    },
  );

  it('refuse with 503 while the store is away (deny)', async () => {
    const [url] = await fleet({ ...env, RATE_LIMIT_WHEN_UNAVAILABLE: 'deny' });
    expect((await create(url)).status).toBe(200);
    await store.stop();
    expect(await statusesOf([url], 20)).toEqual(Array(20).fill(503));
    await store.restart();
    await until(url, (status) => status === 200);
    expect(logged(0, 'rate limits not counted')).toBe(1);
  });

  it('count nothing while the store is away (allow)', async () => {
    const [url] = await fleet({ ...env, RATE_LIMIT_WHEN_UNAVAILABLE: 'allow' });
    await store.stop();
    expect(await statusesOf([url], 20)).toEqual(Array(20).fill(200));
    expect((await create(url)).limit).toBeUndefined();
    await store.restart();
    await until(url, (_status, limit) => limit !== undefined);
  });
});

inTestAll(describe)('the table in PostgreSQL', () => {
  it('is not logged', async () => {
    const postgres = await Postgres.start();
    try {
      const url = await postgres.createDatabase();
      const [own] = await fleet({ RATE_LIMIT: '3/1h', RATE_LIMIT_STORE: url });
      await create(own);
      const sql = `SELECT relpersistence FROM pg_class WHERE relname = 'stubwright_rate_limit'`;
      expect(await query(url, sql)).toEqual([{ relpersistence: 'u' }]);
    } finally {
      await postgres.remove();
    }
  });

  it('needs no role that may create it if it exists', async () => {
    const postgres = await Postgres.start();
    try {
      const url = await postgres.createDatabase();
      const created = `CREATE TABLE stubwright_rate_limit
        (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;
      await query(url, created);
      await query(url, `CREATE ROLE limited LOGIN PASSWORD 'limited'`);
      await query(url, 'GRANT SELECT, INSERT, UPDATE, DELETE ON stubwright_rate_limit TO limited');
      const limited = new URL(url);
      Object.assign(limited, { username: 'limited', password: 'limited' });
      const urls = await fleet({ RATE_LIMIT: '3/1h', RATE_LIMIT_STORE: limited.href });
      expect(count(await statusesOf(urls, 9), 200)).toBe(3);
      // Refused requests cost the store nothing.
      const counted = await query(url, 'SELECT points FROM stubwright_rate_limit');
      expect(counted).toHaveLength(1);
      expect(count(await statusesOf(urls, 20), 429)).toBe(20);
      expect(await query(url, 'SELECT points FROM stubwright_rate_limit')).toEqual(counted);
    } finally {
      await postgres.remove();
    }
  });
});
