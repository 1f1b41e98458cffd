// A store on PostgreSQL: retries batches until their outcome is known or a deadline.
import { setTimeout as sleep } from 'node:timers/promises';
import { Readiness } from '../readiness.ts';
import type { DataStore, SpanOf, SqlValue, StoreTransaction } from '../store.ts';
import { expectStorable, type Row, type RowKey, type Table } from '../table.ts';
import { objectsOf } from '../transactions.ts';
import { WriteQueue } from '../writeQueue.ts';
import {
  commitWrites,
  type PostgresWriter,
  postgresUnavailable,
  postgresWriter,
  RETRY_MS,
} from './commit.ts';
import { IN_FLIGHT, type StoreConnectionOptions, StoreConnections } from './connections.ts';
import { queryOf } from './postgresRows.ts';
import { PostgresTransaction } from './postgresTransaction.ts';
import type { Session } from './session.ts';
import { isRefused, isTransient, PoolExhausted } from './sqlState.ts';
import { TableStatements } from './tableStatements.ts';

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
