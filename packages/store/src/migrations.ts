// Reads the numbered SQL files of a folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Migration {
  /** The schema version after `sql`: the number in the file name. */
  readonly version: number;
  readonly sql: string;
}

const FILE = /^(\d+)(?:-.+)?\.sql$/;

/**
 * @param folder has the files `0001.sql` or `0001-name.sql`, for both databases or in `sqlite/` and
 *   `postgres/`
 * @returns the files in ascending order
 * @throws {TypeError} without files, and for two files with one number
 */
export function readMigrations(folder: URL, database: DatabaseKind): Migration[] {
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
