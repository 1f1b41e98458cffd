// Values of SQLite.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqlValue } from '../store.ts';
import type { Row } from '../table.ts';
import type { ConstraintViolation } from '../writes.ts';

export function valuesOf(names: readonly string[], row: Row): SQLInputValue[] {
  return names.map((name) => inputValue(row[name] ?? null));
}

function inputValue(value: SqlValue): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*$/gm;

/**
 * Prepares a statement and binds its parameters: `$1` by name, `?` in their order.
 *
 * @returns the statement, and its arguments
 */
export function prepare(
  database: DatabaseSync,
  sql: string,
  values: readonly SqlValue[],
): [StatementSync, SQLInputValue[] | [Record<string, SQLInputValue>]] {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const inputs = values.map(inputValue);
  if (!/\$\d/.test(sql.replace(QUOTED, ''))) return [statement, inputs];
  // PostgreSQL may have parameters that a statement does not use.
  statement.setAllowUnknownNamedParameters(true);
  return [statement, [Object.fromEntries(inputs.map((value, at) => [`$${at + 1}`, value]))]];
}

/** By extended result code (https://sqlite.org/rescode.html). */
const VIOLATIONS = new Map<number, ConstraintViolation['kind']>([
  [275, 'check'],
  [787, 'foreign key'],
  [1299, 'not null'],
  [1555, 'unique'], // PRIMARYKEY
  [2067, 'unique'],
]);

export function sqliteViolation(error: unknown): ConstraintViolation | undefined {
  const { errcode = 0, message = '' } = error as { errcode?: number; message?: string };
  const kind = VIOLATIONS.get(errcode);
  return kind && { kind, constraint: message.replace(/^.* constraint failed:? ?/, '') };
}
