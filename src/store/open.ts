// DATABASE_URL -> PlantStore: which store a URL asks for.
// Knows no SQL; each store opens its own database.
import { resolve } from 'node:path';
import { type PlantStore, StoreRefused } from '../plants/store.ts';
import { SqliteStore } from './sqlite.ts';
import { openSqliteFile } from './sqliteFile.ts';

/**
 * Opens the store that a URL names, ready to take creates.
 *
 * `sqlite:PATH` is a SQLite file, made with its directory when missing; a relative path starts at
 * the working directory.
 *
 * @throws {StoreRefused} when the URL is not understood, or its database cannot be used.
 */
export async function openStore(databaseUrl: string): Promise<PlantStore> {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(databaseUrl) ?? [];
  if (scheme === 'sqlite' && isFilePath(path))
    return new SqliteStore(openSqliteFile(resolve(path)));
  throw new StoreRefused(
    `DATABASE_URL: got ${shown(scheme, path)}, expected sqlite:PATH with the path of a file, like sqlite:data/plants.db or sqlite:/var/lib/plants.db`,
  );
}

// sqlite://x/y is /x/y to some programs and x/y to others; :memory: would lose every plant.
function isFilePath(path: string): boolean {
  return path !== '' && path !== ':memory:' && !path.startsWith('//');
}

// A URL of another scheme may hold a password, and this message goes to the log.
function shown(scheme: string, path: string): string {
  if (scheme === 'sqlite') return `"sqlite:${path}"`;
  return scheme === '' ? 'no scheme' : `the scheme "${scheme}:"`;
}
