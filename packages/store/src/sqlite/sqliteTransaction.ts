// A transaction on SQLite, which holds the connection until its end.

import {
  ConstraintViolated,
  DatabaseTransaction,
  type SqlResult,
  type SqlValue,
  StoreUnavailable,
  type TransactionOptions,
} from '../store.ts';
import { expectStorable } from '../table.ts';
import { type LockedConnection, prepare, sqliteViolation } from './lockedConnection.ts';

export class SqliteTransaction extends DatabaseTransaction {
  readonly #connection: LockedConnection;
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #failed: () => void;
  #isOver = false;

  private constructor(
    connection: LockedConnection,
    release: () => void,
    { timeoutMs, failed }: TransactionOptions,
  ) {
    super();
    this.#connection = connection;
    this.#release = release;
    this.#failed = failed;
    this.#timer = setTimeout(() => this.#end(), timeoutMs).unref();
  }

  static async begin(
    connection: LockedConnection,
    options: TransactionOptions,
  ): Promise<SqliteTransaction> {
    const release = await connection.take(options.waitMs);
    try {
      connection.begin();
      return new SqliteTransaction(connection, release, options);
    } catch (cause) {
      release();
      options.failed();
      throw new StoreUnavailable('SQLite could not begin a transaction', { cause });
    }
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<SqlResult> {
    this.#expectOpen();
    expectStorable(values);
    const { database } = this.#connection;
    try {
      const [statement, inputs] = prepare(database, sql, values);
      const columns = statement.columns().map(({ name }) => name);
      if (columns.length === 0) {
        const { changes } = statement.run(...(inputs as []));
        return { columns, rows: [], changes: Number(changes) };
      }
      statement.setReturnArrays(true);
      // An array is its own values.
      const rows = statement.all(...(inputs as [])).map((row) => Object.values(row));
      return { columns, rows, changes: rows.length };
    } catch (cause) {
      const violation = sqliteViolation(cause);
      if (violation) throw new ConstraintViolated(violation, cause);
      if (database.isTransaction) throw cause;
      this.#end();
      this.#failed();
      throw new StoreUnavailable('SQLite has rolled back the transaction', { cause });
    }
  }

  async commit(): Promise<void> {
    this.#expectOpen();
    try {
      this.#connection.checkInPlace();
      this.#connection.commit();
    } catch (cause) {
      const violation = sqliteViolation(cause);
      if (violation) throw new ConstraintViolated(violation, cause);
      this.#failed();
      throw new StoreUnavailable('SQLite could not commit', { cause });
    } finally {
      this.#end();
    }
    await this.#connection.durable();
  }

  async rollBack(): Promise<void> {
    this.#end();
  }

  #expectOpen(): void {
    if (this.#isOver) throw new StoreUnavailable('The transaction is over');
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#connection.database.isOpen) this.#connection.rollBack();
    this.#release();
  }
}
