// The statements of a durable write on SQLite.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { columnList, quotedName, type Row, type RowKey, rowFrom, rowKeyOf } from '../table.ts';
import { isChange, MAX_ATTEMPTS, type WriteDefinition } from '../writes.ts';
import { sqliteViolation, valuesOf } from './sqliteRows.ts';

interface AppliedWrite {
  readonly outcome: unknown;
  readonly isChange: boolean;
}

export interface SqliteWriter {
  readonly definition: WriteDefinition;
  /** @throws the error of SQLite, and an Error if nothing explains that the write has no effect */
  apply(write: Row): AppliedWrite;
}

export function sqliteWriter(database: DatabaseSync, definition: WriteDefinition): SqliteWriter {
  const { table } = definition;
  const find = findStatement(database, definition.table);
  const stored = (key: RowKey): Row | undefined => {
    const row = find.get(key);
    return row && rowFrom(table.columns, row);
  };
  const apply = isChange(definition)
    ? changeWith(database, definition, stored)
    : insertWith(database, definition, stored);
  return { definition, apply: (write) => orViolation(definition, write, apply) };
}

type Apply = (write: Row) => AppliedWrite;
type Stored = (key: RowKey) => Row | undefined;

function orViolation(definition: WriteDefinition, write: Row, apply: Apply): AppliedWrite {
  try {
    return apply(write);
  } catch (error) {
    const violation = sqliteViolation(error);
    const outcome = violation && definition.onViolation?.(write, violation);
    if (outcome === undefined) throw error;
    return { outcome, isChange: false };
  }
}

function insertWith(
  database: DatabaseSync,
  definition: Exclude<WriteDefinition, { sql: unknown }>,
  stored: Stored,
): Apply {
  const { table } = definition;
  const names = Object.keys(table.columns);
  const insert = database.prepare(
    `INSERT INTO ${quotedName(table.name)} (${columnList(table.columns)})
     VALUES (${names.map(() => '?').join()}) ON CONFLICT (${quotedName(table.key)}) DO NOTHING`,
  );
  return (row) => {
    const { changes } = insert.run(...valuesOf(names, row));
    if (changes === 1) return { outcome: definition.decide(row, undefined), isChange: true };
    const found = stored(rowKeyOf(table, row));
    if (found === undefined) throw new Error('expected the table to store the row');
    return { outcome: definition.decide(row, found), isChange: false };
  };
}

function changeWith(
  database: DatabaseSync,
  definition: Extract<WriteDefinition, { sql: unknown }>,
  stored: Stored,
): Apply {
  const { table, given } = definition;
  const names = Object.keys(given);
  const change = database.prepare(
    `WITH given (${columnList(given)}) AS (VALUES (${names.map(() => '?').join()}))
     ${definition.sql(quotedName(table.name))} RETURNING ${columnList(table.columns)}`,
  );
  change.setReadBigInts(true);
  return (write) => {
    const values = valuesOf(names, write);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const changed = change.get(...values);
      if (changed !== undefined) {
        const row = rowFrom(table.columns, changed);
        return { outcome: definition.applied(write, row), isChange: true };
      }
      const outcome = definition.notApplied(write, stored(rowKeyOf(table, write)));
      if (outcome !== undefined) return { outcome, isChange: false };
    }
    throw new Error('expected an outcome of a change that was not applied');
  };
}

export function findStatement(
  database: DatabaseSync,
  { name, key, columns }: WriteDefinition['table'],
): StatementSync {
  const find = database.prepare(
    `SELECT ${columnList(columns)} FROM ${quotedName(name)} WHERE ${quotedName(key)} = ?`,
  );
  find.setReadBigInts(true);
  return find;
}
