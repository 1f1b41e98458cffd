// What is PostgreSQL's own; conformance.test.ts has what every store must do.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { query } from '@stubwright/test-support/postgres';
import { startTcpProxy } from '@stubwright/test-support/tcpProxy';
import { Client } from 'pg';
import { toyPostgres } from './support/toyPostgres.ts';
import { openToyStore as openStore, type ToyStore } from './support/toyStore.ts';

const postgres = toyPostgres();

/** So patient that no busy machine makes it give up. */
function open(at = postgres.url, patienceMs = 60_000): Promise<ToyStore> {
  return postgres.open({ patienceMs }, at);
}

/** A connection with a transaction under way, as another client of the database has it. */
async function openTransaction(sql: string) {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`BEGIN; ${sql}`);
  return {
    async end(how: 'COMMIT' | 'ROLLBACK') {
      await client.query(how);
      await client.end();
    },
  };
}

/** Resolves when as many statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const sql = `SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  for (;;) {
    const [row] = await query(postgres.url, sql);
    if (row?.['waiting'] === count) return;
    await sleep(10);
  }
}

const names = (prefix: string, ids: readonly bigint[]) =>
  ids.map((id) => ({ id, name: `${prefix} ${id}` }));
const createAll = (store: ToyStore, toys: readonly { id: bigint; name: string }[]) =>
  Promise.all(toys.map((toy) => store.create(toy)));
const stored = () => query(postgres.url, 'SELECT id, name, tag FROM toy ORDER BY id');

describe('several stores on one database', () => {
  it('may be opened at once while it is empty: it is migrated once', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(await query(postgres.url, 'SELECT version FROM toy_migration')).toEqual([
      { version: 1 },
    ]);
    const rivals = stores.map((store, at) => store.create({ id: 1n, name: `store ${at}` }));
    expect((await Promise.all(rivals)).toSorted()).toEqual([
      'created',
      ...Array(9).fill('different'),
    ]);
  });

  it('let exactly one rival win each id, in any order of arrival', async () => {
    const [one, two] = [await open(), await open()];
    const ids = Array.from({ length: 2500 }, (_, index) => BigInt(index));
    const [first, second] = await Promise.all([
      createAll(one, names('one', ids)),
      createAll(two, names('two', ids.toReversed())),
    ]);
    const outcomes = ids.map((_, at) => [first[at], second.at(-1 - at)].toSorted());
    expect(outcomes).toEqual(ids.map(() => ['created', 'different']));
    const winners = ids.map((id, at) => `${first[at] === 'created' ? 'one' : 'two'} ${id}`);
    expect((await stored()).map(({ name }) => name)).toEqual(winners);
  });
});

describe('a rival that has not committed yet', () => {
  it.each([
    ['COMMIT', 'different'],
    ['ROLLBACK', 'created'],
  ] as const)('is waited for: after %s the create is %s', async (how, outcome) => {
    const store = await open();
    const rival = await openTransaction("INSERT INTO toy VALUES (1, 'rival')");
    const answer = store.create({ id: 1n, name: 'Aloe vera' });
    await untilWaiting(1);
    await rival.end(how);
    expect(await answer).toBe(outcome);
  });
});

describe('a row that fails', () => {
  it('fails alone', async () => {
    const store = await open();
    await query(postgres.url, "ALTER TABLE toy ADD CHECK (name NOT LIKE 'bad%')");
    const toys = names(
      'good',
      Array.from({ length: 100 }, (_, index) => BigInt(index)),
    );
    toys[17] = { id: 17n, name: 'bad' };
    toys[18] = { id: 18n, name: 'with \0' };
    toys[77] = { id: 2n ** 63n, name: 'beyond int64' };
    const answers = await Promise.allSettled(toys.map((toy) => store.create(toy)));
    const failed = answers.flatMap((answer) => ('reason' in answer ? [answer.reason.message] : []));
    expect(failed).toEqual([
      'PostgreSQL cannot store toy 17',
      'toy 18: expected name to be text without U+0000',
      'PostgreSQL cannot store toy 9223372036854775808',
    ]);
    expect(await stored()).toHaveLength(97);
  });

  it('leaves its id to the next with the same one', async () => {
    const store = await open();
    await query(postgres.url, "ALTER TABLE toy ADD CHECK (name <> 'bad')");
    const answers = await Promise.allSettled(
      ['bad', 'good', 'bad', 'good', 'other'].map((name) => store.create({ id: 1n, name })),
    );
    expect(answers).toMatchObject([
      { reason: { message: 'PostgreSQL cannot store toy 1' } },
      { value: 'created' },
      { value: 'different' },
      { value: 'same' },
      { value: 'different' },
    ]);
  });
});

describe('a connection that is cut', () => {
  it.each([
    ['before the server reads the batch', 'client', 'given', 'created'],
    ['after the server committed it, before it says so', 'server', 'SELECT 1', 'same'],
    ['while a conflict is read back', 'server', 'rival', 'different'],
  ] as const)(
    '%s is followed by another, and the create is answered',
    async (_, from, text, outcome) => {
      const direct = await open();
      const proxy = await startTcpProxy(postgres.url);
      const store = await open(proxy.through(postgres.url));
      if (outcome === 'different') await direct.create({ id: 1n, name: 'rival' });
      proxy.cutBefore(from, text);
      expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe(outcome);
      expect(proxy.cuts).toBe(1);
      expect(await stored()).toHaveLength(1);
      proxy.close();
    },
  );

  it('by the administrator, again and again, loses nothing', async () => {
    const store = await open();
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'toy-store' AND datname = current_database()`;
    for (let round = 0n; round < 20n; round++) {
      const toys = names(
        'toy',
        Array.from({ length: 50 }, (_, at) => 50n * round + BigInt(at)),
      );
      const [outcomes] = await Promise.all([createAll(store, toys), query(postgres.url, end)]);
      expect(outcomes).not.toContain('different');
    }
    expect(await stored()).toHaveLength(1000);
  });
});

describe('a table that is locked', () => {
  it('makes creates unavailable until it is unlocked', async () => {
    const store = await open(postgres.url, 200);
    const migration = await openTransaction('LOCK TABLE toy');
    const refused = store.create({ id: 1n, name: 'Aloe vera' });
    await expect(refused).rejects.toMatchObject({
      name: 'StoreUnavailable',
      cause: {
        name: 'ConnectionLost',
        message: expect.stringMatching(/^no answer within \d+ ms$/),
      },
    });
    expect(await store.isReady()).toBe(false);
    await migration.end('COMMIT');
    while (!(await store.isReady())) await sleep(20);
    expect(['created', 'same']).toContain(await store.create({ id: 1n, name: 'Aloe vera' }));
  });
});

describe('settings of a database or a role', () => {
  it('do not weaken durability', async () => {
    await openStore(postgres.url).then((store) => store.close());
    const [{ name } = {}] = await query(postgres.url, 'SELECT current_database() AS name');
    const settings = {
      synchronous_commit: 'off',
      default_transaction_isolation: 'serializable',
      client_encoding: 'LATIN1',
    };
    for (const [setting, value] of Object.entries(settings)) {
      await query(postgres.url, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    }
    const used = Object.keys(settings).map((setting) => `current_setting('${setting}')`);
    await query(
      postgres.url,
      `CREATE TABLE used (settings text);
       CREATE FUNCTION note_settings() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO used VALUES (concat_ws(' ', ${used.join(', ')})); RETURN NEW; END $$;
       CREATE TRIGGER note_settings BEFORE INSERT ON toy FOR EACH ROW EXECUTE FUNCTION note_settings()`,
    );
    const store = await open();
    expect(await store.create({ id: 1n, name: 'Пальма' })).toBe('created');
    await store.close();
    await query(postgres.url, `ALTER DATABASE ${name} RESET ALL`);
    expect(await stored()).toEqual([{ id: '1', name: 'Пальма', tag: null }]);
    expect(await query(postgres.url, 'SELECT settings FROM used')).toEqual([
      { settings: 'on read committed UTF8' },
    ]);
  });
});

it.each(['', '?sslmode=verify-full'])(
  'a server that closes each connection is unavailable: %j',
  async (query) => {
    const closing = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const { port } = closing.address() as AddressInfo;
    const store = await open(`postgres://postgres:secret@127.0.0.1:${port}/toys${query}`, 100);
    await expect(store.create({ id: 1n, name: 'Aloe vera' })).rejects.toMatchObject({
      name: 'StoreUnavailable',
    });
    closing.close();
  },
);

const changed = (part: Partial<URL>) => Object.assign(new URL(postgres.url), part).href;

describe('openStore refuses, in one line without the password,', () => {
  const refused = (at: string, message: string | RegExp) =>
    expect(openStore(at)).rejects.toMatchObject({
      name: 'StoreRefused',
      message: expect.stringMatching(message),
    });

  it.each<[string, () => string | Promise<string>, RegExp]>([
    [
      'a wrong password',
      () => changed({ password: 'wrong' }),
      /^Expected to use the database postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\d+, but it failed: password authentication failed for user "postgres"$/,
    ],
    [
      'a missing database',
      () => changed({ pathname: '/nowhere' }),
      /\/nowhere, but it failed: database "nowhere" does not exist$/,
    ],
    [
      'TLS where the server has none',
      () => changed({ search: '?sslmode=verify-full' }),
      /but it failed: .*does not support SSL/,
    ],
    [
      'a database in another encoding',
      () => postgres.server.createDatabase("ENCODING 'LATIN1' TEMPLATE template0"),
      /but it failed: expected a database in UTF8, but it is in LATIN1$/,
    ],
  ])('%s', async (_, urlOf, message) => {
    await refused(await urlOf(), message);
  });

  it('a table of the same name that is not its own, and leaves it as it was', async () => {
    await query(postgres.url, 'CREATE TABLE toy (name text)');
    await refused(postgres.url, /001-toy\.sql.* relation "toy" already exists$/);
    const tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
    expect(await query(postgres.url, tables)).toEqual([{ name: 'toy' }]);
  });

  it('a database that a newer version of the service wrote', async () => {
    await openStore(postgres.url).then((store) => store.close());
    await query(postgres.url, 'INSERT INTO toy_migration VALUES (2)');
    await refused(
      postgres.url,
      /at most schema version 1, but it has 2: a newer version of the service wrote/,
    );
  });
});

describe('a role that may only read and insert', () => {
  it('is enough once another role has migrated', async () => {
    const store = await open(await postgres.clerkUrl());
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
    expect(await store.create({ id: 1n, name: 'Monstera' })).toBe('different');
  });
});
