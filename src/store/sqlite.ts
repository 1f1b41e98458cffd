// The plant store on SQLite.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type NewPlant, type Plant, samePlant } from '../plants/plant.ts';
import {
  type CreateOutcome,
  type ReadableStore,
  type StoreEmitter,
  StoreUnavailable,
} from '../plants/store.ts';
import { FilesInPlace, type Loss } from './filesInPlace.ts';
import { GroupCommit } from './groupCommit.ts';
import { Readiness } from './readiness.ts';
import { backUpTo } from './sqliteBackup.ts';
import { rewriteHeader } from './sqliteFile.ts';
import { syncPath } from './syncPath.ts';

type RowDecision = CreateOutcome | Error;

export interface SqliteStoreOptions {
  /** The path of the database, if it is a symbolic link. */
  readonly file?: string;
  readonly events?: StoreEmitter | undefined;
}

/**
 * A plant store on a database from `openSqliteFile`, which it closes.
 *
 * Creates are rejected while the database file is not at its path, since the next start would not find
 * it, and after a file was truncated.
 */
export class SqliteStore implements ReadableStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #page: StatementSync;
  readonly #file: string;
  readonly #files: FilesInPlace;
  readonly #events: SqliteStoreOptions['events'];
  #unavailableSince: number | undefined;
  #backup: Promise<string> | undefined;
  readonly #readiness = new Readiness(async () => this.#probe());
  readonly #creates: GroupCommit;

  constructor(database: DatabaseSync, { file, events }: SqliteStoreOptions = {}) {
    this.#database = database;
    this.#events = events;
    const readiness = this.#readiness;
    this.#creates = new GroupCommit(async (plants) => this.#commit(plants), { readiness, events });
    this.#file = file ?? database.location()!;
    this.#files = new FilesInPlace(this.#file, `${database.location()}-wal`);
    this.#insert = database.prepare(
      'INSERT INTO plant (id, name, tag) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
    this.#find = database.prepare('SELECT name, tag FROM plant WHERE id = ?');
    this.#page = database.prepare(
      'SELECT id, name, tag FROM plant WHERE id >= ? ORDER BY id LIMIT ?',
    );
    this.#page.setReadBigInts(true);
  }

  create(plant: NewPlant): Promise<CreateOutcome> {
    return this.#creates.create(plant);
  }

  async find(id: bigint): Promise<Plant | undefined> {
    try {
      const row = this.#find.get(id);
      return row && toPlant(row);
    } catch (cause) {
      throw new StoreUnavailable('SQLite could not read', { cause });
    }
  }

  async isReady(): Promise<boolean> {
    return this.#database.isOpen && this.#readiness.isReady();
  }

  get waiting(): number {
    return this.#creates.waiting;
  }

  async pageFrom(id: bigint, limit: number): Promise<NewPlant[]> {
    return this.#page.all(id, limit).map((row) => ({ id: row['id'] as bigint, ...toPlant(row) }));
  }

  backUp(): Promise<string> {
    this.#backup ??= this.#backUp().finally(() => {
      this.#backup = undefined;
    });
    return this.#backup;
  }

  /**
   * Closes the database; aborts a backup.
   *
   * @throws {StoreUnavailable} after closing, if the file is not at its path; without closing, if a file
   *   was truncated: a checkpoint would write the gaps into the database
   */
  async close(): Promise<void> {
    await this.#creates.close();
    if (!this.#database.isOpen) return;
    const loss = this.#files.loss();
    if (loss?.isTruncated) throw lost(loss);
    // Checkpoints the WAL, unless the file has moved.
    this.#database.close();
    if (loss?.path === this.#file) throw lost(loss);
  }

  async #backUp(): Promise<string> {
    const file = `${this.#database.location()}.backup`;
    await backUpTo(file, this.#database, () => this.#checkInPlace());
    return file;
  }

  // Returns outcomes only after COMMIT, which includes the fsync, and only if the files are in place.
  #commit(plants: readonly NewPlant[]): RowDecision[] {
    const decisions: RowDecision[] = [];
    try {
      this.#checkInPlace();
      this.#database.exec('BEGIN IMMEDIATE');
      for (const plant of plants) decisions.push(this.#decide(plant));
      this.#database.exec('COMMIT');
      this.#checkInPlace();
      return decisions;
    } catch (cause) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      const unavailable = new StoreUnavailable('SQLite could not commit', { cause });
      return plants.map((_, index) => ownError(decisions[index]) ?? unavailable);
    }
  }

  #decide(plant: NewPlant): RowDecision {
    try {
      const { changes } = this.#insert.run(plant.id, plant.name, plant.tag ?? null);
      if (changes === 1) return 'created';
      return this.#isStored(plant) ? 'same' : 'different';
    } catch (cause) {
      // After an error of disk or memory SQLite has rolled back (https://sqlite.org/lang_transaction.html,
      // section 3.2), and further rows would be committed one by one. Otherwise only this row is invalid.
      if (!this.#database.isTransaction) throw cause;
      return new Error(`SQLite cannot store plant ${plant.id}`, { cause });
    }
  }

  #probe(): void {
    this.#checkInPlace();
    rewriteHeader(this.#database);
    this.#checkInPlace();
  }

  #checkInPlace(): void {
    const loss = this.#files.loss();
    if (loss !== undefined) {
      const error = lost(loss);
      if (this.#unavailableSince === undefined) this.#events?.emit('unavailable', error);
      this.#unavailableSince ??= performance.now();
      throw error;
    }
    if (this.#unavailableSince === undefined) return;
    // The file was renamed and is back: its directory entry may not be durable.
    syncPath(this.#file);
    this.#events?.emit('available', { durationMs: performance.now() - this.#unavailableSince });
    this.#unavailableSince = undefined;
  }

  #isStored(plant: NewPlant): boolean {
    const row = this.#find.get(plant.id);
    return row !== undefined && samePlant(plant, toPlant(row));
  }
}

function lost({ path, isTruncated }: Loss): StoreUnavailable {
  return new StoreUnavailable(
    isTruncated
      ? `Expected ${path} to keep its content, but it was truncated; plants acknowledged before may be lost. Restart the service, and compare with a backup`
      : `Expected ${path} to be the file that the service opened, but it was deleted, renamed or replaced; plants acknowledged before may be gone with it`,
  );
}

function ownError(decision: RowDecision | undefined): Error | undefined {
  return typeof decision === 'string' ? undefined : decision;
}

// The table is STRICT: name is text, tag is text or NULL.
function toPlant(row: Record<string, SQLOutputValue>): Plant {
  const name = row['name'] as string;
  return row['tag'] === null ? { name } : { name, tag: row['tag'] as string };
}
