// The SQL statements of a declared table.
import { escapeLiteral } from 'pg';
import {
  baseOf,
  type ColumnType,
  columnList,
  isNullable,
  quotedName,
  type Row,
  type RowKey,
  rowFrom,
  type Table,
} from '../table.ts';
import { type DatabaseNames, DURABLE } from './databaseNames.ts';
import { sqlTypeOf } from './postgresRows.ts';
import type { Session } from './session.ts';
import { isRowError, Unfit } from './sqlState.ts';

export interface QueryConfig {
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
