// What an error of PostgreSQL means for the store, by its SQLSTATE
// (https://www.postgresql.org/docs/18/errcodes-appendix.html). Knows no plant and no connection.
import { DatabaseError } from 'pg';

/** The connection died, or did not answer in time: what it was asked to do may or may not be done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

// Classes: 08 connection, 40 rolled back or outcome unknown, 53 out of resources (a full disk),
// 55 in use, 57 cancelled or shut down, 58 outside PostgreSQL (a disk that fails).
const TRANSIENT = /^(?:08|40|53|55|57|58)/;
/** The server was demoted, and its successor is elsewhere. */
const READ_ONLY = '25006';
// 22 data, 23 constraints, 54 too large, P0 raised by a trigger.
const OF_A_ROW = /^(?:22|23|54|P0)/;

export const UNDEFINED_TABLE = '42P01';

/** True when the same may succeed a moment later, perhaps on another connection. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  return TRANSIENT.test(code) || code === READ_ONLY;
}

/** True when a row of the statement is at fault, and the others would be stored without it. */
export function isOfARow(error: unknown): boolean {
  return OF_A_ROW.test(codeOf(error));
}

/** @returns the SQLSTATE, or the empty text for an error that PostgreSQL did not send */
export function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}
