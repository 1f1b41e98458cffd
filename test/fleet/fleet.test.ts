// Updates, deletes, constraints and transactions on both databases.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConstraintViolated, type DataStore, openStore } from '@stubwright/store';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { startTcpProxy } from '@stubwright/test-support/tcpProxy';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { generateIn } from '../../packages/cli/src/project/generated.ts';
import { FLEET, type Vehicle, vehiclesIn } from './vehicles.ts';

const temporary = temporaryPaths();
const opened: DataStore[] = [];
let postgres: Postgres;

beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.remove());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

async function open(database: string, url?: string) {
  const at =
    url ?? (database === 'SQLite' ? `sqlite:${temporary()}` : await postgres.createDatabase());
  const store = await openStore(at, { ...FLEET, patienceMs: 20_000 });
  opened.push(store);
  return { url: at, store, ...vehiclesIn(store) };
}

const vehicle = (id: bigint, plate = `plate ${id}`): Vehicle => ({
  ...{ id, plate, place: 'depot', version: 1n, load: 100n },
});
const VEHICLES = 'SELECT id, plate, place, version, load FROM vehicle ORDER BY id';

describe.each(['SQLite', 'PostgreSQL'])('a fleet on %s', (database) => {
  it('lets exactly one of 60 concurrent moves of one version win', async () => {
    const { add, move, find } = await open(database);
    await add(vehicle(1n));
    const places = Array.from({ length: 60 }, (_, at) => `place ${at}`);
    const outcomes = await Promise.all(places.map((place) => move({ id: 1n, version: 1n, place })));
    const winners = places.filter((_, at) => outcomes[at] === 'moved');
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(59);
    expect(await find(1n)).toEqual({ ...vehicle(1n), place: winners[0], version: 2n });
  });

  it('repeats a move without a second effect', async () => {
    const { add, move, find } = await open(database);
    await add(vehicle(1n));
    const outcomes = await Promise.all(
      Array.from({ length: 9 }, () => move({ id: 1n, version: 1n, place: 'Rome' })),
    );
    expect(outcomes).toEqual(Array(9).fill('moved'));
    expect(await find(1n)).toMatchObject({ place: 'Rome', version: 2n });
  });

  it('removes a vehicle once', async () => {
    const { add, remove, find } = await open(database);
    await add(vehicle(1n));
    const outcomes = await Promise.all([1n, 1n, 2n].map((id) => remove({ id })));
    expect(outcomes.toSorted()).toEqual(['missing', 'missing', 'removed']);
    expect(await find(1n)).toBeUndefined();
  });

  it('gives each write of a partly failing batch its own outcome', async () => {
    const { add, move, remove, store } = await open(database);
    await Promise.all([add(vehicle(1n)), add(vehicle(2n)), add(vehicle(3n))]);
    const settled = await Promise.allSettled([
      add(vehicle(4n)),
      add(vehicle(5n, 'plate 1')),
      add({ ...vehicle(6n), load: -1n }),
      add(vehicle(2n, 'another plate')),
      move({ id: 3n, version: 1n, place: 'Rome' }),
      move({ id: 2n, version: 7n, place: 'Rome' }),
      move({ id: 9n, version: 1n, place: 'Rome' }),
      remove({ id: 1n }),
      remove({ id: 8n }),
      add(vehicle(2n ** 63n)),
    ]);
    const tooLarge = 2n ** 63n;
    expect(settled).toMatchObject([
      ...[{ value: 'added' }, { value: 'plate taken' }],
      { reason: { message: `${database} cannot store vehicle 6` } },
      ...[{ value: 'different' }, { value: 'moved' }, { value: 'conflict' }, { value: 'missing' }],
      ...[{ value: 'removed' }, { value: 'missing' }],
      { reason: { message: `${database} cannot store vehicle ${tooLarge}` } },
    ]);
    expect(await store.query(VEHICLES)).toEqual([
      vehicle(2n),
      { ...vehicle(3n), place: 'Rome', version: 2n },
      vehicle(4n),
    ]);
  });

  it('decides any concurrent moves as if they came one after another', async () => {
    const { add, move, find } = await open(database);
    const moves = fc.array(
      fc.record({
        id: fc.bigInt(0n, 2n),
        version: fc.bigInt(1n, 3n),
        place: fc.constantFrom('Rome', 'Oslo'),
      }),
      { maxLength: 25 },
    );
    let round = 0n;
    await fc.assert(
      fc.asyncProperty(moves, async (drawn) => {
        const first = 10n * round++;
        await Promise.all([0n, 1n, 2n].map((id) => add(vehicle(first + id))));
        const outcomes = await Promise.all(
          drawn.map(({ id, ...rest }) => move({ id: first + id, ...rest })),
        );
        for (const id of [0n, 1n, 2n]) {
          const last = (await find(first + id))!;
          const own = drawn.map((each, at) => ({ ...each, outcome: outcomes[at] }));
          const moved = own.filter((each) => each.id === id && each.outcome === 'moved');
          // One place for each version, and no version without a move.
          const places = new Map(moved.map(({ version, place }) => [version, place]));
          for (const { version, place } of moved) expect(places.get(version)).toBe(place);
          expect([...places.keys()].sort()).toEqual(
            Array.from({ length: places.size }, (_, at) => BigInt(at + 1)),
          );
          expect(last.version).toBe(1n + BigInt(places.size));
        }
      }),
      { numRuns: runs(40) },
    );
  });

  describe('a transaction', () => {
    it('commits all statements or none', async () => {
      const { add, store } = await open(database);
      await Promise.all([add(vehicle(1n)), add(vehicle(2n))]);
      for (const end of ['rollBack', 'commit'] as const) {
        const transaction = await store.begin();
        await transaction.query('UPDATE vehicle SET load = load - $1 WHERE id = $2', [30n, 1n]);
        await transaction.run('UPDATE vehicle SET load = load + $1 WHERE id = $2', [30n, 2n]);
        const [row] = await transaction.query('SELECT load FROM vehicle WHERE id = $1', [2n]);
        expect(row).toEqual({ load: 130n });
        await transaction[end]();
        const loads = await store.query('SELECT load FROM vehicle ORDER BY id');
        expect(loads).toEqual(
          end === 'commit' ? [{ load: 70n }, { load: 130n }] : [{ load: 100n }, { load: 100n }],
        );
      }
    });

    it('ends as the context of a handler', async () => {
      const { store } = await open(database);
      const insert = `INSERT INTO vehicle (id, plate, place, version, load) VALUES ($1, $2, 'x', 1, 0)`;
      const outcomes = [
        { kind: 'replied', status: 200 },
        { kind: 'replied', status: 404 },
        { kind: 'failed' },
        { kind: 'aborted' },
        undefined,
      ];
      for (const [id, outcome] of outcomes.entries()) {
        const transaction = await store.begin();
        await transaction.run(insert, [id, `plate ${id}`]);
        await transaction[Symbol.asyncDispose](outcome);
      }
      expect(await store.query('SELECT id FROM vehicle')).toEqual([{ id: 0n }]);
    });

    it('reports a violated constraint', async () => {
      const { add, store } = await open(database);
      await add(vehicle(1n));
      const transaction = await store.begin();
      const sql = `INSERT INTO vehicle VALUES (2, 'plate 1', 'x', 1, 0)`;
      const error = await transaction.run(sql).catch((each) => each);
      expect(error).toBeInstanceOf(ConstraintViolated);
      expect(error.violation).toMatchObject({ kind: 'unique' });
      await transaction.rollBack();
    });

    it('is seen by nobody before it commits, and delays no write for longer than its end', async () => {
      const { add, store, find } = await open(database);
      const transaction = await store.begin();
      await transaction.run(`INSERT INTO vehicle VALUES (1, 'p', 'x', 1, 0)`);
      const found = find(1n);
      const added = add(vehicle(2n));
      await sleep(20);
      if (database === 'PostgreSQL') expect(await found).toBeUndefined();
      await transaction.rollBack();
      expect([await found, await added]).toEqual([undefined, 'added']);
      await expect(transaction.run('SELECT 1')).rejects.toMatchObject({
        name: 'StoreUnavailable',
        message: 'The transaction is over',
      });
      expect(await store.query('SELECT id FROM vehicle')).toEqual([{ id: 2n }]);
    });

    it('releases its connection when it cannot commit', async () => {
      const { url, store } = await open(database);
      if (database === 'SQLite') return;
      const one = await openStore(url, { ...FLEET, maxConnections: 3, patienceMs: 2_000 });
      opened.push(one);
      for (let times = 0; times < 3; times++) {
        const transaction = await one.begin();
        await transaction.run('SELECT nonsense').catch(() => {});
        await expect(transaction.commit()).rejects.toThrow('current transaction is aborted');
      }
      expect(await store.query('SELECT id FROM vehicle')).toEqual([]);
    });

    it('is not in a backup before it commits', async () => {
      const { store } = await open(database);
      if (store.backUp === undefined) return;
      for (const end of ['rollBack', 'commit'] as const) {
        const transaction = await store.begin();
        await transaction.run(`INSERT INTO vehicle VALUES (1, 'p', 'x', 1, 0)`);
        const backup = store.backUp();
        await sleep(50);
        await transaction[end]();
        const copy = new DatabaseSync(await backup, { readOnly: true });
        const rows = copy.prepare('SELECT id FROM vehicle').all();
        copy.close();
        expect(rows).toHaveLength(end === 'commit' ? 1 : 0);
      }
    });

    it('rolls back when its time is over', async () => {
      const { url, add } = await open(database);
      if (database === 'SQLite') await opened.splice(0)[0]!.close();
      const store = await openStore(url, { ...FLEET, transactionTimeoutMs: 100 });
      opened.push(store);
      const transaction = await store.begin();
      await transaction.run(`INSERT INTO vehicle VALUES (1, 'p', 'x', 1, 0)`);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await expect(transaction.commit()).rejects.toMatchObject({ name: 'StoreUnavailable' });
      expect(await store.query('SELECT id FROM vehicle')).toEqual([]);
      if (database === 'PostgreSQL') expect(await add(vehicle(1n))).toBe('added');
    });

    it('waits for a locked row only for a limited time', async () => {
      const { url, store } = await open(database);
      if (database === 'SQLite') await opened.splice(0)[0]!.close();
      else await store.query('SELECT 1');
      const impatient = await openStore(url, { ...FLEET, patienceMs: 200 });
      opened.push(impatient);
      await vehiclesIn(impatient).add(vehicle(1n));
      const update = `UPDATE vehicle SET place = 'Rome' WHERE id = 1`;
      const holder = await impatient.begin();
      await holder.run(update);
      const second = impatient.begin().then((transaction) => transaction.run(update));
      await expect(second).rejects.toMatchObject({
        name: 'StoreUnavailable',
        message: expect.stringMatching(/^Another transaction holds/),
      });
      await holder.commit();
      expect(await impatient.query('SELECT place FROM vehicle')).toEqual([{ place: 'Rome' }]);
    });
  });

  it('numbers parameters by name or by position', async () => {
    const { store } = await open(database);
    expect(
      await store.query(`SELECT '$9' AS text, CAST($2 AS bigint) AS n, CAST($1 AS text) AS t`, [
        'a',
        5n,
      ]),
    ).toEqual([{ text: '$9', n: 5n, t: 'a' }]);
    if (database === 'SQLite') {
      const sql = `SELECT '$1' AS text, ? AS n`;
      expect(await store.query(sql, [7n])).toEqual([{ text: '$1', n: 7n }]);
    }
  });
});

describe('a connection to PostgreSQL that is cut before the answer', () => {
  async function cutIn(write: (vehicles: ReturnType<typeof vehiclesIn>) => Promise<unknown>) {
    const url = await postgres.createDatabase();
    const proxy = await startTcpProxy(url);
    try {
      const { store, ...vehicles } = await open('PostgreSQL', proxy.through(url));
      await vehicles.add(vehicle(1n));
      proxy.cutBefore('server', 'SELECT 1');
      const outcome = await write(vehicles).catch((error) => error);
      expect(proxy.cuts).toBe(1);
      return { outcome, rows: await query(url, 'SELECT id, place FROM vehicle') };
    } finally {
      proxy.close();
    }
  }

  it('repeats a write that is repeatable', async () => {
    const { outcome, rows } = await cutIn(({ move }) =>
      move({ id: 1n, version: 1n, place: 'Rome' }),
    );
    expect([outcome, rows]).toEqual(['moved', [{ id: '1', place: 'Rome' }]]);
  });

  it('makes the outcome of any other write unavailable', async () => {
    const { outcome, rows } = await cutIn(({ remove }) => remove({ id: 1n }));
    expect(outcome).toMatchObject({
      name: 'StoreUnavailable',
      message: 'The outcome of the commit is unknown',
    });
    expect(rows).toEqual([]);
  });

  it('makes the outcome of a transaction unavailable', async () => {
    const url = await postgres.createDatabase();
    const proxy = await startTcpProxy(url);
    const { store } = await open('PostgreSQL', proxy.through(url));
    const transaction = await store.begin();
    await transaction.run(`INSERT INTO vehicle VALUES (1, 'p', 'x', 1, 0)`);
    proxy.cutBefore('server', 'COMMIT');
    await expect(transaction.commit()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(await query(url, 'SELECT id FROM vehicle')).toEqual([{ id: '1' }]);
    proxy.close();
  });
});

describe('reads that rest on other transactions', () => {
  it('work without pg_logical_emit_message', async () => {
    const url = await postgres.createDatabase();
    await (await openStore(url, FLEET)).close();
    await query(
      url,
      `DO $$ DECLARE each regprocedure; BEGIN
         FOR each IN SELECT oid FROM pg_proc WHERE proname = 'pg_logical_emit_message' LOOP
           EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', each);
         END LOOP;
       END $$;
       CREATE ROLE clerk LOGIN PASSWORD 'clerk';
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO clerk`,
    );
    const own = new URL(url);
    own.username = 'clerk';
    own.password = 'clerk';
    const { add, move, store } = await open('PostgreSQL', own.href);
    expect(await add(vehicle(1n))).toBe('added');
    expect(await add(vehicle(1n))).toBe('added');
    expect(await add(vehicle(1n, 'another'))).toBe('different');
    expect(await move({ id: 1n, version: 5n, place: 'Rome' })).toBe('conflict');
    expect(await store.isReady()).toBe(true);
    // A lock of the row in the table of migrations: the transaction writes to the log.
    const [before] = await query(url, 'SELECT xmax FROM fleet_migration');
    await add(vehicle(1n));
    const [after] = await query(url, 'SELECT xmax FROM fleet_migration');
    expect(after).not.toEqual(before);
  });
});

it('has generated files that belong to its contract', async () => {
  const folder = resolve('test/fleet');
  const { files } = await generateIn(folder, 'openapi.yaml');
  expect(files.size).toBe(2);
  for (const [file, text] of files) expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
});
