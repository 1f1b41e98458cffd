// An outbox in a SQLite database, on the connection of the application's transactions.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outbox, sqlOutbox, TABLE } from './outbox.ts';

/** A connection of `node:sqlite` or better-sqlite3. */
export interface SqliteConnection {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: (string | number | null)[]): unknown[] };
  /** Of `node:sqlite`. */
  readonly isTransaction?: boolean;
  /** Of better-sqlite3. */
  readonly inTransaction?: boolean;
}

/** The time between looks at an open transaction. */
const LOOK_MS = 1;
const MAX_WAIT_MS = 5_000;

/**
 * Creates the table `stubwright_outbox` if it is missing.
 *
 * A message with a `transaction` belongs to the transaction that is open on that connection. All other
 * statements wait until no transaction is open on `connection`, at most 5 s: they would read messages that
 * are not committed, and be rolled back with them.
 *
 * @throws {TypeError} for a connection that does not report whether a transaction is open
 * @throws {Error} while a transaction is open
 */
export function sqliteOutbox(connection: SqliteConnection): Outbox<SqliteConnection> {
  if (isOpen(connection) === undefined) {
    throw new TypeError(
      'connection: expected isTransaction (node:sqlite) or inTransaction (better-sqlite3)',
    );
  }
  createTable(connection);
  return sqlOutbox<SqliteConnection>(async (sql, values, transaction) => {
    const run = (used: SqliteConnection) =>
      used.prepare(sql.replaceAll(/\$\d/g, '?')).all(...values);
    if (transaction === undefined) return withoutTransaction(connection, run);
    if (isOpen(transaction) !== false) return run(transaction);
    throw new Error('transaction: expected an open one, got a connection without');
  });
}

/** Instances that start at the same time wait for each other. */
function createTable(connection: SqliteConnection): void {
  if (isOpen(connection)) throw new Error('connection: expected one without an open transaction');
  const [before] = connection.prepare('PRAGMA busy_timeout').all() as { timeout: number }[];
  const { timeout = 0 } = before ?? {};
  connection.exec(`PRAGMA busy_timeout = ${Math.max(timeout, MAX_WAIT_MS)}`);
  try {
    connection.exec('BEGIN IMMEDIATE');
    connection.exec(CREATE);
    connection.exec('COMMIT');
  } finally {
    if (isOpen(connection)) connection.exec('ROLLBACK');
    connection.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

const CREATE = `
CREATE TABLE IF NOT EXISTS ${TABLE} (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL, method TEXT NOT NULL, type TEXT,
  body TEXT NOT NULL, due_at INTEGER, attempts INTEGER NOT NULL DEFAULT 0, failure TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS ${TABLE}_due ON ${TABLE} (due_at) WHERE due_at IS NOT NULL;
`;

/** @returns undefined for a connection that does not report it */
function isOpen({ isTransaction, inTransaction }: SqliteConnection): boolean | undefined {
  return isTransaction ?? inTransaction;
}

async function withoutTransaction<Result>(
  connection: SqliteConnection,
  run: (connection: SqliteConnection) => Result,
): Promise<Result> {
  for (const startedAt = performance.now(); isOpen(connection); ) {
    if (performance.now() - startedAt > MAX_WAIT_MS) {
      throw new Error(
        `expected no open transaction on the connection within ${MAX_WAIT_MS / 1000} s; a message of the transaction needs it as \`transaction\``,
      );
    }
    await sleep(LOOK_MS);
  }
  return run(connection);
}
