// A store on PostgreSQL: retries batches until their outcome is known or a deadline.

import { setTimeout as sleep } from 'node:timers/promises';
import { Readiness, WriteQueue } from '../groupCommit.ts';
import {
  ConstraintViolated,
  DatabaseTransaction,
  type DataStore,
  objectsOf,
  type SpanOf,
  type SqlResult,
  type SqlValue,
  type StoreTransaction,
  StoreUnavailable,
  type TransactionOptions,
} from '../store.ts';
import { expectStorable, type Row, type RowKey, type Table } from '../table.ts';
import {
  commitWrites,
  type PostgresWriter,
  postgresUnavailable,
  postgresWriter,
  RETRY_MS,
} from './commit.ts';
import { IN_FLIGHT, type StoreConnectionOptions, StoreConnections } from './connections.ts';
import { DURABLE, postgresViolation, queryOf } from './postgresRows.ts';
import {
  ConnectionLost,
  isLocked,
  isRefused,
  isServerFailure,
  isTransient,
  PoolExhausted,
  type Session,
} from './session.ts';
import { TableStatements } from './writeStatements.ts';

/** Only tools read pages. */
const PAGE_TIMEOUT_MS = 60_000;

export interface PostgresOptions extends StoreConnectionOptions {
  readonly inSpan: SpanOf | undefined;
  /** Maximum wait of a write for an unavailable database. */
  readonly patienceMs: number;
  readonly transactionTimeoutMs: number;
}

/**
 * A store on PostgreSQL, which several processes may share.
 *
 * After a failed deadline the server is unavailable: writes are rejected immediately until it is back.
 */
export class PostgresStore implements DataStore {
  readonly database = 'postgres';
  readonly #connections: StoreConnections;
  readonly #options: PostgresOptions;
  readonly #tables = new Map<Table, TableStatements>();
  readonly #readiness = new Readiness(() => this.#probe());
  readonly #writes: WriteQueue<PostgresWriter>;

  private constructor(connections: StoreConnections, options: PostgresOptions) {
    const { patienceMs, events, inSpan } = options;
    this.#connections = connections;
    this.#options = options;
    this.#writes = new WriteQueue<PostgresWriter>(
      (writes) => commitWrites(connections, writes, patienceMs),
      {
        prepare: postgresWriter,
        ...{ maxInFlight: IN_FLIGHT, readiness: this.#readiness, events, inSpan },
      },
    );
  }

  /** As {@link StoreConnections.open}. */
  static async open(options: PostgresOptions): Promise<PostgresStore> {
    return new PostgresStore(await StoreConnections.open(options), options);
  }

  readonly inserts: DataStore['inserts'] = (definition) => this.#writes.add(definition);

  readonly changes: DataStore['changes'] = (definition) => this.#writes.add(definition);

  async find<R extends Row>(table: Table<R>, key: RowKey): Promise<R | undefined> {
    expectStorable([key]);
    return this.#read(
      async (session) => (await this.#in(table).find(session, key)) as R | undefined,
    );
  }

  async query<R extends object>(text: string, values: readonly SqlValue[] = []): Promise<R[]> {
    expectStorable(values);
    return this.#read(async (session) => {
      const { rows, fields } = await session.execute<unknown[]>(queryOf(text, values));
      return objectsOf<R>({ columns: fields.map(({ name }) => name), rows, changes: 0 });
    });
  }

  begin(): Promise<StoreTransaction> {
    const { patienceMs: waitMs, transactionTimeoutMs: timeoutMs } = this.#options;
    const failed = () => this.#readiness.failed();
    return PostgresTransaction.begin(this.#connections, { waitMs, timeoutMs, failed });
  }

  isReady(): Promise<boolean> {
    return this.#connections.unavailable ? Promise.resolve(false) : this.#readiness.isReady();
  }

  get waiting(): number {
    return this.#writes.waiting;
  }

  async page<R extends Row>(
    table: Table<R>,
    from: RowKey | undefined,
    limit: number,
  ): Promise<R[]> {
    const deadline = performance.now() + this.#options.patienceMs;
    const { others } = this.#connections;
    const read = (session: Session) => this.#in(table).page(session, from, limit);
    for (;;) {
      let { unavailable: why } = this.#connections;
      try {
        if (!why) return (await others.use(PAGE_TIMEOUT_MS, read)) as R[];
      } catch (error) {
        if (!isTransient(error)) throw error;
        why = error as Error;
      }
      if (performance.now() + RETRY_MS > deadline) throw postgresUnavailable(why);
      await sleep(RETRY_MS);
    }
  }

  async close(): Promise<void> {
    await this.#writes.close();
    await this.#connections.close();
  }

  async #read<Result>(read: (session: Session) => Promise<Result>): Promise<Result> {
    const { unavailable: why, others } = this.#connections;
    if (why) throw postgresUnavailable(why);
    try {
      return await others.use(this.#options.patienceMs, read);
    } catch (error) {
      throw isTransient(error) || isRefused(error) ? postgresUnavailable(error as Error) : error;
    }
  }

  #in(table: Table): TableStatements {
    let statements = this.#tables.get(table);
    if (statements === undefined) {
      statements = new TableStatements(table, this.#connections.names);
      this.#tables.set(table, statements);
    }
    return statements;
  }

  async #probe(): Promise<void> {
    const { others, commits } = this.#connections;
    const probe = (session: Session) => this.#connections.probe(session);
    try {
      await others.use(this.#options.patienceMs, probe).catch((error) => {
        // Handlers that hold all of them say nothing about the server.
        if (!(error instanceof PoolExhausted)) throw error;
        return commits.use(this.#options.patienceMs, probe);
      });
    } catch (error) {
      this.#connections.markUnavailable(error as Error);
      throw error;
    }
  }
}

interface UsedConnection extends Pick<TransactionOptions, 'failed'> {
  readonly session: Session;
  /** An expression that makes the rows durable that the transaction has only read. */
  readonly mark: string;
  /** Resolves the use of the connection, or rejects it, which closes the connection. */
  readonly used: PromiseWithResolvers<void>;
  readonly released: () => Promise<void>;
}

class PostgresTransaction extends DatabaseTransaction {
  readonly #connection: UsedConnection;
  #isOver = false;

  private constructor(connection: UsedConnection) {
    super();
    this.#connection = connection;
  }

  /** After the time limit it closes the connection. */
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
      const connection = { session, mark: names.mark, used, released: () => released, failed };
      begun.resolve(new PostgresTransaction(connection));
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

  async commit(): Promise<void> {
    const command = await this.#commitOrRollBack();
    await this.#release();
    // PostgreSQL answers COMMIT with ROLLBACK if a statement of the transaction has failed.
    if (command !== 'COMMIT') throw new Error('expected no failed statement in the transaction');
  }

  async #commitOrRollBack(): Promise<string> {
    try {
      await this.run(`SELECT ${this.#connection.mark}`);
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
    await this.#release().catch(() => {});
  }

  #release(): Promise<void> {
    this.#isOver = true;
    this.#connection.used.resolve();
    return this.#connection.released();
  }

  async #execute(text: string, values: readonly SqlValue[]) {
    if (this.#isOver) throw new StoreUnavailable('The transaction is over');
    try {
      return await this.#connection.session.execute<unknown[]>(queryOf(text, values));
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.#isOver = true;
        this.#connection.used.reject(error);
      }
      if (isServerFailure(error)) this.#connection.failed();
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
