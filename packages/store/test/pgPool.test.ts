// Why SessionPool is not pg.Pool: both under the faults that the store must survive.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedPostgres } from '@stubwright/test-support/databases';
import { query } from '@stubwright/test-support/postgres';
import { Client, Pool, type PoolConfig } from 'pg';
import { SessionPool } from '../src/postgres/connections.ts';
import { Session } from '../src/postgres/session.ts';

const TIMEOUT_MS = 200;
const { signal } = new AbortController();

const createDatabase = sharedPostgres();
let url: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  url = await createDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Runs a statement; rejects after a time. */
type RunOn = (sql: string) => Promise<unknown>;

function pgPool(options: PoolConfig): RunOn {
  const pool = new Pool({ application_name: 'pool', query_timeout: TIMEOUT_MS, ...options });
  pool.on('error', () => {});
  closing.push(() => pool.end());
  return (sql) => pool.query(sql);
}

function sessionPool(
  { max = 0, connectionString = '' }: PoolConfig,
  timeoutMs = TIMEOUT_MS,
): RunOn {
  const at = { url: connectionString, name: 'pool' };
  const pool = new SessionPool(max, (openMs) => Session.open(at, openMs, signal));
  closing.push(() => pool.closeIdle('end'));
  return (sql) => pool.use(timeoutMs, (session) => session.run(sql));
}

describe('a pool of two, whose statements wait for a lock for longer than their time', () => {
  async function connectionsAfter(run: RunOn): Promise<number> {
    await query(url, 'CREATE TABLE row (id integer)');
    const administrator = new Client({ connectionString: url });
    await administrator.connect();
    closing.push(() => administrator.end());
    await administrator.query('BEGIN; LOCK TABLE row');
    for (let round = 0; round < 4; round++) {
      const statements = [1, 2].map((id) => run(`INSERT INTO row VALUES (${id})`));
      for (const { status } of await Promise.allSettled(statements))
        expect(status).toBe('rejected');
    }
    const count =
      "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'pool' AND datname = current_database()";
    const [row] = await query(url, count);
    return row?.['count'] as number;
  }

  it('is exceeded by pg.Pool: it forgets what still runs on the server', async () => {
    expect(await connectionsAfter(pgPool({ connectionString: url, max: 2 }))).toBeGreaterThan(2);
  });

  it('is kept by SessionPool: it cancels, and counts until then', async () => {
    const count = await connectionsAfter(sessionPool({ connectionString: url, max: 2 }));
    expect(count).toBeLessThanOrEqual(2);
  });
});

describe('a pool of 20 on a server that accepts 3 connections', () => {
  async function rejectedBy(start: (options: PoolConfig) => RunOn): Promise<number> {
    const name = `narrow_${new URL(url).pathname.slice(1)}`;
    await query(url, `CREATE ROLE ${name} LOGIN PASSWORD 'narrow' CONNECTION LIMIT 3`);
    const narrow = new URL(url);
    [narrow.username, narrow.password] = [name, 'narrow'];
    const run = start({ connectionString: narrow.href, max: 20 });
    const statements = Array.from({ length: 40 }, () => run('SELECT pg_sleep(0.01)'));
    const results = await Promise.allSettled(statements);
    return results.filter(({ status }) => status === 'rejected').length;
  }

  it('fails statements of pg.Pool', async () => {
    expect(await rejectedBy(pgPool)).toBeGreaterThan(0);
  });

  it('serves all of SessionPool on the three', async () => {
    expect(await rejectedBy((options) => sessionPool(options, 60_000))).toBe(0);
  });
});
