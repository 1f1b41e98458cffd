// Rows and values of PostgreSQL.
import { DatabaseError, types } from 'pg';
import type { SqlValue } from '../store.ts';
import { baseOf, type Columns, type ColumnType, type ColumnValue, type Row } from '../table.ts';
import type { ConstraintViolation } from '../writes.ts';
import { codeOf } from './sqlState.ts';

const TYPES = {
  int64: 'bigint',
  integer: 'bigint',
  text: 'text',
  float64: 'float8',
  boolean: 'boolean',
} as const;

export function sqlTypeOf(type: ColumnType): string {
  return TYPES[baseOf(type)];
}

/** @returns one array per column, in their order */
export function arraysOf(columns: Columns, rows: readonly Row[]): unknown[] {
  return Object.entries(columns).map(([name, type]) =>
    // node-postgres quotes every element of an array, which takes longer than these rows.
    type === 'int64'
      ? `{${rows.map((row) => row[name]).join()}}`
      : rows.map((row) => row[name] ?? null),
  );
}

/** @param values of the columns, in their order, as node-postgres reads them: an int8 is a string */
export function postgresRow(columns: Columns, values: readonly unknown[]): Row {
  const row: Record<string, ColumnValue> = {};
  let at = 0;
  for (const name in columns) {
    const value = values[at++];
    if (value === null || value === undefined) continue;
    row[name] = columnValue(baseOf(columns[name]!), value as string | ColumnValue);
  }
  return row;
}

function columnValue(type: ReturnType<typeof baseOf>, value: string | ColumnValue): ColumnValue {
  if (type === 'int64') return BigInt(value);
  return type === 'integer' ? Number(value) : value;
}

/** Reads every integer as a bigint, as SQLite does. */
export const INTEGER_PARSERS = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const isInteger =
      oid === types.builtins.INT2 || oid === types.builtins.INT4 || oid === types.builtins.INT8;
    return isInteger ? BigInt : types.getTypeParser(oid, format as 'text');
  },
};

/** node-postgres takes a Buffer for bytea. */
export function parameterOf(value: SqlValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/** By SQLSTATE. */
const VIOLATIONS = new Map<string, ConstraintViolation['kind']>([
  ['23502', 'not null'],
  ['23503', 'foreign key'],
  ['23505', 'unique'],
  ['23514', 'check'],
]);

/** @returns undefined for any other error */
export function postgresViolation(error: unknown): ConstraintViolation | undefined {
  const kind = VIOLATIONS.get(codeOf(error));
  if (kind === undefined || !(error instanceof DatabaseError)) return undefined;
  return { kind, constraint: error.constraint ?? error.column ?? '' };
}
