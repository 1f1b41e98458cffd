// Every type of column, names that need quotes, text keys, and their move between databases.
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  areSameRows,
  compareStores,
  copyMissing,
  defineTable,
  openStore,
  type StoreSchema,
} from '@stubwright/store';
import { codePoint } from '@stubwright/test-support/codePoint';
import { DATABASES, type DatabaseName, databaseUrls } from '@stubwright/test-support/databases';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';

const ORDER = defineTable('Order', {
  key: 'user',
  columns: {
    user: 'text',
    set_config: 'int64',
    firstName: 'text?',
    group: 'integer?',
    weight: 'float64?',
    isPaid: 'boolean?',
  },
});
type Order = NonNullable<typeof ORDER.row>;
const MIGRATION = `CREATE TABLE "Order" ("user" text COLLATE "C" NOT NULL PRIMARY KEY, set_config bigint NOT NULL,
  "firstName" text, "group" bigint, weight double precision, "isPaid" boolean);`;

const temporary = temporaryPaths();
const newUrl = databaseUrls();
let schema: StoreSchema;

beforeAll(async () => {
  const folder = temporary('migrations');
  for (const [database, sql] of [
    ['sqlite', MIGRATION.replace(' COLLATE "C"', '')],
    ['postgres', MIGRATION],
  ] as const) {
    mkdirSync(`${folder}/${database}`, { recursive: true });
    writeFileSync(`${folder}/${database}/0001.sql`, sql);
  }
  schema = { name: 'order', migrations: pathToFileURL(`${folder}/`), tables: [ORDER] };
});

const open = async (database: DatabaseName) =>
  openStore(await newUrl(database), { ...schema, patienceMs: 60_000 });

const text = fc.string({ unit: codePoint }).map((each) => each.replaceAll('\0', ''));
const order: fc.Arbitrary<Order> = fc.record(
  {
    user: text,
    set_config: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    firstName: text,
    group: fc.maxSafeInteger(),
    // SQLite stores -0 as 0.
    weight: fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
    isPaid: fc.boolean(),
  },
  { requiredKeys: ['user', 'set_config'] },
);

describe.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const)('rows on %s', (database, other) => {
  it('come back as they were written, and move to the other database', async () => {
    const store = await open(database);
    const add = store.inserts<Order, string>({
      table: ORDER,
      decide(row, stored) {
        if (stored === undefined) return 'added';
        return areSameRows(ORDER, row, stored) ? 'same' : 'different';
      },
    });
    const rename = store.changes<Pick<Order, 'user' | 'group'>, Order, Order | string>({
      name: 'regroup',
      table: ORDER,
      given: { user: 'text', group: 'integer?' },
      sql: (table) =>
        `UPDATE ${table} SET "group" = given."group" FROM given WHERE "Order"."user" = given."user"`,
      isRepeatable: true,
      applied: (_, row) => row,
      notApplied: () => 'missing',
    });
    const drawn = fc.sample(order, { numRuns: runs(400), seed: 2 });
    const orders = [...new Map(drawn.map((each) => [each.user, each])).values()];
    await Promise.all(orders.map(add));
    expect(await Promise.all(orders.map(add))).toEqual(Array(orders.length).fill('same'));
    expect(await Promise.all(orders.map(({ user }) => store.find(ORDER, user)))).toEqual(orders);
    const { group: _, ...first } = orders[0]!;
    expect(await rename({ user: first.user })).toEqual(first);
    expect(await rename({ user: 'nobody \u{10ffff}' })).toBe('missing');

    const copy = await open(other);
    const { tables } = schema;
    expect(await copyMissing(store, copy, { tables, onRead: () => {} })).toBe(orders.length);
    expect(await compareStores(store, copy, tables)).toEqual({
      ...{ from: orders.length, to: orders.length, missing: 0, different: 0, surplus: 0 },
      examples: [],
    });
    expect(await copy.page(ORDER, undefined, 5)).toEqual(await store.page(ORDER, undefined, 5));
    await Promise.all([store.close(), copy.close()]);
  });
});

describe('a migration', () => {
  it('is committed as a whole or not at all', async () => {
    const folder = temporary('broken');
    mkdirSync(folder);
    const migrations = pathToFileURL(`${folder}/`);
    writeFileSync(`${folder}/0001.sql`, 'CREATE TABLE one (id bigint);');
    writeFileSync(`${folder}/0002.sql`, 'CREATE TABLE two (id bigint); SELECT nonsense;');
    for (const database of DATABASES) {
      const url = await newUrl(database);
      const broken = { name: 'broken', migrations, tables: [] };
      await expect(openStore(url, broken)).rejects.toMatchObject({
        name: 'StoreRefused',
        message: expect.stringContaining('nonsense'),
      });
      writeFileSync(`${folder}/0002.sql`, 'CREATE TABLE two (id bigint);');
      const store = await openStore(url, broken);
      expect(await store.query('SELECT * FROM two')).toEqual([]);
      await store.close();
      writeFileSync(`${folder}/0002.sql`, 'CREATE TABLE two (id bigint); SELECT nonsense;');
    }
  });

  it.each([
    ['no file', []],
    ['two files with one number', ['1-a.sql', '0001-b.sql']],
  ])('needs numbered files: %s', async (_, files) => {
    const folder = temporary(`files ${files.length}`);
    mkdirSync(folder);
    for (const file of files) writeFileSync(`${folder}/${file}`, 'SELECT 1;');
    const migrations = pathToFileURL(`${folder}/`);
    const opened = openStore(await newUrl('SQLite'), { name: 'x', migrations, tables: [] });
    await expect(opened).rejects.toThrow(
      'expected files 0001.sql, 0002.sql with different numbers',
    );
  });
});
