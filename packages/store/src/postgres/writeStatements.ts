// The SQL statement of a kind of writes: one statement for many of them.

import { escapeLiteral } from 'pg';
import {
  baseOf,
  type ColumnType,
  columnList,
  isChange,
  isNullable,
  quotedName,
  type Row,
  type RowKey,
  rowFrom,
  rowKeyOf,
  type Table,
  type WriteDefinition,
} from '../table.ts';
import { arraysOf, type DatabaseNames, DURABLE, sqlTypeOf } from './postgresRows.ts';
import { isRowError, type Session, Unfit } from './session.ts';

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

interface QueryConfig {
  readonly name: string;
  readonly text: string;
}

// Outside of the classes that PostgreSQL uses.
const ROW_CHANGED = 'STWR1';
const ROLLED_BACK = 'STWR2';

export class TableStatements {
  readonly #table: Table;
  readonly #schema: string;
  readonly #findDurable: QueryConfig;
  readonly #find: QueryConfig;
  readonly #checkTable: QueryConfig;
  readonly #checkRow: QueryConfig;
  readonly #pageFrom: string;

  constructor(table: Table, names: DatabaseNames) {
    const { name, key, columns } = table;
    const qualified = names.table(name);
    const list = columnList(columns);
    const type = sqlTypeOf(columns[key]!);
    this.#table = table;
    this.#schema = names.schema;
    // A separate statement: the snapshot of the INSERT excludes the concurrent rows that it waited for.
    this.#findDurable = {
      name: `find-durable-${name}`,
      text: `
        WITH durable AS MATERIALIZED (SELECT ${DURABLE}, ${names.mark})
        SELECT ${columnList(columns, name)} FROM durable, ${qualified}
        WHERE ${quotedName(name)}.${quotedName(key)} = ANY($1::${type}[])`,
    };
    this.#find = {
      name: `find-${name}`,
      text: `SELECT ${list} FROM ${qualified} WHERE ${quotedName(key)} = $1`,
    };
    this.#pageFrom = `SELECT ${list} FROM ${qualified}`;
    this.#checkTable = {
      name: `check-table-${name}`,
      // With all partitions; a plain table is its own tree.
      text: `SELECT bool_and(relpersistence = 'p') FROM pg_catalog.pg_class
        WHERE oid IN (SELECT relid FROM pg_partition_tree(${names.literal(name)}::regclass))
          OR oid = ${names.literal(name)}::regclass`,
    };
    this.#checkRow = { name: `check-row-${name}`, text: checkRow(table, names) };
  }

  /**
   * Checks that an insert would succeed.
   *
   * @throws {Unfit | DatabaseError} for a table that would lose or change rows
   */
  async probe(session: Session): Promise<void> {
    const [[isLogged] = []] = await session.query<[boolean]>(this.#checkTable);
    if (isLogged !== true) throw this.notLogged();
    try {
      await session.query(this.#checkRow);
    } catch (error) {
      // A constraint may reject this row and accept others.
      if (!isRowError(error)) throw error;
    }
  }

  async find(session: Session, key: RowKey): Promise<Row | undefined> {
    const [values] = await session.query<unknown[]>({ ...this.#find, values: [key] });
    return values && rowFrom(this.#table.columns, values);
  }

  /** @returns the rows with these keys, after they are durable */
  async findDurable(session: Session, keys: readonly RowKey[]): Promise<Row[]> {
    const rows = await session.query<unknown[]>({ ...this.#findDurable, values: [keys] });
    return rows.map((values) => rowFrom(this.#table.columns, values));
  }

  /** @returns at most `limit` rows with keys from `from` on, in ascending order */
  async page(session: Session, from: RowKey | undefined, limit: number): Promise<Row[]> {
    const { name, key, columns } = this.#table;
    const ordered = quotedName(key) + (columns[key] === 'text' ? ' COLLATE "C"' : '');
    const where = from === undefined ? '' : `WHERE ${ordered} >= $2`;
    const rows = await session.query<unknown[]>({
      name: `page-${from === undefined ? 'first' : 'from'}-${name}`,
      text: `${this.#pageFrom} ${where} ORDER BY ${ordered} LIMIT $1`,
      values: from === undefined ? [limit] : [limit, from],
    });
    return rows.map((values) => rowFrom(columns, values));
  }

  notLogged(): Unfit {
    const table = `${this.#schema}.${this.#table.name}`;
    return new Unfit(
      `expected the table ${table} to be logged, but a crash would empty it; run ALTER TABLE ${table} SET LOGGED`,
    );
  }
}

/** Inserts a row, reads it, and rolls back. It runs triggers, the deferred ones too. */
function checkRow({ name, key, columns }: Table, names: DatabaseNames): string {
  const table = names.table(name);
  const list = columnList(columns);
  const values = Object.entries(columns).map(([column, type]) =>
    column === key ? 'probe' : probeValue(type),
  );
  const keyType = sqlTypeOf(columns[key]!);
  const random = 'pg_catalog.md5(pg_catalog.random()::text)';
  const probe = keyType === 'text' ? random : `('x' || ${random})::bit(64)::bigint`;
  return `DO $probe$
    DECLARE
      probe CONSTANT ${keyType} := ${probe};
      stored record;
    BEGIN
      INSERT INTO ${table} (${list}) VALUES (${values.join(', ')})
        ON CONFLICT (${quotedName(key)}) DO NOTHING RETURNING ${list} INTO stored;
      SET CONSTRAINTS ALL IMMEDIATE;
      SELECT ${list} INTO stored FROM ${table} WHERE ${quotedName(key)} = probe;
      -- As text: columns may have different collations.
      IF stored::text IS DISTINCT FROM ROW(${values.join(', ')})::text THEN
        RAISE EXCEPTION USING ERRCODE = '${ROW_CHANGED}', MESSAGE =
          'expected the table ' || ${escapeLiteral(`${names.schema}.${name}`)} || ' to store a row as it is, but a trigger or a rule suppresses or changes it';
      END IF;
      RAISE EXCEPTION USING ERRCODE = '${ROLLED_BACK}';
    EXCEPTION WHEN SQLSTATE '${ROLLED_BACK}' THEN NULL;
    END $probe$`;
}

function probeValue(type: ColumnType): string {
  const value = baseOf(type) === 'text' ? "'probe'" : baseOf(type) === 'bytes' ? "''" : "'0'";
  return `${isNullable(type) ? 'NULL' : value}::${sqlTypeOf(type)}`;
}
