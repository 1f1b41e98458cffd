// Values of PostgreSQL.
import { DatabaseError, types } from 'pg';
import type { SqlValue } from '../store.ts';
import { baseOf, type Columns, type ColumnType, type Row } from '../table.ts';
import type { ConstraintViolation } from '../writes.ts';
import { codeOf } from './sqlState.ts';

const TYPES = {
  int64: 'bigint',
  integer: 'bigint',
  text: 'text',
  float64: 'float8',
  boolean: 'boolean',
  bytes: 'bytea',
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

/** Reads every integer as a bigint, as SQLite does. */
const INTEGER_PARSERS = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const isInteger =
      oid === types.builtins.INT2 || oid === types.builtins.INT4 || oid === types.builtins.INT8;
    return isInteger ? BigInt : types.getTypeParser(oid, format as 'text');
  },
};

/** @returns a query of an application. node-postgres takes a Buffer for bytea */
export function queryOf(text: string, values: readonly SqlValue[]) {
  const parameters = values.map((each) => (each instanceof Uint8Array ? Buffer.from(each) : each));
  return { text, values: parameters, types: INTEGER_PARSERS };
}

/** By SQLSTATE. */
const VIOLATIONS = new Map<string, ConstraintViolation['kind']>([
  ['23502', 'not null'],
  ['23503', 'foreign key'],
  ['23505', 'unique'],
  ['23514', 'check'],
]);

export function postgresViolation(error: unknown): ConstraintViolation | undefined {
  const kind = VIOLATIONS.get(codeOf(error));
  if (kind === undefined || !(error instanceof DatabaseError)) return undefined;
  return { kind, constraint: error.constraint ?? error.column ?? '' };
}
