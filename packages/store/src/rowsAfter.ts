// Rows of a table after a key, for pages: each reads the rows of its page alone, by an index.
import type { SqlValue } from './store.ts';
import {
  type ColumnValue,
  columnList,
  isNullable,
  quotedName,
  type Row,
  rowFrom,
  type Table,
} from './table.ts';

/** A store, or a transaction of it. */
export interface Queryable {
  query<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;
}

/** Which rows, and in which order. */
export interface RowsAfter<R> {
  /**
   * Names of columns that are never NULL, `-` before a name for descending. No two rows may have the same
   * values: the last one is the key. An index of these columns, after those of `where`, finds the rows.
   */
  readonly order: readonly ColumnOrder<keyof R & string>[];
  /** The values of these columns in the last row before; undefined for the first rows. */
  readonly after?: readonly SqlValue[] | undefined;
  readonly limit: number;
  /** Only rows with these values; a column that is undefined is ignored. */
  readonly where?: { readonly [Name in keyof R]?: R[Name] | undefined } | undefined;
}

type ColumnOrder<Name extends string> = Name | `-${Name}`;

/**
 * Reads the rows after a key, in an order of several columns, on both databases.
 *
 * @returns at most `limit` rows
 * @throws {TypeError} for an order by another column or by one that may be NULL, and for another number of
 *   values than columns
 * @throws {StoreUnavailable} if the read fails
 * @example
 * const orders = await rowsAfter(store, order, { order: ['-placedAt', '-id'], after, limit: 21 });
 */
export async function rowsAfter<R extends Row>(
  source: Queryable,
  table: Table<R>,
  { order, after, limit, where = {} }: RowsAfter<R>,
): Promise<R[]> {
  const { name, columns } = table;
  const sorted = order.map((columnOrder) => sortedColumn(columnOrder, table));
  if (after !== undefined && after.length !== sorted.length) {
    throw new TypeError(`${name}: got ${after.length} values, expected ${sorted.length}`);
  }
  const values: SqlValue[] = [];
  const parameter = (value: SqlValue) => `$${values.push(value)}`;
  const conditions = Object.entries<ColumnValue | undefined>(where).flatMap(([column, value]) =>
    value === undefined ? [] : [`${columnIn(table, column)} = ${parameter(value)}`],
  );
  if (after !== undefined) conditions.push(isAfter(sorted, after.map(parameter)));
  const sql = `SELECT ${columnList(columns)} FROM ${quotedName(name)}
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${sorted.map(({ column, direction }) => `${column} ${direction}`).join(', ')}
    LIMIT ${parameter(limit)}`;
  const rows = await source.query<Record<string, unknown>>(sql, values);
  return rows.map((row) => rowFrom(columns, row) as R);
}

interface SortedColumn {
  /** Quoted. */
  readonly column: string;
  readonly direction: 'ASC' | 'DESC';
}

function sortedColumn(text: string, table: Table): SortedColumn {
  const name = text.replace(/^-/, '');
  const column = columnIn(table, name);
  if (isNullable(table.columns[name]!)) {
    throw new TypeError(`${table.name}.${name}: expected a column that is never NULL`);
  }
  return { column, direction: text === name ? 'ASC' : 'DESC' };
}

function columnIn({ name: table, columns }: Table, name: string): string {
  if (Object.hasOwn(columns, name)) return quotedName(name);
  throw new TypeError(`${table}.${name}: expected a declared column`);
}

/** Columns in one direction are compared as a row, which an index finds at once. */
function isAfter(sorted: readonly SortedColumn[], values: readonly string[]): string {
  const isDescending = sorted[0]!.direction === 'DESC';
  if (sorted.every(({ direction }) => direction === sorted[0]!.direction)) {
    const columns = sorted.map(({ column }) => column).join(', ');
    return `(${columns}) ${isDescending ? '<' : '>'} (${values.join(', ')})`;
  }
  const [{ column }, ...others] = sorted as [SortedColumn, ...SortedColumn[]];
  const [value, ...rest] = values;
  const operator = isDescending ? '<' : '>';
  // The first comparison bounds the search in the index.
  return `(${column} ${operator}= ${value} AND (${column} ${operator} ${value} OR ${isAfter(others, rest)}))`;
}
