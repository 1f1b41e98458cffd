// The outbox of webhooks in a store: messages are stored in the transactions of the application.
import type { DataStore, SqlValue, StoreTransaction } from './store.ts';

/** A message of `stubwright/webhooks`. */
export interface QueuedMessage {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly type: string | undefined;
  readonly body: string;
  /** In milliseconds since 1970. */
  readonly dueAt: number;
}

/** A message whose lease one process holds. */
export interface LeasedMessage extends QueuedMessage {
  /** 1 for the first attempt. It identifies the lease. */
  readonly attempt: number;
}

interface MessageRow extends Omit<QueuedMessage, 'type' | 'dueAt'> {
  readonly type: string | null;
  readonly due_at: bigint;
  readonly attempts: bigint;
}

/**
 * An outbox for `createWebhooks`. A message of a transaction is sent if that commits. Several processes may
 * share it on PostgreSQL.
 *
 * Its table needs a migration:
 *
 * ```sql
 * CREATE TABLE stubwright_outbox (
 *   id text NOT NULL PRIMARY KEY, name text NOT NULL, url text NOT NULL, method text NOT NULL, type text,
 *   body text NOT NULL, due_at bigint, attempts bigint NOT NULL DEFAULT 0, failure text
 * );
 * CREATE INDEX stubwright_outbox_due ON stubwright_outbox (due_at) WHERE due_at IS NOT NULL;
 * ```
 *
 * @example const webhooks = await createWebhooks({ contract, secret, outbox: storeOutbox(store) });
 */
export function storeOutbox(store: DataStore) {
  const run = (sql: string, values: readonly SqlValue[]) =>
    inTransaction(store, (transaction) => transaction.query<MessageRow>(sql, values));
  const lease = 'WHERE id = $1 AND attempts = $2';
  // Processes skip the rows that another one is claiming.
  const skip = store.database === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  return {
    async put(message: QueuedMessage, transaction?: StoreTransaction): Promise<void> {
      const { id, name, url, method, type = null, body, dueAt } = message;
      const values = [id, name, url, method, type, body, dueAt];
      if (transaction === undefined) await run(INSERT, values);
      else await transaction.run(INSERT, values);
    },
    async claim({ limit, leaseMs, now }: { limit: number; leaseMs: number; now: number }) {
      const rows = await run(
        `UPDATE stubwright_outbox SET attempts = attempts + 1, due_at = $1
         WHERE id IN (SELECT id FROM stubwright_outbox WHERE due_at <= $2 ORDER BY due_at LIMIT $3 ${skip})
         RETURNING id, name, url, method, type, body, due_at, attempts`,
        [now + leaseMs, now, limit],
      );
      return rows.map(messageFrom);
    },
    async delivered({ id, attempt }: LeasedMessage): Promise<void> {
      await run(`DELETE FROM stubwright_outbox ${lease}`, [id, attempt]);
    },
    async reschedule({ id, attempt }: LeasedMessage, dueAt: number): Promise<void> {
      await run(`UPDATE stubwright_outbox SET due_at = $3 ${lease}`, [id, attempt, dueAt]);
    },
    async giveUp({ id, attempt }: LeasedMessage, reason: string): Promise<void> {
      const sql = `UPDATE stubwright_outbox SET due_at = NULL, failure = $3 ${lease}`;
      await run(sql, [id, attempt, reason]);
    },
  };
}

const INSERT = `
  INSERT INTO stubwright_outbox (id, name, url, method, type, body, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`;

function messageFrom({ attempts, due_at, type, ...message }: MessageRow): LeasedMessage {
  return {
    ...message,
    ...{ type: type ?? undefined, dueAt: Number(due_at), attempt: Number(attempts) },
  };
}

async function inTransaction<Result>(
  store: DataStore,
  act: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = await store.begin();
  try {
    const result = await act(transaction);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollBack();
    throw error;
  }
}
