// The connection of a SQLite store: commits only while its files are in place.
import type { DatabaseSync } from 'node:sqlite';
import { type StoreEmitter, StoreUnavailable } from '../store.ts';
import { FilesInPlace, type Loss } from './filesInPlace.ts';
import { rewriteHeader } from './sqliteFile.ts';
import { syncPath } from './syncPath.ts';
import { Turn } from './turn.ts';

export interface LockedConnectionOptions {
  /** The path of the database, if it is a symbolic link. */
  readonly file?: string | undefined;
  /** The noun for rows in messages. */
  readonly rows: string;
  readonly events?: StoreEmitter | undefined;
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
  readonly #rows: string;
  readonly #events: StoreEmitter | undefined;
  #unavailableSince: number | undefined;

  /** @param database from `openSqliteFile` */
  constructor(database: DatabaseSync, { file, rows, events }: LockedConnectionOptions) {
    this.database = database;
    this.#rows = rows;
    this.#events = events;
    this.file = file ?? database.location()!;
    this.#files = new FilesInPlace(this.file, `${database.location()}-wal`);
  }

  /** @throws {StoreUnavailable} if the files are not in place */
  begin(): void {
    this.checkInPlace();
    this.database.exec('BEGIN IMMEDIATE');
  }

  /** COMMIT includes the fsync. @throws if the outcome is not durable */
  commit(): void {
    this.database.exec('COMMIT');
    this.checkInPlace();
  }

  /** After an error of disk or memory SQLite has rolled back. */
  rollBack(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /** A durable commit that changes nothing. */
  probe(): void {
    this.checkInPlace();
    rewriteHeader(this.database);
    this.checkInPlace();
  }

  checkInPlace(): void {
    const loss = this.#files.loss();
    if (loss !== undefined) {
      const error = this.#lost(loss);
      if (this.#unavailableSince === undefined) this.#events?.emit('unavailable', error);
      this.#unavailableSince ??= performance.now();
      throw error;
    }
    if (this.#unavailableSince === undefined) return;
    // The file was renamed and is back: its directory entry may not be durable.
    syncPath(this.file);
    this.#events?.emit('available', { durationMs: performance.now() - this.#unavailableSince });
    this.#unavailableSince = undefined;
  }

  /**
   * Closes the database.
   *
   * @throws {StoreUnavailable} after closing, if the file is not at its path; without closing, if a file
   *   was truncated: a checkpoint would write the gaps into the database
   */
  close(): void {
    if (!this.database.isOpen) return;
    const loss = this.#files.loss();
    if (loss?.isTruncated) throw this.#lost(loss);
    // Checkpoints the WAL, unless the file has moved.
    this.database.close();
    if (loss?.path === this.file) throw this.#lost(loss);
  }

  #lost({ path, isTruncated }: Loss): StoreUnavailable {
    return new StoreUnavailable(
      isTruncated
        ? `Expected ${path} to keep its content, but it was truncated; ${this.#rows} acknowledged before may be lost. Restart the service, and compare with a backup`
        : `Expected ${path} to be the file that the service opened, but it was deleted, renamed or replaced; ${this.#rows} acknowledged before may be gone with it`,
    );
  }
}
