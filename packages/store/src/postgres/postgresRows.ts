// Values of PostgreSQL.

import { DatabaseError, escapeIdentifier, escapeLiteral, types } from 'pg';
import type { SqlValue } from '../store.ts';
import {
  baseOf,
  type Columns,
  type ColumnType,
  type ConstraintViolation,
  type Row,
} from '../table.ts';
import { codeOf } from './session.ts';

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
  const parameters = values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value) : value,
  );
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

// Per transaction: a configuration reload or a transaction pooler would reset settings of the session.
// synchronous_commit is not overridden, except for off, which would acknowledge commits that a crash
// loses. client_min_messages permits the warning about a cancelled wait for a standby.
export const DURABLE = `
  set_config('synchronous_commit',
             coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true),
  set_config('client_min_messages', 'warning', true)`;

/**
 * A commit waits for its own WAL to be durable, on the standbys too; a plain read also returns rows that are
 * not durable on the standbys. So a read writes something that changes nothing:
 * - `message`: `pg_logical_emit_message`, which needs no privilege on any table. PostgreSQL and its extensions.
 * - `row lock`: a shared lock of the first row of the table of migrations, for engines without that function.
 *   Needs the UPDATE privilege on that table.
 */
export type MarkKind = 'message' | 'row lock';

/** An expression with the kind that the server and the role permit. Its arguments differ between versions. */
export const MARK_KIND = `
  CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_proc
                    WHERE proname = 'pg_logical_emit_message' AND has_function_privilege(oid, 'EXECUTE'))
       THEN 'message' ELSE 'row lock' END`;

/** @param prefix identifies the application in the WAL */
function markOf(kind: MarkKind, prefix: string, migrations: string): string {
  return kind === 'message'
    ? `pg_logical_emit_message(true, '${prefix}', '')`
    : `(SELECT version FROM ${migrations} ORDER BY version LIMIT 1 FOR KEY SHARE)`;
}

/**
 * Tables are qualified: with the search path, a table of the same name in an earlier schema, or in a later
 * one after a rename, would be used instead.
 */
export class DatabaseNames {
  /** The schema of the tables. */
  readonly schema: string;
  /** An expression that makes the rows that a transaction has read durable. */
  readonly mark: string;

  constructor(schema: string, { name, kind }: { readonly name: string; readonly kind: MarkKind }) {
    this.schema = schema;
    this.mark = markOf(kind, `${name}-store`, this.table(`${name}_migration`));
  }

  /** @returns the qualified name of a table */
  table(name: string): string {
    return `${escapeIdentifier(this.schema)}.${escapeIdentifier(name)}`;
  }

  /** @returns a literal with the qualified name of a table */
  literal(name: string): string {
    return escapeLiteral(this.table(name));
  }
}
