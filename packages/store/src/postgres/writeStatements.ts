// The SQL statement of a kind of writes: one statement for many of them.
import {
  baseOf,
  columnList,
  quotedName,
  type Row,
  type RowKey,
  rowFrom,
  rowKeyOf,
} from '../table.ts';
import { isChange, type WriteDefinition } from '../writes.ts';
import { type DatabaseNames, DURABLE } from './databaseNames.ts';
import { arraysOf, sqlTypeOf } from './postgresRows.ts';
import type { Session } from './session.ts';
import { type QueryConfig, TableStatements } from './tableStatements.ts';

/** The rows that writes have changed, by key; an insert has no row. */
export type Changed = ReadonlyMap<RowKey, Row | undefined>;

export class WriteStatements {
  readonly definition: WriteDefinition;
  readonly table: TableStatements;
  readonly #write: QueryConfig;
  readonly #columns: WriteDefinition['table']['columns'];

  constructor(definition: WriteDefinition, names: DatabaseNames) {
    this.definition = definition;
    this.table = new TableStatements(definition.table, names);
    this.#columns = isChange(definition) ? definition.given : definition.table.columns;
    this.#write = isChange(definition)
      ? { name: `change-${definition.name}`, text: changeText(definition, names) }
      : { name: `insert-${definition.table.name}`, text: insertText(definition, names) };
  }

  /**
   * Applies writes with different keys.
   *
   * @param lockTimeoutMs maximum wait for another transaction
   * @returns those that it applied
   * @throws {Unfit} for a table that is not logged
   */
  async apply(session: Session, writes: readonly Row[], lockTimeoutMs: number): Promise<Changed> {
    const values = [...arraysOf(this.#columns, writes), String(lockTimeoutMs)];
    const rows = await session.query<[given: number, ...unknown[]]>({ ...this.#write, values });
    if (rows[0]?.[0] !== writes.length) throw this.table.notLogged();
    return isChange(this.definition)
      ? this.#changedRows(rows)
      : this.#insertedKeys(writes, rows[0][1] as unknown[]);
  }

  #changedRows(rows: readonly [given: number, ...unknown[]][]): Changed {
    const { table } = this.definition;
    const changed = new Map<RowKey, Row>();
    for (const [, ...values] of rows) {
      const row = rowFrom(table.columns, values);
      // Without a changed row, there is one of NULLs.
      if (row[table.key] !== undefined) changed.set(rowKeyOf(table, row), row);
    }
    return changed;
  }

  #insertedKeys(writes: readonly Row[], missing: readonly unknown[]): Changed {
    const { table } = this.definition;
    const isInt64 = table.columns[table.key] === 'int64';
    const left = new Set(isInt64 ? missing.map((key) => BigInt(key as string)) : missing);
    const inserted = new Map<RowKey, undefined>();
    for (const write of writes) {
      const key = rowKeyOf(table, write);
      if (!left.has(key)) inserted.set(key, undefined);
    }
    return inserted;
  }
}

/** The relation of the writes. It is empty for a table that a crash empties. */
function writesText(
  relation: string,
  { table }: WriteDefinition,
  columns: WriteDefinition['table']['columns'],
  names: DatabaseNames,
): string {
  const arrays = Object.values(columns).map((type, at) => `$${at + 1}::${sqlTypeOf(type)}[]`);
  return `
    durable AS MATERIALIZED (
      SELECT ${DURABLE}, set_config('lock_timeout', $${arrays.length + 1}, true)
      FROM pg_catalog.pg_class WHERE oid = ${names.literal(table.name)}::regclass AND relpersistence = 'p'
    ), ${relation} AS (
      SELECT ${columnList(columns, 'each')}
      FROM durable, unnest(${arrays.join(', ')}) AS each (${columnList(columns)})
    )`;
}

/**
 * One statement is one transaction. It waits for concurrent inserts of the same keys. ORDER BY prevents
 * deadlocks between batches. Returns the number of given rows, and the keys that exist, or that were inserted
 * with other content by a trigger.
 */
function insertText(definition: WriteDefinition, names: DatabaseNames): string {
  const { name, key, columns } = definition.table;
  const list = columnList(columns);
  // The bytes of a text: its collation may take different ones as equal.
  const exact = Object.entries(columns)
    .map(([column, type]) => quotedName(column) + (baseOf(type) === 'text' ? ' COLLATE "C"' : ''))
    .join(', ');
  return `
    WITH ${writesText('given', definition, columns, names)}, inserted AS (
      INSERT INTO ${names.table(name)} (${list})
      SELECT ${list} FROM given ORDER BY ${quotedName(key)}
      ON CONFLICT (${quotedName(key)}) DO NOTHING
      RETURNING ${list}
    )
    SELECT (SELECT count(*)::integer FROM given),
           ARRAY(SELECT ${quotedName(key)} FROM (SELECT ${exact} FROM given EXCEPT SELECT ${exact} FROM inserted) AS missing)`;
}

/**
 * Locks the rows in the order of their keys, which prevents deadlocks between batches. Returns the number of
 * given writes with each changed row.
 */
function changeText(
  definition: Extract<WriteDefinition, { sql: unknown }>,
  names: DatabaseNames,
): string {
  const { table, given } = definition;
  const { name, key, columns } = table;
  const qualified = names.table(name);
  const by = quotedName(key);
  return `
    WITH ${writesText('writes', definition, given, names)}, locked AS MATERIALIZED (
      SELECT 1 FROM ${qualified} WHERE ${by} IN (SELECT ${by} FROM writes) ORDER BY ${by} FOR UPDATE
    ), given AS MATERIALIZED (
      SELECT writes.* FROM writes, (SELECT count(*) FROM locked) AS locks
    ), changed AS (
      ${definition.sql(qualified)}
      RETURNING ${columnList(columns, name)}
    )
    SELECT (SELECT count(*)::integer FROM given), ${columnList(columns, 'changed')}
    FROM (SELECT) AS one LEFT JOIN changed ON true`;
}
