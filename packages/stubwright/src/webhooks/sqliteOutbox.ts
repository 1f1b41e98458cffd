// An outbox in a SQLite database.
import { claimedFrom, type Outbox, type OutboxRow, TABLE } from './outbox.ts';

/** A connection of `node:sqlite` or better-sqlite3. */
export interface SqliteConnection {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: (string | number | null)[]): unknown;
    all(...values: (string | number | null)[]): unknown[];
  };
}

/**
 * Creates the table `stubwright_outbox` if it is missing. `put` belongs to the transaction that is open on
 * the connection.
 */
export function sqliteOutbox(connection: SqliteConnection): Outbox<SqliteConnection> {
  connection.exec(`
    CREATE TABLE IF NOT EXISTS ${TABLE} (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL, method TEXT NOT NULL, type TEXT,
      body TEXT NOT NULL, due_at INTEGER, attempts INTEGER NOT NULL DEFAULT 0, failure TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS ${TABLE}_due ON ${TABLE} (due_at) WHERE due_at IS NOT NULL;
  `);
  const claim = connection.prepare(`
    UPDATE ${TABLE} SET attempts = attempts + 1, due_at = ?
    WHERE id IN (SELECT id FROM ${TABLE} WHERE due_at <= ? ORDER BY due_at, rowid LIMIT ?)
    RETURNING id, name, url, method, type, body, due_at, attempts`);
  const where = 'WHERE id = ? AND attempts = ?';
  const remove = connection.prepare(`DELETE FROM ${TABLE} ${where}`);
  const reschedule = connection.prepare(`UPDATE ${TABLE} SET due_at = ? ${where}`);
  const giveUp = connection.prepare(`UPDATE ${TABLE} SET due_at = NULL, failure = ? ${where}`);
  return {
    async put({ id, name, url, method, type = null, body, dueAt }, transaction = connection) {
      transaction
        .prepare(
          `INSERT INTO ${TABLE} (id, name, url, method, type, body, due_at)
           VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        )
        .run(id, name, url, method, type, body, dueAt);
    },
    async claim({ limit, leaseMs, now }) {
      return (claim.all(now + leaseMs, now, limit) as OutboxRow[]).map(claimedFrom);
    },
    async delivered({ id, attempt }) {
      remove.run(id, attempt);
    },
    async reschedule({ id, attempt }, dueAt) {
      reschedule.run(dueAt, id, attempt);
    },
    async giveUp({ id, attempt }, reason) {
      giveUp.run(reason, id, attempt);
    },
  };
}
