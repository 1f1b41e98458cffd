// Transactions on both databases: their results, and docs/stubwright/orm/.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConstraintViolated,
  type DataStore,
  openStore,
  type SqlResult,
  type SqlValue,
  type StoreTransaction,
  StoreUnavailable,
} from '@stubwright/store';
import { DATABASES, type DatabaseName, databaseUrls } from '@stubwright/test-support/databases';
import { inTestAll } from '@stubwright/test-support/testAll';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/orm');
const EXAMPLES = ['kysely.ts', 'drizzle.ts'];
type Example = { transfer(transaction: StoreTransaction, amount: bigint): Promise<bigint> };

const newUrl = databaseUrls();

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/migrations`, { recursive: true });
  for (const name of EXAMPLES) cpSync(`docs/stubwright/orm/${name}`, `${FOLDER}/${name}`);
  writeFileSync(
    `${FOLDER}/migrations/0001.sql`,
    `CREATE TABLE vehicle (id bigint PRIMARY KEY, plate text NOT NULL UNIQUE, load bigint NOT NULL CHECK (load < 1000));
     CREATE TABLE trip (vehicle bigint REFERENCES vehicle);
     INSERT INTO vehicle VALUES (1, 'B-XY 1', 100);`,
  );
});

async function openFleet(database: DatabaseName, times: { transactionTimeoutMs?: number } = {}) {
  const migrations = pathToFileURL(`${FOLDER}/migrations/`);
  return openStore(await newUrl(database), { name: 'fleet', migrations, tables: [], ...times });
}

const loads = (store: DataStore) => store.query('SELECT id, load FROM vehicle ORDER BY id');

describe.each(DATABASES)('a transaction on %s', (database) => {
  const vehicle = 'INSERT INTO vehicle VALUES ($1, $2, $3)';
  let store: DataStore;
  beforeAll(async () => {
    store = await openFleet(database);
  });
  afterAll(() => store.close());

  it.each<[string, SqlValue[], Partial<SqlResult>]>([
    ['SELECT 1 AS "2", 2 AS "1", 3 AS "2"', [], { columns: ['2', '1', '2'], rows: [[1n, 2n, 3n]] }],
    [vehicle, [2, '$1', 5], { columns: [], rows: [], changes: 1 }],
    ['UPDATE vehicle SET load = 1 WHERE load < 0', [], { columns: [], rows: [], changes: 0 }],
    [
      "UPDATE vehicle SET plate = 'it''s $2' WHERE load = $1 RETURNING plate -- $3",
      [100],
      { columns: ['plate'], rows: [["it's $2"]], changes: 1 },
    ],
    ['SELECT load FROM vehicle WHERE id = $1', [7], { columns: ['load'], rows: [] }],
    ['SELECT $2 || $1 AS text', ['b', 'a'], { columns: ['text'], rows: [['ab']] }],
  ])('returns the result of %s', async (sql, values, result) => {
    const transaction = await store.begin();
    expect(await transaction.run(sql, values)).toMatchObject(result);
    await transaction.rollBack();
  });

  it.each<[string, string, SqlValue[]]>([
    ['unique', vehicle, [1, 'B-XY 2', 5]],
    ['unique', vehicle, [2, 'B-XY 1', 5]],
    ['not null', vehicle, [2, null, 5]],
    ['check', vehicle, [2, 'B-XY 2', 1000]],
    ['foreign key', 'INSERT INTO trip VALUES ($1)', [2]],
  ])('reports the violation of a constraint: %s', async (kind, sql, values) => {
    const transaction = await store.begin();
    const error = await transaction.run(sql, values).catch((error) => error);
    expect(error).toBeInstanceOf(ConstraintViolated);
    expect(error.violation.kind).toBe(kind);
    await transaction.rollBack();
  });

  it.each([
    [{ kind: 'replied', status: 400 }, 0],
    [{ kind: 'aborted', status: 200 }, 0],
    [undefined, 0],
    [{ kind: 'replied', status: 399 }, 1],
  ])('ends with the outcome %j', async (outcome, count) => {
    const before = await loads(store);
    const transaction = await store.begin();
    await transaction.run(vehicle, [2, 'B-XY 2', 5]);
    await transaction[Symbol.asyncDispose](outcome);
    await expect(transaction.query('SELECT 1')).rejects.toBeInstanceOf(StoreUnavailable);
    await transaction.rollBack();
    expect((await loads(store)).length - before.length).toBe(count);
    const cleaning = await store.begin();
    await cleaning.run('DELETE FROM vehicle WHERE id = 2', []);
    await cleaning.commit();
  });

  it('rolls back after its time', async () => {
    const own = await openFleet(database, { transactionTimeoutMs: 30 });
    const transaction = await own.begin();
    // Too late on a busy machine.
    await transaction.run(vehicle, [2, 'B-XY 2', 5]).catch(() => {});
    await sleep(60);
    await expect(transaction.commit()).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await loads(own)).toHaveLength(1);
    await own.close();
  });
});

describe.each(EXAMPLES)('%s', (name) => {
  it.each(DATABASES)('writes in a transaction on %s', async (database) => {
    const { transfer }: Example = await import(pathToFileURL(`${FOLDER}/${name}`).href);
    const store = await openFleet(database);
    for (const kind of ['failed', 'replied']) {
      const transaction = await store.begin();
      expect(await transfer(transaction, 30n)).toBe(30n);
      await transaction[Symbol.asyncDispose]({ kind, status: 200 });
      expect(await loads(store)).toEqual(
        kind === 'failed'
          ? [{ id: 1n, load: 100n }]
          : [
              { id: 1n, load: 70n },
              { id: 2n, load: 30n },
            ],
      );
    }
    await store.close();
  });
});

inTestAll(it)('compiles', () => {
  const tsconfig = { extends: resolve('tsconfig.json'), include: ['.'], exclude: [] };
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(tsconfig));
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', FOLDER],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});
