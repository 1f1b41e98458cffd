// Opens the store of a DATABASE_URL.
import { resolve } from 'node:path';
import { type ReadableStore, type StoreEmitter, StoreRefused } from '../plants/store.ts';
import { urlsOfHosts, withoutPassword } from './postgres/hosts.ts';
import { SqliteStore } from './sqlite.ts';
import { openSqliteFile } from './sqliteFile.ts';

export interface StoreOptions {
  /** Creates a missing folder of the file; false by default. */
  readonly createsFolder?: boolean | undefined;
  readonly events?: StoreEmitter;
  /** Maximum wait of a create for an unavailable database; 800 ms by default. */
  readonly patienceMs?: number | undefined;
  /** Maximum number of connections to PostgreSQL; 10 by default. */
  readonly maxConnections?: number;
}

const MAX_CONNECTIONS = 10;

/**
 * Opens a store.
 *
 * @param databaseUrl `sqlite:PATH`, relative to the working directory, creates a missing file.
 *   `postgres://…` connects in the background if the server is unavailable.
 * @throws {StoreRefused} for an invalid URL or an unusable database
 */
export async function openStore(
  databaseUrl: string,
  options: StoreOptions = {},
): Promise<ReadableStore> {
  const { scheme, path } = parts(databaseUrl);
  if (scheme === 'sqlite' && isFilePath(path)) {
    const file = resolve(path);
    const { events, createsFolder } = options;
    return new SqliteStore(openSqliteFile(file, { createsFolder, events }), { file, events });
  }
  const urls = urlsOfHosts(databaseUrl);
  if (urls !== undefined) return openPostgres(databaseUrl, urls, options);
  throw new StoreRefused(
    `DATABASE_URL: got ${shown(databaseUrl)}, expected sqlite:PATH with the path of a file, like sqlite:data/plants.db or sqlite:/var/lib/plants.db, or postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT]/DATABASE`,
  );
}

/** @returns a DATABASE_URL without password and parameters */
export function withoutSecrets(databaseUrl: string): string {
  return isPostgres(parts(databaseUrl).scheme) ? withoutPassword(databaseUrl) : databaseUrl;
}

// Loads pg, which takes 20 ms, only for PostgreSQL.
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

// sqlite://x/y is ambiguous: /x/y or x/y. :memory: is not durable.
function isFilePath(path: string): boolean {
  return path !== '' && path !== ':memory:' && !path.startsWith('//');
}

// The URL may contain a password, and the message is logged.
function shown(databaseUrl: string): string {
  const { scheme, path } = parts(databaseUrl);
  if (scheme === 'sqlite') return `"sqlite:${path}"`;
  if (isPostgres(scheme)) return `a ${scheme} URL that cannot be read`;
  return scheme === '' ? 'no scheme' : `the scheme "${scheme}:"`;
}
