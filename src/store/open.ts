// DATABASE_URL -> PlantStore: which store a URL asks for.
// Knows no SQL; each store opens its own database.
import { resolve } from 'node:path';
import { type ReadableStore, type StoreEmitter, StoreRefused } from '../plants/store.ts';
import { urlsOfHosts, withoutPassword } from './postgres/hosts.ts';
import { SqliteStore } from './sqlite.ts';
import { openSqliteFile } from './sqliteFile.ts';

export interface StoreOptions {
  readonly events?: StoreEmitter;
  /** How long a create waits for a database that may be away; less than a second unless given. */
  readonly patienceMs?: number | undefined;
  /** The most connections to a PostgreSQL database; 10 unless given. */
  readonly maxConnections?: number;
}

const MAX_CONNECTIONS = 10;

/**
 * Opens the store that a URL names.
 *
 * `sqlite:PATH` is a SQLite file, made with its directory when missing; a relative path starts at
 * the working directory. `postgres://…` is a PostgreSQL database; one that cannot be reached now is
 * waited for in the background.
 *
 * @throws {StoreRefused} when the URL is not understood, or its database cannot be used.
 */
export async function openStore(
  databaseUrl: string,
  options: StoreOptions = {},
): Promise<ReadableStore> {
  const { scheme, path } = parts(databaseUrl);
  if (scheme === 'sqlite' && isFilePath(path)) {
    const file = resolve(path);
    return new SqliteStore(openSqliteFile(file), { file, events: options.events });
  }
  const urls = urlsOfHosts(databaseUrl);
  if (urls !== undefined) return openPostgres(databaseUrl, urls, options);
  throw new StoreRefused(
    `DATABASE_URL: got ${shown(databaseUrl)}, expected sqlite:PATH with the path of a file, like sqlite:data/plants.db or sqlite:/var/lib/plants.db, or postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT]/DATABASE`,
  );
}

/** @returns a DATABASE_URL without what may be secret in it: the password and the parameters */
export function withoutSecrets(databaseUrl: string): string {
  return isPostgres(parts(databaseUrl).scheme) ? withoutPassword(databaseUrl) : databaseUrl;
}

// pg takes 20 ms to load, which a start on SQLite need not wait for.
async function openPostgres(
  databaseUrl: string,
  urls: readonly string[],
  { events, patienceMs, maxConnections = MAX_CONNECTIONS }: StoreOptions,
): Promise<ReadableStore> {
  const { PostgresStore } = await import('./postgres/store.ts');
  try {
    return await PostgresStore.open({ urls, events, patienceMs, maxConnections });
  } catch (error) {
    const { message } = error as Error;
    throw new StoreRefused(
      `Expected to use the database ${withoutPassword(databaseUrl)}, but it failed: ${message.replace(/\s+/g, ' ')}`,
      { cause: error },
    );
  }
}

function parts(databaseUrl: string): { scheme: string; path: string } {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(databaseUrl) ?? [];
  return { scheme, path };
}

function isPostgres(scheme: string): boolean {
  return scheme === 'postgres' || scheme === 'postgresql';
}

// sqlite://x/y is /x/y to some programs and x/y to others; :memory: would lose every plant.
function isFilePath(path: string): boolean {
  return path !== '' && path !== ':memory:' && !path.startsWith('//');
}

// A URL of another scheme may hold a password, and this message goes to the log.
function shown(databaseUrl: string): string {
  const { scheme, path } = parts(databaseUrl);
  if (scheme === 'sqlite') return `"sqlite:${path}"`;
  if (isPostgres(scheme)) return `a ${scheme} URL that cannot be read`;
  return scheme === '' ? 'no scheme' : `the scheme "${scheme}:"`;
}
