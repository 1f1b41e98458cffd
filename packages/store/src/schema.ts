// The schema of a store: its name, its migrations and its tables.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type DatabaseKind, StoreRefused } from './store.ts';
import type { Table } from './table.ts';

export interface Migration {
  /** The schema version after `sql`: the number in the file name. */
  readonly version: number;
  /** The name of the file. */
  readonly name: string;
  /** Of the text, with line breaks as in Unix. */
  readonly sha256: string;
  /** Services that know the migrations up to this version work with this one, too: `-- compatible: 3`. */
  readonly compatible: number | null;
  readonly sql: string;
}

/** What a database records of a migration. Without a hash, a version of the store before hashes ran it. */
export type RecordedMigration = Pick<Migration, 'version' | 'compatible'> & {
  readonly name: string | null;
  readonly sha256: string | null;
};

/** What makes a database one of this application. Released databases contain it: never change it. */
export interface StoreSchema {
  /** A noun in lower case, such as `fleet`. The table `fleet_migration` has the version of the schema. */
  readonly name: string;
  /** The folder of the numbered SQL files, such as `new URL('../migrations/', import.meta.url)`. */
  readonly migrations: URL;
  /**
   * The tables that writes and moves use. Those that depend on others follow them.
   */
  readonly tables: readonly Table[];
  /** The noun for rows in messages; by default `rows`. */
  readonly rows?: string | undefined;
  /** Identifies SQLite files and PostgreSQL's advisory lock, 1 to 2147483647; by default a hash of the name. */
  readonly applicationId?: number | undefined;
}

/** A schema with its defaults, for one database. */
export interface OpenedSchema {
  readonly name: string;
  readonly rows: string;
  readonly applicationId: number;
  readonly tables: readonly Table[];
  readonly migrations: readonly Migration[];
}

/** @throws {TypeError} for a name that needs quotes, and for invalid migrations */
export function openSchema(
  { name, migrations, tables, rows = 'rows', applicationId = hashOf(name) }: StoreSchema,
  database: DatabaseKind,
): OpenedSchema {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new TypeError(`name: got ${name}, expected lower case letters, digits and _`);
  }
  return { name, rows, applicationId, tables, migrations: readMigrations(migrations, database) };
}

/**
 * @param database in messages
 * @returns the migrations that are not recorded, which all follow the recorded ones
 * @throws {StoreRefused} for a recorded migration that a file changes, for one of a newer service that is not
 *   compatible with this one, and for a file that is not recorded although a later one is
 */
export function pendingMigrations(
  { migrations }: OpenedSchema,
  recorded: readonly RecordedMigration[],
  database: string,
): readonly Migration[] {
  const newest = migrations.at(-1)!.version;
  const records = new Map(
    recorded.map((recordedMigration) => [recordedMigration.version, recordedMigration]),
  );
  const latest = Math.max(0, ...records.keys());
  for (const { version, name, compatible } of recorded) {
    if (version <= newest || (compatible !== null && compatible <= newest)) continue;
    const file = name === null ? '' : ` by ${name}`;
    throw new StoreRefused(
      `Expected ${database} to have at most schema version ${newest}, but it has ${version}${file}: a newer version of the service wrote it`,
    );
  }
  for (const { version, name, sha256 } of migrations) {
    const record = records.get(version);
    if (record === undefined && version < latest) {
      throw new StoreRefused(
        `Expected the migration ${name} to have run in ${database} before version ${latest}, but it has not; give it a number above ${latest}`,
      );
    }
    if (record === undefined || record.sha256 === null || record.sha256 === sha256) continue;
    throw new StoreRefused(
      `Expected the migration ${name} to be the one that ran in ${database}, ${record.name} with the SHA-256 ${record.sha256.slice(0, 12)}…, but its text has changed; restore it, and add a migration with another number`,
    );
  }
  return migrations.filter(({ version }) => version > latest);
}

/** @returns the migrations whose names and hashes the database does not have yet */
export function unnamedMigrations(
  { migrations }: OpenedSchema,
  recorded: readonly RecordedMigration[],
): readonly Migration[] {
  const unnamed = new Set(
    recorded.filter(({ sha256 }) => sha256 === null).map(({ version }) => version),
  );
  return migrations.filter(({ version }) => unnamed.has(version));
}

/** Names the file in the message of an error, which keeps its type and code. */
export function failedMigration(error: unknown, { name }: Migration): Error {
  const failed = error as Error;
  failed.message = `migration ${name}: ${failed.message}`;
  return failed;
}

const FILE = /^(\d+)(?:-.+)?\.sql$/;

/**
 * @param folder has the files `0001.sql` or `0001-name.sql`, for both databases or in `sqlite/` and
 *   `postgres/`
 * @returns the files in ascending order
 * @throws {TypeError} without files, and for two files with one number
 */
function readMigrations(folder: URL, database: DatabaseKind): Migration[] {
  const ofDatabase = new URL(`${database}/`, folder);
  const source = existsSync(ofDatabase) ? ofDatabase : folder;
  const migrations = readdirSync(source)
    .filter((name) => FILE.test(name))
    .map((name) => readMigration(name, readFileSync(new URL(name, source), 'utf8')))
    .sort((one, other) => one.version - other.version);
  const versions = new Set(migrations.map(({ version }) => version));
  if (versions.size === 0 || versions.size < migrations.length || versions.has(0)) {
    throw new TypeError(
      `${source.pathname}: expected files 0001.sql, 0002.sql with different numbers`,
    );
  }
  return migrations;
}

const COMPATIBLE = /^--[ \t]*compatible:[ \t]*(.*?)[ \t]*$/m;

/** @throws {TypeError} for `-- compatible:` without the number of an earlier migration */
function readMigration(name: string, text: string): Migration {
  const version = Number.parseInt(name, 10);
  // Git may check a file out with other line breaks.
  const sql = text.replaceAll('\r\n', '\n');
  const compatible = COMPATIBLE.exec(sql)?.[1];
  if (compatible !== undefined && !(/^\d+$/.test(compatible) && Number(compatible) < version)) {
    throw new TypeError(
      `${name}: got compatible: ${compatible}, expected the number of an earlier migration`,
    );
  }
  const sha256 = createHash('sha256').update(sql).digest('hex');
  return {
    ...{ version, name, sha256, sql },
    compatible: compatible === undefined ? null : Number(compatible),
  };
}

/** FNV-1a, 31 bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash & 0x7fffffff || 1;
}
