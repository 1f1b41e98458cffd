// The numbered SQL files in migrations/<database>/, in order.
// Knows no database: each store applies its own.
import { readdirSync, readFileSync } from 'node:fs';

export interface Migration {
  /** The schema's version once `sql` has run: the number in the file's name. */
  readonly version: number;
  readonly sql: string;
}

/** Reads `migrations/<database>/NNN-name.sql`, lowest number first. */
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
