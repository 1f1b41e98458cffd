// Pages of a table that changes between them, on both databases: no row twice, and none missing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type DataStore,
  defineTable,
  openStore,
  type Queryable,
  type RowOf,
  rowsAfter,
  type SqlValue,
} from '@stubwright/store';
import { DATABASES, databaseUrls } from '@stubwright/test-support/databases';
import { pageApi, type Received } from '@stubwright/test-support/pageApi';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { page } from 'stubwright/pages';
import { migrationsIn } from './support/migrations.ts';

/** A cursor that leads nowhere ends. */
const MAX_PAGES = 100;
const BIG = 9007199254740993n;

const newUrl = databaseUrls();
const temporary = temporaryPaths();
const SQL = `
  CREATE TABLE placed (id bigint PRIMARY KEY, total bigint NOT NULL, status text NOT NULL);
  CREATE INDEX placed_by_total ON placed (total, id);
  CREATE INDEX placed_mixed ON placed (total DESC, id);`;

interface PlacedOrder {
  readonly id: bigint;
  readonly total: bigint;
  readonly status: string;
}

/** How a page is ordered, and the condition on the rows after a key. */
interface Ordering {
  readonly order: readonly string[];
  readonly sql: string;
  /** With `$1` and so on for the key. */
  readonly isAfter: string;
  readonly compare: (one: PlacedOrder, other: PlacedOrder) => number;
}

const difference = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0);

const ORDERINGS: Readonly<Record<string, Ordering>> = {
  ascending: {
    order: ['total', 'id'],
    sql: 'total, id',
    isAfter: '(total, id) > ($1, $2)',
    compare: (one, other) => difference(one.total, other.total) || difference(one.id, other.id),
  },
  descending: {
    order: ['-total', '-id'],
    sql: 'total DESC, id DESC',
    isAfter: '(total, id) < ($1, $2)',
    compare: (one, other) => difference(other.total, one.total) || difference(other.id, one.id),
  },
  mixed: {
    order: ['-total', 'id'],
    sql: 'total DESC, id',
    isAfter: '(total < $1 OR (total = $1 AND id > $2))',
    compare: (one, other) => difference(other.total, one.total) || difference(one.id, other.id),
  },
  'by the key': {
    order: ['-id'],
    sql: 'id DESC',
    isAfter: 'id < $1',
    compare: (one, other) => difference(other.id, one.id),
  },
};

const PLACED = defineTable('placed', {
  key: 'id',
  columns: { id: 'int64', total: 'int64', status: 'text' },
});
// The type of its rows has their columns: compiled by make check.
const ROW: RowOf<typeof PLACED> = { id: 1n, total: 2n, status: 'open' };
// @ts-expect-error: a column has another type.
const WRONG: RowOf<typeof PLACED> = { ...ROW, id: '1' };
void WRONG;

interface Range {
  readonly after: readonly SqlValue[] | undefined;
  readonly limit: number;
}

type Fetch = (store: DataStore, ordering: Ordering, range: Range) => Promise<PlacedOrder[]>;

const SOURCES: Readonly<Record<string, Fetch>> = {
  SQL: (store, { sql, isAfter }, { after = [], limit }) =>
    store.query(
      `SELECT id, total, status FROM placed ${after.length > 0 ? `WHERE ${isAfter}` : ''}
       ORDER BY ${sql} LIMIT $${after.length + 1}`,
      [...after, limit],
    ),
  rowsAfter: (store, { order }, range) =>
    rowsAfter(store, PLACED, { order: order as never, ...range }),
};

const handlerOn =
  (store: DataStore, ordering: Ordering, fetch: Fetch) =>
  // biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
  async (request: any) => {
    const { order } = ordering;
    const source = { order, fetch: (range: Range) => fetch(store, ordering, range) };
    return { status: 200, ...((await page(request, source as never)) as object) };
  };

type Change =
  | { readonly kind: 'insert'; readonly id: bigint; readonly total: bigint }
  | { readonly kind: 'delete'; readonly at: number };

const id = fc.bigInt({ min: BIG, max: BIG + 40n });
const total = fc.bigInt({ min: 0n, max: 3n });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), id, total }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(39) }),
);
const run = fc.record({
  stored: fc.uniqueArray(fc.record({ id, total }), { maxLength: 30, selector: (each) => each.id }),
  limit: fc.integer({ min: 1, max: 5 }),
  /** Before each page but the first. */
  changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
});

async function apply(store: DataStore, each: Change): Promise<void> {
  const transaction = await store.begin();
  if (each.kind === 'insert') {
    const sql = 'INSERT INTO placed VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
    await transaction.run(sql, [each.id, each.total, 'new']);
  } else await transaction.run('DELETE FROM placed WHERE id = $1', [BIG + BigInt(each.at)]);
  await transaction.commit();
}

const rowsOf = (store: DataStore) =>
  store.query<PlacedOrder>('SELECT id, total, status FROM placed');

/** JSON.parse would round the ids. */
const idsIn = (text: string) =>
  [...text.matchAll(/"id":(\d+)/g)].map(([, digits]) => BigInt(digits!));

describe.each(DATABASES)('the pages of a table on %s', (database) => {
  let store: DataStore;
  beforeAll(async () => {
    const migrations = migrationsIn(temporary('migrations'), { '0001.sql': SQL });
    store = await openStore(await newUrl(database), { name: 'orders', migrations, tables: [] });
  });
  afterAll(() => store.close());

  const fill = async (rows: readonly { id: bigint; total: bigint }[]) => {
    const transaction = await store.begin();
    await transaction.run('DELETE FROM placed');
    for (const row of rows) {
      await transaction.run('INSERT INTO placed VALUES ($1, $2, $3)', [row.id, row.total, 'old']);
    }
    await transaction.commit();
  };

  const cases = Object.entries(ORDERINGS).flatMap(([name, ordering]) =>
    Object.entries(SOURCES).map(([source, fetch]) => ({ name, source, ordering, fetch })),
  );

  it.each(cases)(
    'have each row that stays exactly once, in order: $name, by $source',
    async ({ ordering, fetch }) => {
      const send = await pageApi({ byCursor: handlerOn(store, ordering, fetch) });
      await fc.assert(
        fc.asyncProperty(run, async ({ stored, limit, changes }) => {
          await fill(stored);
          const deleted = new Set<bigint>();
          const seen: bigint[] = [];
          let cursor: string | undefined;
          for (let at = 0; (at === 0 || cursor !== undefined) && at < MAX_PAGES; at++) {
            for (const each of (at > 0 && changes[at - 1]) || []) {
              await apply(store, each);
              if (each.kind === 'delete') deleted.add(BIG + BigInt(each.at));
            }
            const query = cursor === undefined ? '' : `&cursor=${cursor}`;
            const received: Received = await send(`/v1/shops/1/orders?limit=${limit}${query}`);
            expect(received.status).toBe(200);
            seen.push(...idsIn(received.text));
            cursor = received.body.meta.next;
          }
          expect(cursor).toBeUndefined();
          // An id may return after its deletion, with another total.
          const stays = (id: bigint) => !deleted.has(id);
          expect(seen.filter((id, at) => seen.indexOf(id) !== at && stays(id))).toEqual([]);
          const missing = stored.filter((row) => stays(row.id) && !seen.includes(row.id));
          expect(missing).toEqual([]);
          const rows = new Map((await rowsOf(store)).map((row) => [row.id, row]));
          const shown = seen.filter(stays).flatMap((id) => rows.get(id) ?? []);
          expect(shown).toEqual(shown.toSorted(ordering.compare));
        }),
        { numRuns: runs(100) },
      );
    },
  );

  it.each(Object.entries(ORDERINGS))(
    'read the rows of the page alone by an index: %s',
    async (_, { order }) => {
      const rows = Array.from({ length: 5000 }, (_, at) => ({
        id: BIG + BigInt(at),
        total: BigInt(at >> 1),
      }));
      await fill(rows);
      if (database === 'PostgreSQL') await store.query('ANALYZE placed');
      const { id, total } = rows[2501]!;
      const after = order.length === 1 ? [id] : [total, id];
      const plan = await planOf(store, (source) =>
        rowsAfter(source, PLACED, { order: order as never, after, limit: 20 }),
      );
      if (database === 'SQLite') {
        expect(plan).toMatch(/^SEARCH placed USING (?:INDEX \w+|INTEGER PRIMARY KEY) \(.*[<>]/);
        expect(plan).not.toMatch(/TEMP B-TREE/);
      } else {
        expect(plan).toMatch(/Index Scan/);
        expect(plan).not.toMatch(/Sort/);
        const read = [...plan.matchAll(/(?:actual [^)]*rows=|Rows Removed by Filter: )(\d+)/g)];
        for (const [, count] of read) expect(Number(count)).toBeLessThanOrEqual(20);
      }
    },
  );

  it('have the rows of a filter, with the types of their columns', async () => {
    await fill([1n, 2n, 3n].map((id) => ({ id, total: 5n })));
    const transaction = await store.begin();
    await transaction.run("UPDATE placed SET status = 'new' WHERE id = 2");
    const rows = (where: object) =>
      rowsAfter(transaction, PLACED, { order: ['-id'], after: [3n], limit: 5, where });
    expect(await rows({ status: 'old', total: undefined })).toEqual([
      { id: 1n, total: 5n, status: 'old' },
    ]);
    expect(await rows({ total: 4n })).toEqual([]);
    await transaction.rollBack();
  });
});

it.each<[object, RegExp]>([
  [{ order: ['name'] }, /^placed\.name: expected a declared column$/],
  [{ order: ['-note'] }, /^placed\.note: expected a column that is never NULL$/],
  [{ order: ['id'], where: { 'id" --': 1 } }, /^placed\.id" --: expected a declared column$/],
  [{ order: ['id'], after: [1n, 2n] }, /^placed: got 2 values, expected 1$/],
])('rowsAfter rejects %j', async (query, message) => {
  const table = defineTable('placed', { key: 'id', columns: { id: 'int64', note: 'text?' } });
  const never = { query: () => Promise.reject(new Error('queried')) };
  await expect(rowsAfter(never, table, { limit: 1, ...query } as never)).rejects.toThrow(message);
});

/** @returns how the database runs a query: a line for each step */
async function planOf(
  store: DataStore,
  read: (source: Queryable) => Promise<unknown>,
): Promise<string> {
  const lines: string[] = [];
  const explain = store.database === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN ANALYZE';
  await read({
    async query(sql, values) {
      const steps = await store.query<Record<string, unknown>>(`${explain} ${sql}`, values);
      lines.push(...steps.map((each) => String(each['detail'] ?? each['QUERY PLAN'])));
      return store.query(sql, values);
    },
  });
  return lines.join('\n');
}
