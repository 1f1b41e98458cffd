// The definitions of durable writes.
import type { Columns, Row, Table } from './table.ts';

/** A constraint that rejects a row. */
export interface ConstraintViolation {
  readonly kind: 'unique' | 'foreign key' | 'check' | 'not null';
  /** As the database names it: `vehicle_plate_key` (PostgreSQL), `vehicle.plate` (SQLite). */
  readonly constraint: string;
}

interface WriteOptions<Write, Outcome> {
  /**
   * The outcome of a write that violates a constraint. Without it, or for undefined, the write rejects
   * with an error. Deferred constraints reject the whole batch: declare none.
   */
  onViolation?(write: Write, violation: ConstraintViolation): Outcome | undefined;
}

/**
 * Inserts rows whose key does not exist. The outcome must not be a promise, an error or undefined.
 */
export interface InsertDefinition<R, Outcome> extends WriteOptions<R, Outcome> {
  readonly table: Table<R>;
  /**
   * The outcome of an insert. It may be called for a retry, whose first attempt has inserted the row: an
   * equal row is then a success.
   *
   * @param stored the row that has the key; undefined if this write has inserted its own
   */
  decide(row: R, stored: R | undefined): Outcome;
}

/**
 * Updates or deletes one row per write, for writes that arrive together in one statement.
 *
 * @example
 * const move: ChangeDefinition<Move, Vehicle, 'moved' | 'conflict' | 'missing'> = {
 *   name: 'move', table: vehicle, given: { id: 'int64', version: 'int64', place: 'text' },
 *   sql: (vehicle) => `UPDATE ${vehicle} SET place = given.place, version = vehicle.version + 1
 *     FROM given WHERE vehicle.id = given.id AND vehicle.version = given.version`,
 *   isRepeatable: true,
 *   applied: () => 'moved',
 *   notApplied: ({ version, place }, row) => row === undefined ? 'missing'
 *     : row.version === version + 1n && row.place === place ? 'moved' : 'conflict',
 * };
 */
export interface ChangeDefinition<Write, R, Outcome> extends WriteOptions<Write, Outcome> {
  /** Unique in the store. */
  readonly name: string;
  readonly table: Table<R>;
  /** The columns of a write, with the key of the table. */
  readonly given: Columns;
  /**
   * An UPDATE or DELETE of the table that joins the writes by their key: the relation `given` has one row
   * per write, and different keys. It has no RETURNING. The same text runs on both databases.
   *
   * @param table the name of the table with its schema
   */
  sql(table: string): string;
  /**
   * True if a second run of a write that was applied has a true outcome, too. Otherwise a write whose
   * commit is unknown is `StoreUnavailable`.
   */
  readonly isRepeatable: boolean;
  /** @param row the row after an update, or the deleted one */
  applied(write: Write, row: R): Outcome;
  /**
   * The outcome of a write that changed nothing.
   *
   * @param row the row that has the key; it is durable
   * @returns undefined to run the statement again: the row has changed meanwhile
   */
  notApplied(write: Write, row: R | undefined): Outcome | undefined;
}

/** Any write, with its types erased. */
export type WriteDefinition = InsertDefinition<Row, unknown> | ChangeDefinition<Row, Row, unknown>;

export function isChange(
  definition: WriteDefinition,
): definition is ChangeDefinition<Row, Row, unknown> {
  return 'sql' in definition;
}

/** Attempts to apply a write that neither applies nor finds a row that explains it. */
export const MAX_ATTEMPTS = 3;
