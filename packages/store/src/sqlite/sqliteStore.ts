// A store on SQLite.

import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, type DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type Committed,
  type Decision,
  type PendingWrite,
  Readiness,
  WriteQueue,
} from '../groupCommit.ts';
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
  isChange,
  MAX_ATTEMPTS,
  quotedName,
  type Row,
  type RowKey,
  rowFrom,
  rowKeyOf,
  type Table,
  UnstorableText,
  type WriteDefinition,
} from '../table.ts';
import {
  LockedConnection,
  type LockedConnectionOptions,
  prepare,
  sqliteViolation,
  valuesOf,
} from './lockedConnection.ts';
import { SqliteTransaction } from './sqliteTransaction.ts';

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
    // An outcome may rest on a row of another batch: durable is all that was committed before.
    const commit = (writes: readonly PendingWrite<SqliteWriter>[]) =>
      this.#connection.durably(options.patienceMs, () => this.#commit(writes));
    this.#writes = new WriteQueue<SqliteWriter>(commit, {
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
      idle: async () => (await turn.take(this.#options.transactionTimeoutMs))(),
    });
    return file;
  }

  /** Between transactions, the connection sees what is committed. */
  async #read<Result>(read: (database: DatabaseSync) => Result): Promise<Result> {
    try {
      const { patienceMs } = this.#options;
      return await this.#connection.durably(patienceMs, () => read(this.#connection.database));
    } catch (cause) {
      if (cause instanceof StoreUnavailable || cause instanceof UnstorableText) throw cause;
      throw new StoreUnavailable('SQLite could not read', { cause });
    }
  }

  // Returns outcomes only after COMMIT, and only if the files are in place.
  #commit(writes: readonly PendingWrite<SqliteWriter>[]): Committed {
    const decisions: Decision[] = [];
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

  #apply({ definition, apply }: SqliteWriter, write: Row): AppliedWrite | Error {
    try {
      return apply(write);
    } catch (cause) {
      // After an error of disk or memory SQLite has rolled back (https://sqlite.org/lang_transaction.html,
      // section 3.2), and further rows would be committed one by one. Otherwise only this row is invalid.
      if (!this.#connection.database.isTransaction) throw cause;
      const violation = sqliteViolation(cause);
      const outcome = violation && definition.onViolation?.(write, violation);
      if (outcome !== undefined) return { outcome, isChange: false };
      const { table } = definition;
      return new Error(`SQLite cannot store ${table.name} ${rowKeyOf(table, write)}`, { cause });
    }
  }
}

interface AppliedWrite {
  readonly outcome: unknown;
  readonly isChange: boolean;
}

interface SqliteWriter {
  readonly definition: WriteDefinition;
  /** @throws the error of SQLite, and an Error if nothing explains that the write has no effect */
  readonly apply: (write: Row) => AppliedWrite;
}

function sqliteWriter(database: DatabaseSync, definition: WriteDefinition): SqliteWriter {
  const { table } = definition;
  const find = findStatement(database, definition.table);
  const stored = (key: RowKey): Row | undefined => {
    const row = find.get(key);
    return row && rowFrom(table.columns, row);
  };
  const apply = isChange(definition)
    ? changeWith(database, definition, stored)
    : insertWith(database, definition, stored);
  return { definition, apply };
}

type Stored = (key: RowKey) => Row | undefined;

function insertWith(
  database: DatabaseSync,
  definition: Exclude<WriteDefinition, { sql: unknown }>,
  stored: Stored,
): SqliteWriter['apply'] {
  const { table } = definition;
  const names = Object.keys(table.columns);
  const insert = database.prepare(
    `INSERT INTO ${quotedName(table.name)} (${columnList(table.columns)})
     VALUES (${names.map(() => '?').join()}) ON CONFLICT (${quotedName(table.key)}) DO NOTHING`,
  );
  return (row) => {
    const { changes } = insert.run(...valuesOf(names, row));
    if (changes === 1) return { outcome: definition.decide(row, undefined), isChange: true };
    const found = stored(rowKeyOf(table, row));
    if (found === undefined) throw new Error('expected the table to store the row');
    return { outcome: definition.decide(row, found), isChange: false };
  };
}

function changeWith(
  database: DatabaseSync,
  definition: Extract<WriteDefinition, { sql: unknown }>,
  stored: Stored,
): SqliteWriter['apply'] {
  const { table, given } = definition;
  const names = Object.keys(given);
  const change = database.prepare(
    `WITH given (${columnList(given)}) AS (VALUES (${names.map(() => '?').join()}))
     ${definition.sql(quotedName(table.name))} RETURNING ${columnList(table.columns)}`,
  );
  change.setReadBigInts(true);
  return (write) => {
    const values = valuesOf(names, write);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const changed = change.get(...values);
      if (changed !== undefined) {
        const row = rowFrom(table.columns, changed);
        return { outcome: definition.applied(write, row), isChange: true };
      }
      const outcome = definition.notApplied(write, stored(rowKeyOf(table, write)));
      if (outcome !== undefined) return { outcome, isChange: false };
    }
    throw new Error('expected an outcome of a change that was not applied');
  };
}

function findStatement(
  database: DatabaseSync,
  { name, key, columns }: WriteDefinition['table'],
): StatementSync {
  const find = database.prepare(
    `SELECT ${columnList(columns)} FROM ${quotedName(name)} WHERE ${quotedName(key)} = ?`,
  );
  find.setReadBigInts(true);
  return find;
}

/** A step blocks the event loop for less than 1 ms. */
const PAGES_PER_STEP = 100;
/** Under full load about one attempt in ten coincides with a commit. */
const MAX_RETRIES = 100;

/**
 * Copies a database to a file, including commits during the backup. Replaces the file atomically and
 * durably at the end.
 *
 * @param options `verify` throws if the database is damaged; the previous backup is then kept. `idle`
 *   resolves when no transaction is open: SQLite copies nothing meanwhile
 * @throws {NodeJS.ErrnoException} and SQLite errors
 */
async function backUpTo(
  file: string,
  database: DatabaseSync,
  { verify, idle }: { readonly verify: () => void; readonly idle: () => Promise<void> },
): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    await backUpWithRetry(database, partial, idle);
    verify();
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** Node retries a step during a commit, except for the first step, which fails with errcode 0. */
async function backUpWithRetry(
  database: DatabaseSync,
  file: string,
  idle: () => Promise<void>,
): Promise<void> {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    await idle();
    try {
      await backup(database, file, { rate: PAGES_PER_STEP });
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 0 || retriesLeft === 0) throw error;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
