// The first responses of idempotency keys in a store, with the transactions of the handlers.
import { type DataStore, type StoreTransaction, StoreUnavailable } from './store.ts';

/** A request of `stubwright/idempotency`. */
export interface IdempotentRequest {
  /** A SHA-256 in hexadecimal. */
  readonly id: string;
  readonly fingerprint: string;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A response of `stubwright/idempotency`. */
export interface KeptResponse {
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** @returns the transaction in the context of a handler */
export type TransactionOf<Context> = (
  context: Context,
) => StoreTransaction | PromiseLike<StoreTransaction>;

interface ResponseRow {
  readonly fingerprint: string;
  readonly status: bigint;
  readonly headers: string;
  readonly body: Uint8Array | null;
}

/** Expired responses that one request removes: more than it adds. */
const REMOVED = 20;

/**
 * The store of idempotency keys for operations with `x-idempotency`. A response is stored with the
 * transaction of its handler: if that commits. Several processes may share it on PostgreSQL.
 *
 * Its table needs a migration:
 *
 * ```sql
 * CREATE TABLE stubwright_idempotency (
 *   id text NOT NULL PRIMARY KEY, fingerprint text NOT NULL, status integer NOT NULL, headers text NOT NULL,
 *   body bytea, expires_at bigint NOT NULL
 * );
 * CREATE INDEX stubwright_idempotency_expiry ON stubwright_idempotency (expires_at);
 * ```
 *
 * @param transactionOf for a context that is not a transaction itself
 * @throws {TypeError} (the store, at a request) for a context without transaction
 * @throws {StoreUnavailable} (the store, at a request)
 * @example
 * export const service = {
 *   handlers,
 *   context: (_request, { store }) => store.begin(),
 *   idempotency: ({ store }) => storeIdempotency(store),
 * };
 */
export function storeIdempotency<Context = StoreTransaction>(
  { database }: Pick<DataStore, 'database'>,
  transactionOf: TransactionOf<Context> = expectTransaction,
) {
  const isShared = database === 'postgres';
  // Processes skip the rows that another one is removing.
  const skip = isShared ? 'FOR UPDATE SKIP LOCKED' : '';
  return {
    isTransactional: true,
    async find(
      context: Context,
      { id, now }: IdempotentRequest,
    ): Promise<KeptResponse | 'inProgress' | undefined> {
      const transaction = await transactionOf(context);
      // In a statement of its own: the next one sees what the former holder of the lock has committed.
      if (isShared && !(await isLocked(transaction, id))) return 'inProgress';
      const [row] = await transaction.query<ResponseRow>(FIND, [id, now]);
      return row && responseFrom(row);
    },
    async save(
      context: Context,
      { id, now, expiresAt }: IdempotentRequest,
      { fingerprint, status, headers, body }: KeptResponse,
    ): Promise<void> {
      const transaction = await transactionOf(context);
      const values = [id, fingerprint, status, JSON.stringify(headers)];
      const { changes } = await transaction.run(SAVE, [...values, body ?? null, expiresAt, now]);
      if (changes === 0) throw new StoreUnavailable('Another request has the same idempotency key');
      await transaction.run(
        `DELETE FROM stubwright_idempotency WHERE id IN (
           SELECT id FROM stubwright_idempotency WHERE expires_at <= $1
           ORDER BY expires_at LIMIT ${REMOVED} ${skip})`,
        [now],
      );
    },
  };
}

const FIND = `
  SELECT fingerprint, status, headers, body FROM stubwright_idempotency
  WHERE id = $1 AND expires_at > $2`;

const SAVE = `
  INSERT INTO stubwright_idempotency AS stored (id, fingerprint, status, headers, body, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
    headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at
  WHERE stored.expires_at <= $7`;

/** The lock ends with the transaction, also if its process is killed. */
async function isLocked(transaction: StoreTransaction, id: string): Promise<boolean> {
  const lock = BigInt.asIntN(64, BigInt(`0x${id.slice(0, 16)}`));
  const sql = 'SELECT pg_try_advisory_xact_lock($1) AS locked';
  const [row] = await transaction.query<{ locked: boolean }>(sql, [lock]);
  return row?.locked === true;
}

function responseFrom({ fingerprint, status, headers, body }: ResponseRow): KeptResponse {
  return {
    ...{ fingerprint, status: Number(status), headers: JSON.parse(headers) },
    body: body ?? undefined,
  };
}

function expectTransaction(context: unknown): StoreTransaction {
  const { run, query } = Object(context) as Partial<StoreTransaction>;
  if (typeof run === 'function' && typeof query === 'function') return context as StoreTransaction;
  throw new TypeError(
    'storeIdempotency: got a context that is not a transaction of the store, expected transactionOf',
  );
}
