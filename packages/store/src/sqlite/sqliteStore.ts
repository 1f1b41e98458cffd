// A store on SQLite.
import type { DatabaseSync } from 'node:sqlite';
import type { Committed, Decision } from '../groupCommit.ts';
import { Readiness } from '../readiness.ts';
import {
  type DataStore,
  type SpanOf,
  type SqlValue,
  type StoreTransaction,
  StoreUnavailable,
} from '../store.ts';
import {
  columnList,
  expectStorable,
  quotedName,
  type Row,
  type RowKey,
  rowFrom,
  rowKeyOf,
  type Table,
  UnstorableText,
} from '../table.ts';
import { type PendingWrite, WriteQueue } from '../writeQueue.ts';
import { LockedConnection, type LockedConnectionOptions } from './lockedConnection.ts';
import { backUpTo } from './sqliteBackup.ts';
import { prepare } from './sqliteRows.ts';
import { SqliteTransaction } from './sqliteTransaction.ts';
import { findStatement, type SqliteWriter, sqliteWriter } from './sqliteWriter.ts';

export interface SqliteStoreOptions extends LockedConnectionOptions {
  /** Maximum wait for the end of a transaction. */
  readonly patienceMs: number;
  /** After which a transaction rolls back. */
  readonly transactionTimeoutMs: number;
  readonly inSpan?: SpanOf | undefined;
}

/** A store on a database from `openSqliteFile`, which it closes. */
export class SqliteStore implements DataStore {
  readonly database = 'sqlite';
  readonly #connection: LockedConnection;
  readonly #options: SqliteStoreOptions;
  readonly #finds = new Map<Table, ReturnType<typeof findStatement>>();
  #backup: Promise<string> | undefined;
  readonly #readiness = new Readiness(() => this.#connection.probe(this.#options.patienceMs));
  readonly #writes: WriteQueue<SqliteWriter>;

  constructor(database: DatabaseSync, options: SqliteStoreOptions) {
    this.#connection = new LockedConnection(database, options);
    this.#options = options;
    this.#writes = new WriteQueue<SqliteWriter>((writes) => this.#commit(writes), {
      prepare: (definition) => sqliteWriter(database, definition),
      readiness: this.#readiness,
      events: options.events,
      inSpan: options.inSpan,
    });
  }

  readonly inserts: DataStore['inserts'] = (definition) => this.#writes.add(definition);

  readonly changes: DataStore['changes'] = (definition) => this.#writes.add(definition);

  find<R extends Row>(table: Table<R>, key: RowKey): Promise<R | undefined> {
    return this.#read((database) => {
      expectStorable([key]);
      const find = this.#finds.get(table) ?? findStatement(database, table);
      this.#finds.set(table, find);
      const row = find.get(key);
      return row && (rowFrom(table.columns, row) as R);
    });
  }

  page<R extends Row>(table: Table<R>, from: RowKey | undefined, limit: number): Promise<R[]> {
    const { name, key, columns } = table;
    const where = from === undefined ? '' : `WHERE ${quotedName(key)} >= ?`;
    const sql = `SELECT ${columnList(columns)} FROM ${quotedName(name)} ${where} ORDER BY ${quotedName(key)} LIMIT ?`;
    return this.#read((database) => {
      const [statement, inputs] = prepare(
        database,
        sql,
        from === undefined ? [limit] : [from, limit],
      );
      return statement.all(...(inputs as [])).map((row) => rowFrom(columns, row) as R);
    });
  }

  query<R extends object>(sql: string, values: readonly SqlValue[] = []): Promise<R[]> {
    return this.#read((database) => {
      expectStorable(values);
      const [statement, inputs] = prepare(database, sql, values);
      return statement.all(...(inputs as [])) as R[];
    });
  }

  async begin(): Promise<StoreTransaction> {
    const { patienceMs: waitMs, transactionTimeoutMs: timeoutMs } = this.#options;
    const failed = () => this.#readiness.failed();
    return SqliteTransaction.begin(this.#connection, { waitMs, timeoutMs, failed });
  }

  async isReady(): Promise<boolean> {
    return this.#connection.database.isOpen && this.#readiness.isReady();
  }

  get waiting(): number {
    return this.#writes.waiting;
  }

  backUp(): Promise<string> {
    this.#backup ??= this.#backUp().finally(() => {
      this.#backup = undefined;
    });
    return this.#backup;
  }

  /** Aborts a backup. @throws {StoreUnavailable} as {@link LockedConnection.close} */
  async close(): Promise<void> {
    await this.#writes.close();
    await this.#connection.close();
  }

  async #backUp(): Promise<string> {
    const { database } = this.#connection;
    const file = `${database.location()}.backup`;
    const { turn, syncFailures } = this.#connection;
    await backUpTo(file, database, {
      verify: () => {
        this.#connection.checkInPlace();
        if (this.#connection.syncFailures === syncFailures) return;
        throw new StoreUnavailable('A sync of the log failed during the backup');
      },
      idle: () => turn.run(this.#options.transactionTimeoutMs, () => {}),
    });
    return file;
  }

  #durably<Result>(act: () => Result): Promise<Result> {
    return this.#connection.durably(this.#options.patienceMs, act);
  }

  /** Between transactions, the connection sees what is committed. */
  async #read<Result>(read: (database: DatabaseSync) => Result): Promise<Result> {
    try {
      return await this.#durably(() => read(this.#connection.database));
    } catch (cause) {
      if (cause instanceof StoreUnavailable || cause instanceof UnstorableText) throw cause;
      throw new StoreUnavailable('SQLite could not read', { cause });
    }
  }

  // An outcome may rest on a row of another batch: durable is all that was committed before.
  async #commit(writes: readonly PendingWrite<SqliteWriter>[]): Promise<Committed<unknown>> {
    return this.#durably(() => this.#commitNow(writes));
  }

  // Returns outcomes only after COMMIT, and only if the files are in place.
  #commitNow(writes: readonly PendingWrite<SqliteWriter>[]): Committed<unknown> {
    const decisions: Decision<unknown>[] = [];
    let hasChanges = false;
    try {
      this.#connection.begin();
      for (const { writer, write } of writes) {
        const applied = this.#apply(writer, write);
        if (applied instanceof Error) decisions.push(applied);
        else {
          decisions.push(applied.outcome);
          hasChanges ||= applied.isChange;
        }
      }
      this.#connection.commit();
      return { decisions, hasChanges };
    } catch (cause) {
      this.#connection.rollBack();
      const unavailable = new StoreUnavailable('SQLite could not commit', { cause });
      return {
        decisions: writes.map((_, at) =>
          decisions[at] instanceof Error ? decisions[at] : unavailable,
        ),
        hasChanges: false,
      };
    }
  }

  #apply({ definition, apply }: SqliteWriter, write: Row): ReturnType<typeof apply> | Error {
    try {
      return apply(write);
    } catch (cause) {
      // After an error of disk or memory SQLite has rolled back (https://sqlite.org/lang_transaction.html,
      // section 3.2), and further rows would be committed one by one. Otherwise only this row is invalid.
      if (!this.#connection.database.isTransaction) throw cause;
      const { table } = definition;
      return new Error(`SQLite cannot store ${table.name} ${rowKeyOf(table, write)}`, { cause });
    }
  }
}
