// The interface of a store, its events and its errors.

import type { EventEmitter } from 'node:events';
import type {
  ChangeDefinition,
  ConstraintViolation,
  InsertDefinition,
  Row,
  RowKey,
  Table,
} from './table.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** Resolves after the outcome is durable. */
export type DurableWrite<Write, Outcome> = (write: Write) => Promise<Outcome>;

export interface DataStore {
  /** For SQL that only one of the databases understands. */
  readonly database: DatabaseKind;

  /**
   * @returns a function that inserts a row, in one commit with the writes that arrive together. Exactly one
   *   of several concurrent inserts of a key stores its row.
   * @throws {StoreUnavailable} (the function) if the outcome is not certain and durable; a retry is safe
   */
  inserts<R extends Row, Outcome>(
    definition: InsertDefinition<R, Outcome>,
  ): DurableWrite<R, Outcome>;

  /**
   * @returns a function that updates or deletes a row, in one commit with the writes that arrive together
   * @throws {StoreUnavailable} (the function) if the outcome is not certain and durable
   */
  changes<Write extends Row, R extends Row, Outcome>(
    definition: ChangeDefinition<Write, R, Outcome>,
  ): DurableWrite<Write, Outcome>;

  /**
   * Reads a committed row; its write may still be pending.
   *
   * @returns undefined if no row has this key
   * @throws {StoreUnavailable} if the read fails; a retry is safe
   */
  find<R extends Row>(table: Table<R>, key: RowKey): Promise<R | undefined>;

  /**
   * @param from the first key; undefined for the first of the table
   * @returns at most `limit` rows, in ascending order of keys; text in that of its UTF-8 bytes
   * @throws {StoreUnavailable} if the read fails
   */
  page<R extends Row>(table: Table<R>, from: RowKey | undefined, limit: number): Promise<R[]>;

  /**
   * Reads with SQL, outside of any transaction.
   *
   * @param sql with parameters `$1`, `$2`; SQLite takes `?`, too
   * @returns the rows by column; an integer is a bigint
   * @throws {StoreUnavailable} if the read fails; a retry is safe
   */
  query<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;

  /**
   * Begins a transaction, such as the context of a handler. On SQLite, other writes and reads wait for its
   * end.
   *
   * @throws {StoreUnavailable} if the database is unavailable, or all connections are in use
   */
  begin(): Promise<StoreTransaction>;

  /** @returns true if a write would succeed now. Resolves within a second, never rejects. */
  isReady(): Promise<boolean>;

  /** The number of pending writes. */
  readonly waiting: number;

  /**
   * Creates an online backup; for stores in a file.
   *
   * @returns the path of the backup, which contains at least every write that was acknowledged before
   */
  backUp?(): Promise<string>;

  /** Rejects new writes, commits the pending ones, then closes. */
  close(): Promise<void>;
}

/** A value that both databases accept as a parameter. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

/** The result of a statement, with rows as arrays: names of columns may repeat. */
export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** The number of inserted, updated or deleted rows. */
  readonly changes: number;
}

/**
 * A transaction that commits as durably as a write. As the context of a handler it commits after a valid
 * reply with a status below 400, before that is sent, and rolls back otherwise.
 */
export interface StoreTransaction {
  /**
   * @param sql with parameters `$1`, `$2`; SQLite takes `?`, too
   * @throws {ConstraintViolated} if a constraint rejects a row. On PostgreSQL the transaction can then only
   *   roll back.
   * @throws {StoreUnavailable} also if another transaction locks a row for too long
   */
  run(sql: string, values?: readonly SqlValue[]): Promise<SqlResult>;
  /** As {@link run}; @returns the rows by column, an integer as a bigint */
  query<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** @throws {StoreUnavailable} if the outcome is not certain and durable */
  commit(): Promise<void>;
  /** Has no effect after the end of the transaction. */
  rollBack(): Promise<void>;
  /** Ends it with a request of stubwright; without an outcome rolls back. */
  [Symbol.asyncDispose](outcome?: {
    readonly kind: string;
    readonly status?: number;
  }): Promise<void>;
}

/** The events of a store: payloads by event name. */
export interface StoreEvents {
  /** A database file is open. `isNew`: it was missing or empty. */
  opened: [database: { readonly file: string; readonly isNew: boolean }];
  /** A batch of writes was committed. */
  committed: [commit: { readonly writes: number; readonly durationMs: number }];
  /** Writes are rejected until `available`. Emitted again if the reason changes. */
  unavailable: [reason: Error];
  available: [outage: { readonly durationMs: number }];
  /** All connections for reads and transactions are in use, and one waited in vain. Emitted once until one is idle. */
  exhausted: [pool: { readonly connections: number }];
}

export type StoreEmitter = EventEmitter<StoreEvents>;

/** Calls a function in a span of a trace. */
export type SpanOf = <T>(
  name: string,
  callback: (setAttribute: (name: string, value: string) => void) => Promise<T>,
) => Promise<T>;

/** The store is temporarily unavailable. The outcome of a write is unknown; a retry is safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The database cannot be used. `message` is one line for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}

/** A statement of a transaction violates a constraint. */
export class ConstraintViolated extends Error {
  override readonly name = 'ConstraintViolated';
  readonly violation: ConstraintViolation;

  constructor(violation: ConstraintViolation, cause: unknown) {
    super(`${violation.kind} constraint ${violation.constraint}`, { cause });
    this.violation = violation;
  }
}

/** @returns the rows by column */
export function objectsOf<R extends object>({ columns, rows }: SqlResult): R[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as R);
}

/** When a transaction ends by itself, and what it reports. */
export interface TransactionOptions {
  /** Maximum wait for a connection, and for a row that another transaction locks. */
  readonly waitMs: number;
  /** After which it rolls back. */
  readonly timeoutMs: number;
  /** Called if the database fails, rather than a statement. */
  readonly failed: () => void;
}

/** What the transactions of both databases share. */
export abstract class DatabaseTransaction implements StoreTransaction {
  abstract run(sql: string, values?: readonly SqlValue[]): Promise<SqlResult>;
  abstract commit(): Promise<void>;
  abstract rollBack(): Promise<void>;

  async query<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
    return objectsOf<R>(await this.run(sql, values));
  }

  [Symbol.asyncDispose](outcome?: { kind: string; status?: number }): Promise<void> {
    const isSuccess = outcome?.kind === 'replied' && (outcome.status ?? 0) < 400;
    return isSuccess ? this.commit() : this.rollBack();
  }
}

const SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];
/** MAX_BATCH is 256: a commit above the last bucket is a full batch. */
const WRITES = [1, 2, 5, 10, 20, 50, 100, 200, 255];

/** The part of prom-client that is used. */
interface PromClient<Registry> {
  readonly Histogram: new (options: {
    name: string;
    help: string;
    buckets: number[];
    registers: Registry[];
  }) => { observe(value: number): void };
}

/**
 * @param writes the plural noun for writes in the name of the first metric
 * @returns a function that creates the metrics `store_commit_writes` and `store_commit_duration_seconds`
 */
export function storeMetrics(events: StoreEmitter, writes = 'writes') {
  return <Registry>({ Histogram }: PromClient<Registry>, registers: Registry[]): void => {
    const commitWrites = new Histogram({
      name: `store_commit_${writes}`,
      help: `${writes.charAt(0).toUpperCase()}${writes.slice(1)} in one commit`,
      buckets: WRITES,
      registers,
    });
    const commitSeconds = new Histogram({
      name: 'store_commit_duration_seconds',
      help: 'Duration of a commit',
      buckets: SECONDS,
      registers,
    });
    events.on('committed', ({ writes: count, durationMs }) => {
      commitWrites.observe(count);
      commitSeconds.observe(durationMs / 1000);
    });
  };
}
