// A transaction on PostgreSQL, on a connection of its own.
import {
  ConstraintViolated,
  type SqlResult,
  type SqlValue,
  type StoreTransaction,
  StoreUnavailable,
} from '../store.ts';
import { expectStorable } from '../table.ts';
import { endWith, objectsOf } from '../transactions.ts';
import { postgresUnavailable } from './commit.ts';
import type { StoreConnections } from './connections.ts';
import { DURABLE } from './databaseNames.ts';
import { postgresViolation, queryOf } from './postgresRows.ts';
import type { Session } from './session.ts';
import { ConnectionLost, isLocked, isRefused, isServerFailure, isTransient } from './sqlState.ts';

interface TransactionOptions {
  readonly waitMs: number;
  readonly timeoutMs: number;
  readonly failed: () => void;
}

interface UsedConnection extends Pick<TransactionOptions, 'failed'> {
  /** Resolves the use of the connection, or rejects it, which closes the connection. */
  readonly used: PromiseWithResolvers<void>;
  readonly released: () => Promise<void>;
}

export class PostgresTransaction implements StoreTransaction {
  readonly #session: Session;
  readonly #names: StoreConnections['names'];
  /** Resolves the use of the connection, or rejects it, which closes the connection. */
  readonly #used: PromiseWithResolvers<void>;
  readonly #released: () => Promise<void>;
  readonly #failed: () => void;
  #isOver = false;

  private constructor(
    session: Session,
    names: StoreConnections['names'],
    { used, released, failed }: UsedConnection,
  ) {
    this.#session = session;
    this.#names = names;
    this.#used = used;
    this.#released = released;
    this.#failed = failed;
  }

  /**
   * @param waitMs maximum wait for a connection, and for a row that another transaction locks
   * @param timeoutMs after which the connection is closed, and the transaction rolls back
   * @param failed called if the server fails, rather than a statement
   */
  static async begin(
    { others, names, closing, unavailable: why }: StoreConnections,
    { waitMs, timeoutMs, failed }: TransactionOptions,
  ): Promise<PostgresTransaction> {
    if (why) throw postgresUnavailable(why);
    const used = Promise.withResolvers<void>();
    used.promise.catch(() => {});
    const begun = Promise.withResolvers<PostgresTransaction>();
    const onClose = () => used.reject(new ConnectionLost('the store is closed'));
    closing.addEventListener('abort', onClose);
    const hold = async (session: Session) => {
      await session.run(
        // The server ends the transaction of a process whose host is lost, too.
        `BEGIN; SELECT ${DURABLE}, set_config('lock_timeout', '${waitMs}', true),
           set_config('idle_in_transaction_session_timeout', '${timeoutMs}', true)`,
      );
      const connection = { used, released: () => released, failed };
      begun.resolve(new PostgresTransaction(session, names, connection));
      await used.promise;
    };
    const released = others.use(waitMs, hold, timeoutMs);
    released
      .catch((error) =>
        begun.reject(isRefused(error) ? postgresUnavailable(error) : translated(error)),
      )
      .then(() => closing.removeEventListener('abort', onClose));
    return begun.promise;
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<SqlResult> {
    expectStorable(values);
    const { rows, fields, rowCount } = await this.#execute(sql, values);
    return { columns: fields.map(({ name }) => name), rows, changes: rowCount ?? 0 };
  }

  async query<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return objectsOf<R>(await this.run(sql, values));
  }

  /** The mark makes the rows durable that the transaction has only read. */
  async commit(): Promise<void> {
    const command = await this.#commitOrRollBack();
    this.#isOver = true;
    this.#used.resolve();
    await this.#released();
    // PostgreSQL answers COMMIT with ROLLBACK if a statement of the transaction has failed.
    if (command !== 'COMMIT') throw new Error('expected no failed statement in the transaction');
  }

  async #commitOrRollBack(): Promise<string> {
    try {
      await this.run(`SELECT ${this.#names.mark}`);
      return (await this.#execute('COMMIT', [])).command;
    } catch (error) {
      // Otherwise the connection would be in use until the time limit.
      await this.rollBack();
      throw error;
    }
  }

  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    await this.#execute('ROLLBACK', []).catch(() => {});
    this.#isOver = true;
    this.#used.resolve();
    await this.#released().catch(() => {});
  }

  [Symbol.asyncDispose](outcome?: { kind: string; status?: number }): Promise<void> {
    return endWith(this, outcome);
  }

  async #execute(text: string, values: readonly SqlValue[]) {
    if (this.#isOver) throw new StoreUnavailable('The transaction is over');
    try {
      return await this.#session.execute<unknown[]>(queryOf(text, values));
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.#isOver = true;
        this.#used.reject(error);
      }
      if (isServerFailure(error)) this.#failed();
      throw translated(error);
    }
  }
}

function translated(error: unknown): unknown {
  const violation = postgresViolation(error);
  if (violation) return new ConstraintViolated(violation, error);
  if (isLocked(error)) {
    return new StoreUnavailable('Another transaction holds a row', { cause: error });
  }
  return isTransient(error) ? postgresUnavailable(error as Error) : error;
}
