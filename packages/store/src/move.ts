// Copies the missing rows from one store to another, and compares two stores.
import type { DataStore } from './store.ts';
import { areSameRows, charsOf, type Row, type RowKey, rowKeyOf, type Table } from './table.ts';

const MAX_ROWS = 1000;
/** Maximum text in a page, in UTF-16 code units: the next page after a larger one has fewer rows. */
const PAGE_CHARS = 4 * 1024 * 1024;

/** The result of {@link compareStores}. */
export interface StoreComparison {
  /** Number of rows in the first store. */
  from: number;
  /** Number of rows in the second store. */
  to: number;
  missing: number;
  different: number;
  surplus: number;
  /** The first few missing, different and surplus keys; with several tables, after the name of the table. */
  readonly examples: string[];
}

const EXAMPLES = 10;

/**
 * Inserts into `to` the rows of `from` whose keys are missing there, table after table. May be repeated after
 * an interruption. Restores a backup that is opened as `from`.
 *
 * @param tables in the order of their dependencies
 * @param onRead receives the number of rows of `from` that have been read
 * @returns the number of inserted rows
 * @throws {StoreUnavailable} if a store is unavailable
 */
export async function copyMissing(
  from: DataStore,
  to: DataStore,
  { tables, onRead }: { tables: readonly Table[]; onRead: (count: number) => void },
): Promise<number> {
  let read = 0;
  let inserted = 0;
  for (const table of tables) {
    const insert = to.inserts({ table, decide: () => 'inserted' });
    let pending: Promise<unknown>[] = [];
    for await (const [row, held] of joinByKey(from, to, table)) {
      if (row === undefined) continue;
      onRead(++read);
      if (held !== undefined) continue;
      const inserting = insert(row);
      // Rejections are thrown by Promise.all below.
      inserting.catch(() => {});
      pending.push(inserting);
      inserted++;
      if (pending.length < MAX_ROWS) continue;
      await Promise.all(pending);
      pending = [];
    }
    await Promise.all(pending);
  }
  return inserted;
}

/** Compares two stores. They are equal if nothing is missing, different or surplus. */
export async function compareStores(
  from: DataStore,
  to: DataStore,
  tables: readonly Table[],
): Promise<StoreComparison> {
  const result = { from: 0, to: 0, missing: 0, different: 0, surplus: 0, examples: [] as string[] };
  for (const table of tables) {
    const prefix = tables.length > 1 ? `${table.name} ` : '';
    for await (const [row, held] of joinByKey(from, to, table)) {
      if (row) result.from++;
      if (held) result.to++;
      if (row && held && areSameRows(table, row, held)) continue;
      const kind = row === undefined ? 'surplus' : held === undefined ? 'missing' : 'different';
      result[kind]++;
      if (result.examples.length >= EXAMPLES) continue;
      result.examples.push(`${kind} ${prefix}${rowKeyOf(table, (row ?? held)!)}`);
    }
  }
  return result;
}

/** @yields the rows of both stores with the same key, in ascending order of keys */
async function* joinByKey(
  from: DataStore,
  to: DataStore,
  table: Table,
): AsyncGenerator<[Row | undefined, Row | undefined]> {
  const [left, right] = [rowsOf(from, table), rowsOf(to, table)];
  let [a, b] = [await next(left), await next(right)];
  while (a !== undefined || b !== undefined) {
    const order = a && b ? compareKeys(rowKeyOf(table, a), rowKeyOf(table, b)) : a ? -1 : 1;
    yield [order <= 0 ? a : undefined, order >= 0 ? b : undefined];
    if (order <= 0) a = await next(left);
    if (order >= 0) b = await next(right);
  }
}

/** Text in the order of its UTF-8 bytes, as both databases have it. */
function compareKeys(a: RowKey, b: RowKey): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

async function next(rows: AsyncGenerator<Row>): Promise<Row | undefined> {
  const { value, done } = await rows.next();
  return done ? undefined : value;
}

async function* rowsOf(store: DataStore, table: Table): AsyncGenerator<Row> {
  let last: RowKey | undefined;
  let limit = MAX_ROWS;
  for (;;) {
    const page = await store.page(table, last, last === undefined ? limit : limit + 1);
    const rows = last === undefined ? page : page.filter((row) => rowKeyOf(table, row) !== last);
    const newest = rows.at(-1);
    if (newest === undefined) return;
    yield* rows;
    last = rowKeyOf(table, newest);
    const chars = rows.reduce((sum, row) => sum + charsOf(row), 0);
    limit = chars > PAGE_CHARS ? Math.max(1, limit >> 1) : Math.min(MAX_ROWS, limit * 2);
  }
}
