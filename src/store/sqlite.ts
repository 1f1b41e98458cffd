// The plant store on SQLite: a create becomes a row, a batch of creates one commit.
// Knows no HTTP and no files; sqliteFile.ts opens and checks the database.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type NewPlant, type Plant, samePlant } from '../plants/plant.ts';
import {
  type CreateOutcome,
  type ReadableStore,
  type StoreEmitter,
  StoreUnavailable,
} from '../plants/store.ts';
import { FilesInPlace } from './filesInPlace.ts';
import { GroupCommit } from './groupCommit.ts';
import { Readiness } from './readiness.ts';
import { backUpTo } from './sqliteBackup.ts';
import { rewriteHeader } from './sqliteFile.ts';
import { syncPath } from './syncPath.ts';

type RowDecision = CreateOutcome | Error;

export interface SqliteStoreOptions {
  /** The path that the database was opened at, where that is a symbolic link. */
  readonly file?: string;
  readonly events?: StoreEmitter | undefined;
}

/**
 * A plant store on a database from `openSqliteFile`. It owns the database and closes it.
 *
 * While the database file is not at its path, creates are refused: the next start would not find
 * their plants.
 */
export class SqliteStore implements ReadableStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #page: StatementSync;
  readonly #file: string;
  readonly #files: FilesInPlace;
  readonly #events: SqliteStoreOptions['events'];
  #awaySince: number | undefined;
  #backup: Promise<string> | undefined;
  readonly #readiness = new Readiness(async () => this.#probe());
  readonly #creates: GroupCommit;

  constructor(database: DatabaseSync, { file, events }: SqliteStoreOptions = {}) {
    this.#database = database;
    this.#events = events;
    const readiness = this.#readiness;
    this.#creates = new GroupCommit(async (plants) => this.#commit(plants), { readiness, events });
    this.#file = file ?? database.location()!;
    this.#files = new FilesInPlace([this.#file, `${database.location()}-wal`]);
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

  async pageFrom(id: bigint, most: number): Promise<NewPlant[]> {
    return this.#page.all(id, most).map((row) => ({ id: row['id'] as bigint, ...toPlant(row) }));
  }

  backUp(): Promise<string> {
    this.#backup ??= this.#backUp().finally(() => {
      this.#backup = undefined;
    });
    return this.#backup;
  }

  /**
   * A backup under way is given up.
   *
   * @throws {StoreUnavailable} when the file is not at its path; the database is closed all the same
   */
  async close(): Promise<void> {
    await this.#creates.close();
    if (!this.#database.isOpen) return;
    const moved = this.#files.moved();
    // Writes the log into the database file, unless that has moved.
    this.#database.close();
    if (moved === this.#file) throw notInPlace(moved);
  }

  async #backUp(): Promise<string> {
    const file = `${this.#database.location()}.backup`;
    await backUpTo(file, this.#database);
    return file;
  }

  // An outcome leaves here only after COMMIT returned, which is after the fsync, and only while the
  // next start would find the file.
  #commit(plants: readonly NewPlant[]): RowDecision[] {
    const decisions: RowDecision[] = [];
    try {
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
      return this.#holds(plant) ? 'same' : 'different';
    } catch (cause) {
      // SQLite ends the transaction when the disk or the memory fails (https://sqlite.org/lang_transaction.html,
      // section 3.2); going on would commit the next rows one by one. If it lives, only this row is bad.
      if (!this.#database.isTransaction) throw cause;
      return new Error(`SQLite cannot store plant ${plant.id}`, { cause });
    }
  }

  #probe(): void {
    rewriteHeader(this.#database);
    this.#checkInPlace();
  }

  #checkInPlace(): void {
    const moved = this.#files.moved();
    if (moved !== undefined) {
      const error = notInPlace(moved);
      if (this.#awaySince === undefined) this.#events?.emit('unavailable', error);
      this.#awaySince ??= performance.now();
      throw error;
    }
    if (this.#awaySince === undefined) return;
    // It was renamed: the name that it has again may not be on disk.
    syncPath(this.#file);
    this.#events?.emit('available', { durationMs: performance.now() - this.#awaySince });
    this.#awaySince = undefined;
  }

  #holds(plant: NewPlant): boolean {
    const row = this.#find.get(plant.id);
    return row !== undefined && samePlant(plant, toPlant(row));
  }
}

function notInPlace(path: string): StoreUnavailable {
  return new StoreUnavailable(
    `Expected ${path} to be the file that the service opened, but it was deleted, renamed or replaced; plants acknowledged before may be gone with it`,
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
