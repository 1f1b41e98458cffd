// An outbox in a PostgreSQL database, which several instances of a service share.
import { claimedFrom, type Outbox, type OutboxRow, TABLE } from './outbox.ts';

/** A pool or a client of pg, or what has its `query`. */
export interface PostgresConnection {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

/** "stwr" in ASCII: the advisory lock of the outbox. */
const LOCK = 0x73747772;

/**
 * The table and its index. Run it in one query or one transaction, at each start or with the migrations of
 * the service. Instances that start at the same time wait for each other: without the lock, one of two
 * concurrent `CREATE TABLE IF NOT EXISTS` can fail with a unique violation.
 */
export const POSTGRES_OUTBOX = `
SELECT pg_advisory_xact_lock(${LOCK});
CREATE TABLE IF NOT EXISTS ${TABLE} (
  id text PRIMARY KEY, name text NOT NULL, url text NOT NULL, method text NOT NULL, type text,
  body text NOT NULL, due_at bigint, attempts integer NOT NULL DEFAULT 0, failure text
);
CREATE INDEX IF NOT EXISTS ${TABLE}_due ON ${TABLE} (due_at) WHERE due_at IS NOT NULL;
`;

/**
 * The table of {@link POSTGRES_OUTBOX} must exist.
 *
 * @param connection for messages outside of a transaction; `put` takes the client of a transaction
 */
export function postgresOutbox(connection: PostgresConnection): Outbox<PostgresConnection> {
  const where = 'WHERE id = $1 AND attempts = $2';
  return {
    async put({ id, name, url, method, type = null, body, dueAt }, transaction = connection) {
      await transaction.query(
        `INSERT INTO ${TABLE} (id, name, url, method, type, body, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
        [id, name, url, method, type, body, dueAt],
      );
    },
    async claim({ limit, leaseMs, now }) {
      // Instances skip the rows that another one is claiming.
      const { rows } = await connection.query(
        `UPDATE ${TABLE} SET attempts = attempts + 1, due_at = $1
         WHERE id IN (
           SELECT id FROM ${TABLE} WHERE due_at <= $2 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         RETURNING id, name, url, method, type, body, due_at, attempts`,
        [now + leaseMs, now, limit],
      );
      return (rows as OutboxRow[]).map(claimedFrom);
    },
    async delivered({ id, attempt }) {
      await connection.query(`DELETE FROM ${TABLE} ${where}`, [id, attempt]);
    },
    async reschedule({ id, attempt }, dueAt) {
      await connection.query(`UPDATE ${TABLE} SET due_at = $3 ${where}`, [id, attempt, dueAt]);
    },
    async giveUp({ id, attempt }, reason) {
      const sql = `UPDATE ${TABLE} SET due_at = NULL, failure = $3 ${where}`;
      await connection.query(sql, [id, attempt, reason]);
    },
  };
}
