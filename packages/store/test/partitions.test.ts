// A table in partitions: the store uses it like any other.
import { beforeAll, expect, it } from '@jest/globals';
import { sharedPostgres } from '@stubwright/test-support/databases';
import { query } from '@stubwright/test-support/postgres';
import { openToyStore } from './support/toyStore.ts';

const PARTITIONS = 4;
const createDatabase = sharedPostgres();
let url: string;

beforeAll(async () => {
  url = await createDatabase();
  const partitions = Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `CREATE TABLE toy_${at} PARTITION OF toy FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at})`,
  );
  await query(
    url,
    `CREATE TABLE toy_migration (version integer PRIMARY KEY);
     INSERT INTO toy_migration VALUES (1);
     CREATE TABLE toy (id bigint PRIMARY KEY, name text NOT NULL, tag text) PARTITION BY HASH (id);
     ${partitions.join(';')}`,
  );
});

it('stores each row once, in its partition', async () => {
  const store = await openToyStore(url, { patienceMs: 60_000 });
  const ids = Array.from({ length: 400 }, (_, id) => BigInt(id));
  const create = (name: string) => Promise.all(ids.map((id) => store.create({ id, name })));
  expect(new Set(await create('Aloe vera'))).toEqual(new Set(['created']));
  expect(new Set(await create('Aloe vera'))).toEqual(new Set(['same']));
  expect(new Set(await create('Monstera'))).toEqual(new Set(['different']));
  const counts = await query(url, 'SELECT count(*)::int FROM toy GROUP BY tableoid');
  expect(counts).toHaveLength(PARTITIONS);
  expect((await store.pageFrom(398n, 10)).map(({ id }) => id)).toEqual([398n, 399n]);
  await store.close();
});

it('is refused if a crash would empty one of them', async () => {
  await query(url, 'ALTER TABLE toy_2 SET UNLOGGED');
  await expect(openToyStore(url)).rejects.toThrow('expected the table public.toy to be logged');
});
