// What a PostgreSQL that refuses, blocks or runs out of connections does to the callers of a store.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { StoreEvents } from '@stubwright/store';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { Client } from 'pg';
import { SUCCESS_HOLDS_MS } from '../src/groupCommit.ts';
import { toyPostgres } from './support/toyPostgres.ts';
import { openToyStore as openStore } from './support/toyStore.ts';

const clients: Client[] = [];
const postgres = toyPostgres(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

/** Begins a transaction, as another client of the database does; it ends with the test. */
async function begin(sql: string): Promise<Client> {
  const client = new Client({ connectionString: postgres.url });
  clients.push(client);
  await client.connect();
  await client.query(`BEGIN; ${sql}`);
  return client;
}

async function connectionsOf(where = 'true'): Promise<number> {
  const [row] = await query(
    postgres.url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'toy-store' AND datname = current_database() AND ${where}`,
  );
  return row?.['count'] as number;
}

const unavailable = { name: 'StoreUnavailable' };
const toys = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: BigInt(from + at), name: `toy ${at}` }));

describe('an id that a foreign transaction holds', () => {
  it.each([1, 40])('delays only its own create, also when there are %d', async (held) => {
    const store = await postgres.open({ patienceMs: 60_000 });
    const foreign = await begin(
      `INSERT INTO toy SELECT 3 * id, 'foreign' FROM generate_series(0, ${held - 1}) AS id`,
    );
    const isHeld = ({ id }: { id: bigint }) => id % 3n === 0n && id < 3 * held;
    const outcomes = toys(0, 250).map((toy) => ({ ...toy, outcome: store.create(toy) }));
    const free = outcomes.filter((each) => !isHeld(each)).map(({ outcome }) => outcome);
    expect(new Set(await Promise.all(free))).toEqual(new Set(['created']));
    expect(store.waiting).toBe(held);
    await foreign.query('COMMIT');
    const waiting = outcomes.filter(isHeld).map(({ outcome }) => outcome);
    expect(await Promise.all(waiting)).toEqual(Array(held).fill('different'));
    expect(store.waiting).toBe(0);
  });

  it('is unavailable after a while, and the store stays ready', async () => {
    const store = await postgres.open({ patienceMs: 500 });
    const foreign = await begin("INSERT INTO toy VALUES (1, 'foreign')");
    await expect(store.create({ id: 1n, name: 'x' })).rejects.toMatchObject({
      ...unavailable,
      message: 'Another transaction holds the id 1',
    });
    expect(await store.isReady()).toBe(true);
    expect(await store.create({ id: 2n, name: 'x' })).toBe('created');
    await foreign.query('ROLLBACK');
    expect(await (await postgres.open({ patienceMs: 60_000 })).create({ id: 1n, name: 'x' })).toBe(
      'created',
    );
  });
});

it('a COMMIT that fails for want of room reaches readiness', async () => {
  const store = await postgres.open({ patienceMs: 60_000 });
  await query(
    postgres.url,
    `CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.name = 'full' THEN RAISE EXCEPTION USING ERRCODE = '53100'; END IF; RETURN NULL;
     END $$;
     CREATE CONSTRAINT TRIGGER fill AFTER INSERT ON toy DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION fill()`,
  );
  expect(await store.isReady()).toBe(true);
  const transaction = await store.data.begin();
  await transaction.run("INSERT INTO toy VALUES (1, 'full')");
  await expect(transaction.commit()).rejects.toMatchObject(unavailable);
  expect(await store.isReady()).toBe(false);
});

describe('connections that are all in use', () => {
  it('are reported once, without a stack per request, and leave the store ready', async () => {
    const events = new EventEmitter<StoreEvents>();
    const reported: unknown[] = [];
    events.on('exhausted', (pool) => reported.push(pool));
    events.on('unavailable', (error) => reported.push(error));
    const store = await postgres.open({ patienceMs: 2_000, maxConnections: 4, events });
    const transactions = [await store.data.begin(), await store.data.begin()];
    const refused = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => store.data.begin()),
      store.data.query('SELECT 1'),
    ]);
    const text = 'PostgreSQL: all 2 connections are in use';
    for (const each of refused) {
      const { name, message, cause, stack } = Object(each).reason;
      const expected = ['StoreUnavailable', text, undefined, `StoreUnavailable: ${text}`];
      expect([name, message, cause, stack]).toEqual(expected);
    }
    // A probe of the readiness, later than the last outcome holds.
    await sleep(SUCCESS_HOLDS_MS + 100);
    expect(await store.isReady()).toBe(true);
    expect(await store.create({ id: 1n, name: 'x' })).toBe('created');
    expect(reported).toEqual([{ connections: 2 }]);
    for (const each of transactions) await each.rollBack();
    // Said again after a recovery.
    const again = [await store.data.begin(), await store.data.begin()];
    await expect(store.data.begin()).rejects.toMatchObject(unavailable);
    expect(reported).toHaveLength(2);
    for (const each of again) await each.rollBack();
  });
});

describe('a role', () => {
  it('that loses INSERT makes creates unavailable until it has it again', async () => {
    const clerk = await postgres.clerkUrl();
    const store = await postgres.open({ patienceMs: 60_000 }, clerk);
    const { username } = new URL(clerk);
    expect(await store.create({ id: 1n, name: 'x' })).toBe('created');
    await query(postgres.url, `REVOKE INSERT ON toy FROM ${username}`);
    await expect(store.create({ id: 2n, name: 'x' })).rejects.toMatchObject(unavailable);
    expect(await store.isReady()).toBe(false);
    await query(postgres.url, `GRANT INSERT ON toy TO ${username}`);
    while (!(await store.isReady())) await sleep(10);
    expect(await store.create({ id: 2n, name: 'x' })).toBe('created');
  });

  inTestAll(it)('that loses LOGIN makes creates unavailable until it has it again', async () => {
    const clerk = await postgres.clerkUrl();
    const store = await postgres.open({ patienceMs: 60_000 }, clerk);
    const { username } = new URL(clerk);
    await query(postgres.url, `ALTER ROLE ${username} NOLOGIN`);
    await query(
      postgres.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${username}'`,
    );
    await expect(store.create({ id: 1n, name: 'x' })).rejects.toMatchObject(unavailable);
    await query(postgres.url, `ALTER ROLE ${username} LOGIN`);
    while (!(await store.isReady())) await sleep(10);
    expect(await store.create({ id: 1n, name: 'x' })).toBe('created');
  });
});

describe('DATABASE_CONNECTIONS', () => {
  it('bounds the connections of reads, which queue above it', async () => {
    const store = await postgres.open({ patienceMs: 60_000, maxConnections: 5 });
    await store.create({ id: 1n, name: 'x' });
    const reads = Promise.all(Array.from({ length: 150 }, () => store.find(1n)));
    expect(new Set((await reads).map((toy) => toy?.name))).toEqual(new Set(['x']));
    expect(await connectionsOf()).toBeLessThanOrEqual(5);
    expect(await store.isReady()).toBe(true);
  });

  it('may exceed the limit of the server: the open connections are shared', async () => {
    const clerk = await postgres.clerkUrl();
    await query(postgres.url, `ALTER ROLE ${new URL(clerk).username} CONNECTION LIMIT 3`);
    const store = await postgres.open({ patienceMs: 60_000, maxConnections: 50 }, clerk);
    const creates = toys(0, 100).map((toy) => store.create(toy));
    const reads = Array.from({ length: 100 }, () => store.find(1n));
    expect(new Set(await Promise.all(creates))).toEqual(new Set(['created']));
    await Promise.all(reads);
    expect(await store.isReady()).toBe(true);
  });
});

describe('abandoned statements', () => {
  it.each(isTestAll ? ['ACCESS EXCLUSIVE', 'SHARE'] : ['SHARE'])(
    'are cancelled, so that none pile up behind a %s lock',
    async (mode) => {
      const store = await postgres.open({ patienceMs: 200 });
      const administrator = await begin(`LOCK TABLE toy IN ${mode} MODE`);
      for (let round = 0; round < (isTestAll ? 10 : 3); round++) {
        const creates = toys(0, 5).map((toy) => store.create(toy));
        const outcomes = await Promise.allSettled(creates);
        expect(outcomes).toMatchObject(Array(5).fill({ reason: unavailable }));
        expect(await connectionsOf()).toBeLessThanOrEqual(4);
        expect(await store.isReady()).toBe(false);
      }
      await administrator.query('COMMIT');
      while (!(await store.isReady())) await sleep(10);
      expect(await connectionsOf("wait_event_type = 'Lock'")).toBe(0);
      await store.create({ id: 1n, name: 'toy 1' });
    },
  );
});

inTestAll(describe)('a URL with several hosts', () => {
  it('follows the host that accepts writes, past one that is down and one that is read-only', async () => {
    const another = await Postgres.start();
    try {
      const elsewhere = new URL(await another.createDatabase());
      const { host: otherHost } = elsewhere;
      const { host, pathname } = new URL(postgres.url);
      const database = pathname.slice(1);
      if (elsewhere.pathname !== pathname)
        await query(elsewhere.href, `CREATE DATABASE ${database}`);
      elsewhere.pathname = pathname;
      await openStore(elsewhere.href).then((store) => store.close());
      const setReadOnly = (at: string, value: string) =>
        query(
          at,
          `SET transaction_read_only = off; ALTER DATABASE ${database}
          SET default_transaction_read_only = ${value}`,
        );
      await setReadOnly(elsewhere.href, 'on');
      const hosts = postgres.url.replace(host, `127.0.0.1:1,${otherHost},${host}`);
      const store = await postgres.open({}, `${hosts}?target_session_attrs=read-write`);
      expect(await store.create({ id: 1n, name: 'first' })).toBe('created');
      await setReadOnly(elsewhere.href, 'off');
      await setReadOnly(postgres.url, 'on');
      await query(
        postgres.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'toy-store'",
      );
      while (!(await store.isReady())) await sleep(10);
      expect(await store.create({ id: 2n, name: 'second' })).toBe('created');
      expect(await query(elsewhere.href, 'SELECT name FROM toy')).toEqual([{ name: 'second' }]);
    } finally {
      await another.remove();
    }
  });

  it.each(['standby', 'read-only', 'prefer-standby'])(
    'that asks for target_session_attrs=%s is refused',
    async (role) => {
      await expect(openStore(`${postgres.url}?target_session_attrs=${role}`)).rejects.toMatchObject(
        {
          name: 'StoreRefused',
          message: expect.stringContaining('DATABASE_URL: got a postgres URL that cannot be read'),
        },
      );
    },
  );
});
