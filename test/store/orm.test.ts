// The examples of docs/stubwright/store.md with Kysely and Drizzle, in transactions on both databases.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataStore, openStore, type StoreTransaction } from '@stubwright/store';
import { filesOf } from '../../docs/examples.ts';
import { inTestAll } from '../../packages/stubwright/test/support/testAll.ts';
import { Postgres } from '../support/postgres.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** In the project, so that its packages resolve. */
const FOLDER = resolve('build/orm');
const EXAMPLES = ['kysely.ts', 'drizzle.ts'];
type Example = { transfer(transaction: StoreTransaction, amount: bigint): Promise<bigint> };

const temporary = temporaryFolder();
let postgres: Postgres;

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/migrations`, { recursive: true });
  const page = filesOf('docs/stubwright/store.md');
  for (const name of EXAMPLES) writeFileSync(`${FOLDER}/${name}`, page.get(name)!);
  writeFileSync(
    `${FOLDER}/migrations/0001.sql`,
    `CREATE TABLE vehicle (id bigint PRIMARY KEY, plate text NOT NULL UNIQUE, load bigint NOT NULL);
     INSERT INTO vehicle VALUES (1, 'B-XY 1', 100);`,
  );
  postgres = await Postgres.start();
});
afterAll(() => postgres.remove());

const loads = (store: DataStore) => store.query('SELECT id, load FROM vehicle ORDER BY id');

describe.each(EXAMPLES)('%s', (name) => {
  it.each(['SQLite', 'PostgreSQL'])('writes in a transaction on %s', async (database) => {
    const { transfer }: Example = await import(pathToFileURL(`${FOLDER}/${name}`).href);
    const url = database === 'SQLite' ? `sqlite:${temporary()}` : await postgres.createDatabase();
    const migrations = pathToFileURL(`${FOLDER}/migrations/`);
    const store = await openStore(url, { name: 'fleet', migrations, tables: [] });
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
