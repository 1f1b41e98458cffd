// Classifies errors by SQLSTATE (https://www.postgresql.org/docs/18/errcodes-appendix.html).
import { DatabaseError } from 'pg';

/** The connection failed or timed out: the outcome of its statement is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** All connections of the pool were in use for the whole wait: the server may be as it should. */
export class PoolExhausted extends ConnectionLost {
  constructor(connections: number) {
    super(`all ${connections} connections are in use`);
  }
}

/** The server or the schema is not supported. `message` states the expectation. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

// Classes: 08 connection, 40 transaction rollback, 53 insufficient resources (disk full), 55 object not
// in prerequisite state, 57 operator intervention, 58 system error (I/O error).
const TRANSIENT = /^(?:08|40|53|55|57|58)/;
/** The server was demoted to a standby. */
const READ_ONLY = '25006';
// 0A feature not supported, 28 invalid authorization, 3D missing database, 3F missing schema, 42 syntax
// error or access rule violation. The statements are constant: the schema or the privileges have changed.
const REFUSED = /^(?:0A|28|3D|3F|42)/;
// 22 data exception, 23 constraint violation, 54 limit exceeded, P0 raised by a trigger.
const ROW_ERROR = /^(?:22|23|54|P0)/;
const LOCK_NOT_AVAILABLE = '55P03';
const TOO_MANY_CONNECTIONS = '53300';

export const UNDEFINED_TABLE = '42P01';

/** True if a retry may succeed, possibly on another connection. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  const code = codeOf(error);
  return TRANSIENT.test(code) || code === READ_ONLY;
}

/** True if an administrator must correct the configuration or the schema of the server. */
export function isRefused(error: unknown): boolean {
  return error instanceof Unfit || REFUSED.test(codeOf(error));
}

// 40003: statement completion unknown. 55 object not in prerequisite state, such as a lock timeout.
const ROLLED_BACK = /^(?:40(?!003)|53|55|42|28|0A|3D|3F)/;
const QUERY_CANCELED = '57014';

/** True if the statement certainly has no effect. */
export function isRolledBack(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof Unfit ||
    ROLLED_BACK.test(code) ||
    code === QUERY_CANCELED ||
    code === READ_ONLY ||
    ROW_ERROR.test(code)
  );
}

// 53 insufficient resources (disk full), 57P operator intervention, 58 system error (I/O error).
const SERVER_FAILURE = /^(?:53|57P|58)/;

/** True if no write would succeed now, whichever statement it is. */
export function isServerFailure(error: unknown): boolean {
  const code = codeOf(error);
  return SERVER_FAILURE.test(code) || code === READ_ONLY;
}

/** True if a single row of the statement is invalid. */
export function isRowError(error: unknown): boolean {
  return ROW_ERROR.test(codeOf(error));
}

/** True after `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

export function hasTooManyConnections(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS;
}

/** @returns the SQLSTATE; `''` for other errors */
export function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}
