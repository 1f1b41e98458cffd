// Reads the numbered SQL files in migrations/<database>/.
import { readdirSync, readFileSync } from 'node:fs';

export interface Migration {
  /** The schema version after `sql`: the number in the file name. */
  readonly version: number;
  readonly sql: string;
}

/** @returns the files `migrations/<database>/NNN-name.sql` in ascending order */
export function readMigrations(database: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`./migrations/${database}/`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number.parseInt(name, 10),
      sql: readFileSync(new URL(name, folder), 'utf8'),
    }));
}
