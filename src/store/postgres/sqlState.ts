// What an error of PostgreSQL means for the store, by its SQLSTATE
// (https://www.postgresql.org/docs/18/errcodes-appendix.html).
import { DatabaseError } from 'pg';

/** The connection died, or did not answer in time: the outcome of its statement is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

// Classes: 08 connection, 40 rolled back or outcome unknown, 53 out of resources (a full disk),
// 55 in use, 57 cancelled or shut down, 58 outside PostgreSQL (a disk that fails).
const TRANSIENT = /^(?:08|40|53|55|57|58)/;
/** The server was demoted, and its successor is elsewhere. */
const READ_ONLY = '25006';
// Classes: 28 the role may not log in, 3D the database is missing; 42501 the role lacks a privilege.
const REFUSED = /^(?:28|3D|42501)/;
// Classes: 22 data, 23 constraints, 54 too large, P0 raised by a trigger.
const OF_A_ROW = /^(?:22|23|54|P0)/;
const LOCK_NOT_AVAILABLE = '55P03';
const TOO_MANY_CONNECTIONS = '53300';

export const UNDEFINED_TABLE = '42P01';

/** True when the same may succeed a moment later, perhaps on another connection. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  return TRANSIENT.test(code) || code === READ_ONLY;
}

/** True when nothing can be stored until the server's administrator changes that. */
export function isRefused(error: unknown): boolean {
  return REFUSED.test(codeOf(error));
}

/** True when a row of the statement is at fault, and the others would be stored without it. */
export function isOfARow(error: unknown): boolean {
  return OF_A_ROW.test(codeOf(error));
}

/** True when another transaction held a lock for longer than `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

export function hasTooManyConnections(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS;
}

/** @returns the SQLSTATE, or the empty string for an error that PostgreSQL did not send */
export function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}
