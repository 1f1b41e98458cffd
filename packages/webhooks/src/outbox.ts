// The durable queue of messages that have to be delivered.

/** A message as it is sent, with its URL. */
export interface OutboxMessage {
  /** Unique; a receiver recognizes a repeated message by it. */
  readonly id: string;
  /** The webhook, or `operationId callback`. */
  readonly name: string;
  readonly url: string;
  readonly method: string;
  /** The media type of the body; undefined without a body. */
  readonly type: string | undefined;
  readonly body: string;
  /** When it is sent first, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** A message that this process has to deliver before its lease ends. */
export interface ClaimedMessage extends OutboxMessage {
  /** 1 for the first attempt. It identifies the lease. */
  readonly attempt: number;
}

/**
 * A queue in a database. All times are milliseconds since 1970.
 *
 * `delivered`, `reschedule` and `giveUp` change nothing if the message was claimed again meanwhile.
 */
export interface Outbox<Transaction = undefined> {
  /** Stores a message; in a transaction, if it commits. A known id is stored once. */
  put(message: OutboxMessage, transaction?: Transaction): Promise<void>;
  /** Takes messages that are due, those due first before others. They are due again at `now + leaseMs`. */
  claim(limits: {
    readonly limit: number;
    readonly leaseMs: number;
    readonly now: number;
  }): Promise<readonly ClaimedMessage[]>;
  /** Removes a message. */
  delivered(message: ClaimedMessage): Promise<void>;
  /** Sends a message again. */
  reschedule(message: ClaimedMessage, dueAt: number): Promise<void>;
  /** Keeps a message that is not sent again, with the reason. */
  giveUp(message: ClaimedMessage, reason: string): Promise<void>;
}

export const TABLE = 'stubwright_outbox';

const INSERT = `
  INSERT INTO ${TABLE} (id, name, url, method, type, body, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING id`;
const leaseFrom = (at: number) => `WHERE id = $${at} AND attempts = $${at + 1} RETURNING id`;

/** The columns of a row; a driver may return an integer as text. */
interface OutboxRow extends Omit<OutboxMessage, 'type' | 'dueAt'> {
  readonly type: string | null;
  readonly due_at: number | bigint | string;
  readonly attempts: number | bigint | string;
}

/**
 * Runs one statement, whose parameters are in order.
 *
 * @param transaction given for a statement that belongs to it
 * @returns the rows
 */
type RunSql<Transaction> = (
  sql: string,
  values: readonly (string | number | null)[],
  transaction?: Transaction,
) => Promise<readonly unknown[]>;

/** @param skip excludes rows that another process is claiming */
export function sqlOutbox<Transaction>(run: RunSql<Transaction>, skip = ''): Outbox<Transaction> {
  return {
    async put({ id, name, url, method, type = null, body, dueAt }, transaction) {
      await run(INSERT, [id, name, url, method, type, body, dueAt], transaction);
    },
    async claim({ limit, leaseMs, now }) {
      const rows = await run(
        `UPDATE ${TABLE} SET attempts = attempts + 1, due_at = $1
         WHERE id IN (SELECT id FROM ${TABLE} WHERE due_at <= $2 ORDER BY due_at LIMIT $3 ${skip})
         RETURNING id, name, url, method, type, body, due_at, attempts`,
        [now + leaseMs, now, limit],
      );
      return (rows as readonly OutboxRow[]).map(({ attempts, due_at, type, ...message }) => ({
        ...message,
        ...{ type: type ?? undefined, dueAt: Number(due_at), attempt: Number(attempts) },
      }));
    },
    async delivered({ id, attempt }) {
      await run(`DELETE FROM ${TABLE} ${leaseFrom(1)}`, [id, attempt]);
    },
    async reschedule({ id, attempt }, dueAt) {
      await run(`UPDATE ${TABLE} SET due_at = $1 ${leaseFrom(2)}`, [dueAt, id, attempt]);
    },
    async giveUp({ id, attempt }, reason) {
      const sql = `UPDATE ${TABLE} SET due_at = NULL, failure = $1 ${leaseFrom(2)}`;
      await run(sql, [reason, id, attempt]);
    },
  };
}

/** As `StoreTransaction` of `@stubwright/store`. */
export interface OutboxTransaction {
  query(sql: string, values: readonly (string | number | null)[]): Promise<readonly object[]>;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

/** As `DataStore` of `@stubwright/store`. */
export interface OutboxStore<Transaction extends OutboxTransaction> {
  readonly database: string;
  begin(): Promise<Transaction>;
}

/**
 * An outbox in a store of `@stubwright/store`. A message of a transaction is sent if that commits. Several
 * processes may share it on PostgreSQL.
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
 * @example const webhooks = await createWebhooks({ contract, secrets, outbox: storeOutbox(store) });
 */
export function storeOutbox<Transaction extends OutboxTransaction>(
  store: OutboxStore<Transaction>,
): Outbox<Transaction> {
  const skip = store.database === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  return sqlOutbox(async (sql, values, given) => {
    if (given !== undefined) return given.query(sql, values);
    const transaction = await store.begin();
    try {
      const rows = await transaction.query(sql, values);
      await transaction.commit();
      return rows;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
  }, skip);
}
