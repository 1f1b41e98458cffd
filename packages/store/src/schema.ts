// The schema of a store: its name, its migrations and its tables.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { DatabaseKind } from './store.ts';
import type { Table } from './table.ts';

interface Migration {
  /** The schema version after `sql`: the number in the file name. */
  readonly version: number;
  readonly sql: string;
}

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

const FILE = /^(\d+)(?:-.+)?\.sql$/;

/**
 * @param folder has the files `0001.sql` or `0001-name.sql`, for both databases or in `sqlite/` and
 *   `postgres/`
 * @returns the files in ascending order
 * @throws {TypeError} without files, and for two files with one number
 */
function readMigrations(folder: URL, database: DatabaseKind): Migration[] {
  const own = new URL(`${database}/`, folder);
  const source = existsSync(own) ? own : folder;
  const migrations = readdirSync(source)
    .filter((name) => FILE.test(name))
    .map((name) => ({
      version: Number.parseInt(name, 10),
      sql: readFileSync(new URL(name, source), 'utf8'),
    }))
    .sort((one, other) => one.version - other.version);
  const versions = new Set(migrations.map(({ version }) => version));
  if (versions.size === 0 || versions.size < migrations.length || versions.has(0)) {
    throw new TypeError(
      `${source.pathname}: expected files 0001.sql, 0002.sql with different numbers`,
    );
  }
  return migrations;
}

/** FNV-1a, 31 bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash & 0x7fffffff || 1;
}
