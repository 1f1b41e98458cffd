// The schema of a store: its name, its migrations and its tables.
import { type DatabaseKind, type Migration, readMigrations } from './migrations.ts';
import type { Table } from './table.ts';

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

/** FNV-1a, 31 bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash & 0x7fffffff || 1;
}
