// Copies the missing rows from one store to another, and compares two stores.

import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { charsOf, MAX_BATCH_CHARS } from './groupCommit.ts';
import { openStore, withoutSecrets } from './open.ts';
import type { StoreSchema } from './schema.ts';
import { type DataStore, type StoreEvents, StoreUnavailable } from './store.ts';
import {
  areSameRows,
  OWN_TABLES,
  quotedName,
  type Row,
  type RowKey,
  rowKeyOf,
  type Table,
  UnstorableText,
} from './table.ts';

const MAX_ROWS = 1000;

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
 * Inserts into `to` the rows of `from` whose keys are missing there, table after table: of the given tables,
 * and of the outbox and the idempotency keys, if `from` has them. May be repeated after an interruption.
 * Restores a backup that is opened as `from`.
 *
 * @param tables in the order of their dependencies
 * @param onRead receives the number of rows of `from` that have been read
 * @returns the number of inserted rows
 * @throws {StoreUnavailable} if a store is unavailable
 * @throws {Error} if `to` lacks one of the tables, and at the end for rows whose text has U+0000
 */
export async function copyMissing(
  from: DataStore,
  to: DataStore,
  { tables, onRead }: { tables: readonly Table[]; onRead: (count: number) => void },
): Promise<number> {
  let read = 0;
  let inserted = 0;
  const unstorable: string[] = [];
  for (const table of await movedTables(from, to, tables)) {
    const insert = to.inserts({ table, decide: () => 'inserted' });
    let pending: Promise<unknown>[] = [];
    for await (const [row, held] of joinByKey(from, to, table)) {
      if (row === undefined) continue;
      onRead(++read);
      if (held !== undefined) continue;
      const inserting: Promise<unknown> = insert(row).catch((error) => {
        if (!(error instanceof UnstorableText)) throw error;
        unstorable.push(error.message);
      });
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
  if (unstorable.length > 0) {
    const more = unstorable.length - EXAMPLES;
    const shown = unstorable.slice(0, EXAMPLES).join('; ') + (more > 0 ? `; and ${more} more` : '');
    throw new Error(`${shown}. Change these rows, and run this again`);
  }
  return inserted;
}

/** Compares the tables that {@link copyMissing} copies. They are equal if nothing is missing, different or surplus. */
export async function compareStores(
  from: DataStore,
  to: DataStore,
  declared: readonly Table[],
): Promise<StoreComparison> {
  const tables = await movedTables(from, to, declared);
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

/** @returns the given tables, and those of the package that `from` has */
async function movedTables(
  from: DataStore,
  to: DataStore,
  tables: readonly Table[],
): Promise<readonly Table[]> {
  const [inFrom, inTo] = [await tablesIn(from), await tablesIn(to)];
  const isDeclared = new Set(tables.map(({ name }) => name));
  const ofPackage = OWN_TABLES.filter(({ name }) => inFrom.has(name) && !isDeclared.has(name));
  const missing = ofPackage.find(({ name }) => !inTo.has(name));
  if (missing === undefined) return [...tables, ...ofPackage];
  throw new Error(`expected the other database to have the table ${missing.name}, too`);
}

/** @returns the names of tables with rows that a move leaves behind, since they are not declared */
async function undeclaredTables(
  store: DataStore,
  { name, tables }: { readonly name: string; readonly tables: readonly Table[] },
): Promise<string[]> {
  const movedNames = new Set([...tables, ...OWN_TABLES].map((table) => table.name));
  const filled: string[] = [];
  for (const table of await tablesIn(store)) {
    if (movedNames.has(table) || table === `${name}_migration`) continue;
    const sql = `SELECT 1 FROM ${quotedName(table)} LIMIT 1`;
    const [row] = await patiently(() => store.query(sql));
    if (row !== undefined) filled.push(table);
  }
  return filled;
}

/** As long as pages are read and rows are written, which the store repeats. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 200;

/** Waits for a database that is unavailable. */
async function patiently<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || Date.now() > deadline) throw error;
    }
  }
}

async function tablesIn(store: DataStore): Promise<ReadonlySet<string>> {
  const sql =
    store.database === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
      : `SELECT relname::text AS name FROM pg_catalog.pg_class
         WHERE relkind IN ('r', 'p') AND NOT relispartition AND pg_table_is_visible(oid)
           AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;
  const rows = await patiently(() => store.query<{ name: string }>(`${sql} ORDER BY name`));
  return new Set(rows.map(({ name }) => name));
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
    // The page after one with much text has fewer rows.
    limit = chars > MAX_BATCH_CHARS ? Math.max(1, limit >> 1) : Math.min(MAX_ROWS, limit * 2);
  }
}

const REPORT_EACH = 100_000;

/** The URLs of a move, each as DATABASE_URL. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies all rows of the declared tables, of the outbox and of the idempotency keys to another database, then
 * compares both completely. It writes the result to standard output, progress and errors to standard error. After an interruption it continues.
 *
 * @returns the exit code: 0 if both are equal
 * @example process.exitCode = await moveStore({ from: process.argv[2], to: process.argv[3] }, schema);
 */
export async function moveStore(move: Move, schema: StoreSchema): Promise<0 | 1> {
  const opened: DataStore[] = [];
  try {
    await moveRows(move, schema, opened);
    return 0;
  } catch (error) {
    logProgress(lineOf(error));
    return 1;
  } finally {
    for (const store of opened) await store.close();
  }
}

async function moveRows(
  { from: fromUrl, to: toUrl }: Move,
  schema: StoreSchema,
  opened: DataStore[],
): Promise<void> {
  const { tables, rows = 'rows' } = schema;
  const file = /^sqlite:(.*)$/is.exec(fromUrl)?.[1];
  // Opening would create the file.
  if (file && !existsSync(file)) throw new Error(`expected ${file} to exist`);
  const open = async (name: string, url: string) => {
    const store = await openSide(name, url, schema);
    opened.push(store);
    return store;
  };
  const from = await open('FROM', fromUrl);
  const to = await open('TO', toUrl);
  const onRead = (count: number) => {
    if (count % REPORT_EACH === 0) logProgress(`${formatted(count)} read`);
  };
  const created = await copyMissing(from, to, { tables, onRead });
  logProgress(`${formatted(created)} created; now comparing`);
  const { examples, ...result } = await compareStores(from, to, tables);
  process.stdout.write(
    `FROM ${withoutSecrets(fromUrl)}: ${formatted(result.from)} ${rows}\n` +
      `TO ${withoutSecrets(toUrl)}: ${formatted(result.to)} ${rows}, ${formatted(created)} of them created now\n`,
  );
  if (result.from === 0) throw new Error(`expected FROM to hold ${rows}, but it is empty`);
  const { missing, different, surplus } = result;
  if (missing + different + surplus > 0) {
    throw new Error(
      `expected both to be equal, but of TO's ${rows} ${missing} are missing, ${different} different, ${surplus} surplus (${examples.join(', ')})`,
    );
  }
  process.stdout.write('equal in count and content\n');
  const left = await undeclaredTables(from, schema);
  if (left.length > 0) {
    process.stdout.write(`not moved, since the schema does not declare them: ${left.join(', ')}\n`);
  }
}

async function openSide(name: string, url: string, schema: StoreSchema): Promise<DataStore> {
  if (url === '') throw new Error('expected FROM=… and TO=…, each as DATABASE_URL');
  try {
    const events = new EventEmitter<StoreEvents>()
      .on('unavailable', ({ message }) => logProgress(`${name} is unavailable: ${message}`))
      .on('available', () => logProgress(`${name} is back`));
    return await openStore(url, { ...schema, events, patienceMs: PATIENCE_MS });
  } catch (error) {
    throw new Error((error as Error).message.replace(/^DATABASE_URL/, name), { cause: error });
  }
}

function lineOf(error: unknown): string {
  const { message } = error as Error;
  return error instanceof StoreUnavailable ? `${message}; run this again to continue` : message;
}

/** Progress on standard error; standard output has only the result. */
function logProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function formatted(count: number): string {
  return count.toLocaleString('en');
}
