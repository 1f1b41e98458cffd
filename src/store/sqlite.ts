// The plant store on SQLite: a create becomes a row, a batch of creates one commit.
// Knows no HTTP and no files; sqliteFile.ts opens and checks the database.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type NewPlant, type Plant, samePlant } from '../plants/plant.ts';
import {
  type CommitObserver,
  type CreateOutcome,
  type ReadableStore,
  StoreUnavailable,
} from '../plants/store.ts';
import { GroupCommit } from './groupCommit.ts';
import { backUpTo } from './sqliteBackup.ts';

type RowDecision = CreateOutcome | Error;

/** A plant store on a database from `openSqliteFile`. It owns the database and closes it. */
export class SqliteStore implements ReadableStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #page: StatementSync;
  #backup: Promise<string> | undefined;
  readonly #creates = new GroupCommit(async (plants) => this.#commit(plants));

  constructor(database: DatabaseSync) {
    this.#database = database;
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
    return this.#database.isOpen;
  }

  get waiting(): number {
    return this.#creates.waiting;
  }

  observe(onCommit: CommitObserver): void {
    this.#creates.observe(onCommit);
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

  /** A backup under way is given up. */
  async close(): Promise<void> {
    await this.#creates.close();
    if (this.#database.isOpen) this.#database.close();
  }

  async #backUp(): Promise<string> {
    const file = `${this.#database.location()}.backup`;
    await backUpTo(file, this.#database);
    return file;
  }

  // Whatever happens, an outcome leaves here only after COMMIT returned, which is after the fsync.
  #commit(plants: readonly NewPlant[]): RowDecision[] {
    const decisions: RowDecision[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const plant of plants) decisions.push(this.#decide(plant));
      this.#database.exec('COMMIT');
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

  #holds(plant: NewPlant): boolean {
    const row = this.#find.get(plant.id);
    return row !== undefined && samePlant(plant, toPlant(row));
  }
}

function ownError(decision: RowDecision | undefined): Error | undefined {
  return typeof decision === 'string' ? undefined : decision;
}

// The table is STRICT: name is text, tag is text or NULL.
function toPlant(row: Record<string, SQLOutputValue>): Plant {
  const name = row['name'] as string;
  return row['tag'] === null ? { name } : { name, tag: row['tag'] as string };
}
