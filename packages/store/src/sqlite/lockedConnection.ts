// The connection of a SQLite store: what it returns is durable, and its files are in place.

import { type BigIntStats, statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../groupCommit.ts';
import { type SqlValue, type StoreEmitter, StoreUnavailable } from '../store.ts';
import type { ConstraintViolation, Row } from '../table.ts';
import { isExtendedLogWhole, LogSync } from './logSync.ts';
import {
  abandon,
  CHECKPOINT_FRAMES,
  rewriteHeader,
  syncPath,
  syncsInCommit,
} from './sqliteFile.ts';

export interface LockedConnectionOptions {
  /** The path of the database, if it is a symbolic link. */
  readonly file?: string | undefined;
  readonly rows: string;
  readonly events?: StoreEmitter | undefined;
  /** The size of the log from which it is written into the database; for tests. */
  readonly checkpointFrames?: number;
  /** A monotonic clock in milliseconds, of the durations of syncs; for tests. */
  readonly now?: () => number;
}

/**
 * Writes are rejected while the database file is not at its path, since the next start would not find it,
 * and after a file was truncated.
 */
export class LockedConnection {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly turn = new Turn();
  readonly #files: FilesInPlace;
  readonly #options: LockedConnectionOptions;
  /** Undefined if COMMIT syncs the log. */
  readonly #log: LogSync | undefined;
  #checkpointing: Promise<void> | undefined;
  #movedSince: number | undefined;

  /** @param database from `openSqliteFile` */
  constructor(database: DatabaseSync, options: LockedConnectionOptions) {
    const { file, events, checkpointFrames = CHECKPOINT_FRAMES } = options;
    const { now = clock } = options;
    this.database = database;
    this.#options = options;
    this.file = file ?? database.location()!;
    this.#files = new FilesInPlace(this.file, `${database.location()}-wal`);
    if (!syncsInCommit(database))
      this.#log = new LogSync(database, { checkpointFrames, events, now });
  }

  /**
   * Runs a function that does not return a promise, between transactions.
   *
   * @returns its result, when all that it has read or written is durable
   * @throws {StoreUnavailable} also if a transaction is open for longer than `waitMs`
   */
  async durably<Result>(waitMs: number, act: () => Result): Promise<Result> {
    const log = this.#log;
    if (log?.isCheckpointDue) await this.#checkpoint(log, waitMs);
    const release = this.turn.isTaken ? await this.turn.take(waitMs) : undefined;
    let result: Result;
    try {
      if (log?.failure) this.#recover(log);
      result = act();
    } finally {
      release?.();
    }
    await log?.durable();
    return result;
  }

  /**
   * Takes the connection for a transaction, whose reads are durable.
   *
   * @returns a function that ends its turn
   * @throws {StoreUnavailable} also after `waitMs`
   */
  async take(waitMs: number): Promise<() => void> {
    const log = this.#log;
    if (log?.isCheckpointDue) await this.#checkpoint(log, waitMs);
    const release = await this.turn.take(waitMs);
    try {
      if (log?.failure) this.#recover(log);
      await log?.durable();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Resolves when all that was committed is durable. @throws {StoreUnavailable} if that is not certain */
  async durable(): Promise<void> {
    await this.#log?.durable();
  }

  /** The number of failed syncs since the opening. */
  get syncFailures(): number {
    return this.#log?.failures ?? 0;
  }

  /** @throws {StoreUnavailable} if the files are not in place */
  begin(): void {
    this.checkInPlace();
    this.database.exec('BEGIN IMMEDIATE');
  }

  /** Durable after {@link durable}. @throws if the outcome will not be */
  commit(): void {
    this.database.exec('COMMIT');
    this.checkInPlace();
  }

  /** After an error of disk or memory SQLite has rolled back. */
  rollBack(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /** Makes a commit that changes nothing durable. @throws {StoreUnavailable} also after `waitMs` */
  async probe(waitMs: number): Promise<void> {
    const late = sleep(waitMs, undefined, { ref: false }).then(() => {
      throw new StoreUnavailable('SQLite did not sync in time');
    });
    const probed = this.durably(waitMs, () => {
      this.checkInPlace();
      rewriteHeader(this.database);
      this.checkInPlace();
    });
    await Promise.race([probed, late]);
  }

  checkInPlace(): void {
    const loss = this.#files.loss();
    if (loss !== undefined) {
      const error = this.#lost(loss);
      if (this.#movedSince === undefined) this.#options.events?.emit('unavailable', error);
      this.#movedSince ??= performance.now();
      throw error;
    }
    if (this.#movedSince === undefined) return;
    // The file was renamed and is back: its directory entry may not be durable.
    syncPath(this.file);
    const durationMs = performance.now() - this.#movedSince;
    this.#options.events?.emit('available', { durationMs });
    this.#movedSince = undefined;
  }

  /**
   * @throws {StoreUnavailable} after closing, if the file is not at its path; without closing, if a file
   *   was truncated or the log is not durable: a checkpoint would write the gaps into the database
   */
  async close(): Promise<void> {
    if (!this.database.isOpen) return;
    const loss = this.#files.loss();
    try {
      if (loss?.isTruncated) throw this.#lost(loss);
      await this.#log?.settle();
    } catch (error) {
      abandon(this.database);
      throw error;
    }
    // Another call may have closed it meanwhile.
    if (!this.database.isOpen) return;
    this.#log?.close();
    // Checkpoints the WAL, unless the file has moved.
    this.database.close();
    if (loss?.path === this.file) throw this.#lost(loss);
  }

  /** Commits that arrive meanwhile wait for it: a checkpoint needs a moment in which all is durable. */
  #checkpoint(log: LogSync, waitMs: number): Promise<void> {
    const run = async () => {
      if (log.failure) this.#recover(log);
      await log.durable();
      const release = await this.turn.take(waitMs);
      try {
        log.checkpoint();
      } finally {
        release();
      }
    };
    this.#checkpointing ??= run().finally(() => {
      this.#checkpointing = undefined;
    });
    return this.#checkpointing;
  }

  #recover(log: LogSync): void {
    this.checkInPlace();
    log.recover();
  }

  #lost({ path, isTruncated }: Loss): StoreUnavailable {
    const { rows } = this.#options;
    return new StoreUnavailable(
      isTruncated
        ? `Expected ${path} to keep its content, but it was truncated; ${rows} acknowledged before may be lost. Restart the service, and compare with a backup`
        : `Expected ${path} to be the file that the service opened, but it was deleted, renamed or replaced; ${rows} acknowledged before may be gone with it`,
    );
  }
}

/** The reason why the next start would not find the written rows. */
interface Loss {
  readonly path: string;
  /** True if content was lost; false if the path has no file, or another file. */
  readonly isTruncated: boolean;
}

interface OpenFile {
  readonly path: string;
  readonly opened: BigIntStats | undefined;
  /** The size at the last check: SQLite extends and overwrites its files, and never truncates an open one. */
  size: bigint;
}

/**
 * A process can write to a deleted or renamed file, which its next start does not find, and past the end
 * of a truncated one. Node does not expose SQLite's check, SQLITE_FCNTL_HAS_MOVED.
 */
class FilesInPlace {
  readonly #file: OpenFile;
  readonly #log: OpenFile;
  #truncated: Loss | undefined;

  /** @param file path of the open database @param log path of its write-ahead log */
  constructor(file: string, log: string) {
    this.#file = openFile(file);
    this.#log = openFile(log);
  }

  /**
   * To be called before and after each commit: between two calls, a file may be extended once.
   *
   * @returns undefined if all written content is in place. A truncation is permanent.
   */
  loss(): Loss | undefined {
    if (this.#truncated !== undefined) return this.#truncated;
    for (const file of [this.#file, this.#log]) {
      const { path, opened, size: previous } = file;
      const stats = statsOf(path);
      if (stats === undefined || stats.ino !== opened?.ino || stats.dev !== opened.dev) {
        return { path, isTruncated: false };
      }
      file.size = stats.size;
      const mayHaveGap = file === this.#log && stats.size > previous;
      if (stats.size < previous || (mayHaveGap && !isExtendedLogWhole(path, Number(previous)))) {
        this.#truncated = { path, isTruncated: true };
        return this.#truncated;
      }
    }
    return undefined;
  }
}

function openFile(path: string): OpenFile {
  const opened = statsOf(path);
  return { path, opened, size: opened?.size ?? 0n };
}

// Inode numbers have 64 bits.
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

class Turn {
  isTaken = false;
  readonly #queue = new Set<() => void>();

  /**
   * @returns a function that ends the turn
   * @throws {StoreUnavailable} after `timeoutMs`
   */
  async take(timeoutMs: number): Promise<() => void> {
    if (this.isTaken) await this.#wait(timeoutMs);
    this.isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#release();
    };
  }

  #wait(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = () => {
      clearTimeout(timer);
      this.#queue.delete(next);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#queue.delete(next);
      reject(new StoreUnavailable('Another transaction holds the database'));
    }, timeoutMs);
    this.#queue.add(next);
    return promise;
  }

  // Passes the turn on without a moment in which it is free: nobody overtakes the queue.
  #release(): void {
    const [next] = this.#queue;
    if (next === undefined) this.isTaken = false;
    else next();
  }
}

export function valuesOf(names: readonly string[], row: Row): SQLInputValue[] {
  const values: SQLInputValue[] = [];
  for (const name of names) values.push(inputValue(row[name] ?? null));
  return values;
}

function inputValue(value: SqlValue): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*$/gm;

/**
 * Prepares a statement and binds its parameters: `$1` by name, `?` in their order.
 *
 * @returns the statement, and its arguments
 */
export function prepare(
  database: DatabaseSync,
  sql: string,
  values: readonly SqlValue[],
): [StatementSync, SQLInputValue[] | [Record<string, SQLInputValue>]] {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const inputs = values.map(inputValue);
  if (!/\$\d/.test(sql.replace(QUOTED, ''))) return [statement, inputs];
  // PostgreSQL may have parameters that a statement does not use.
  statement.setAllowUnknownNamedParameters(true);
  return [statement, [Object.fromEntries(inputs.map((value, at) => [`$${at + 1}`, value]))]];
}

/** By extended result code (https://sqlite.org/rescode.html). */
const VIOLATIONS = new Map<number, ConstraintViolation['kind']>([
  [275, 'check'],
  [787, 'foreign key'],
  [1299, 'not null'],
  [1555, 'unique'], // PRIMARYKEY
  [2067, 'unique'],
]);

export function sqliteViolation(error: unknown): ConstraintViolation | undefined {
  const { errcode = 0, message = '' } = error as { errcode?: number; message?: string };
  const kind = VIOLATIONS.get(errcode);
  return kind && { kind, constraint: message.replace(/^.* constraint failed:? ?/, '') };
}
