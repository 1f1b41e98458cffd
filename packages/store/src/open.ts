// Opens the store of a DATABASE_URL.

import { resolve } from 'node:path';
import type { PostgresOptions } from './postgres/postgresStore.ts';
import { openSchema, type StoreSchema } from './schema.ts';
import { openSqliteFile } from './sqlite/sqliteFile.ts';
import { SqliteStore } from './sqlite/sqliteStore.ts';
import { type DataStore, type SpanOf, type StoreEmitter, StoreRefused } from './store.ts';

export interface StoreOptions extends StoreSchema {
  /** Creates a missing folder of the file; false by default. */
  readonly createsFolder?: boolean | undefined;
  readonly events?: StoreEmitter | undefined;
  /** Puts a span around each durable write. */
  readonly inSpan?: SpanOf | undefined;
  /** Maximum wait of a write or a read for an unavailable database, and of a transaction for a row that another one has locked; 800 ms by default. */
  readonly patienceMs?: number | undefined;
  /** After which an open transaction rolls back; 30 s by default. */
  readonly transactionTimeoutMs?: number | undefined;
  /** Maximum number of connections to PostgreSQL; 10 by default. */
  readonly maxConnections?: number | undefined;
}

/** A client gets a response within a second. */
const PATIENCE_MS = 800;
const TRANSACTION_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 10;

/**
 * Opens a store and migrates its database.
 *
 * @param databaseUrl `sqlite:PATH`, relative to the working directory, creates a missing file.
 *   `postgres://…` connects in the background if the server is unavailable.
 * @throws {StoreRefused} for an invalid URL or an unusable database
 * @example
 * const store = await openStore('sqlite:fleet.db', {
 *   name: 'fleet', migrations: new URL('../migrations/', import.meta.url), tables: [vehicle],
 * });
 */
export async function openStore(databaseUrl: string, options: StoreOptions): Promise<DataStore> {
  const { scheme, path } = parts(databaseUrl);
  const { events, createsFolder, inSpan, maxConnections = MAX_CONNECTIONS } = options;
  const { patienceMs = PATIENCE_MS, transactionTimeoutMs = TRANSACTION_TIMEOUT_MS } = options;
  const shared = { events, inSpan, patienceMs, transactionTimeoutMs };
  if (scheme === 'sqlite' && isFilePath(path)) {
    const file = resolve(path);
    const schema = openSchema(options, 'sqlite');
    const database = openSqliteFile(file, schema, { createsFolder, events });
    return new SqliteStore(database, { ...shared, file, rows: schema.rows });
  }
  const urls = urlsOfHosts(databaseUrl);
  if (urls !== undefined) {
    const schema = openSchema(options, 'postgres');
    return openPostgres(databaseUrl, { ...shared, schema, urls, maxConnections });
  }
  const { rows = options.name } = options;
  throw new StoreRefused(
    `DATABASE_URL: got ${shown(databaseUrl)}, expected sqlite:PATH with the path of a file, like sqlite:data/${rows}.db or sqlite:/var/lib/${rows}.db, or postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT]/DATABASE`,
  );
}

/** @returns a DATABASE_URL without password and parameters */
export function withoutSecrets(databaseUrl: string): string {
  return isPostgres(parts(databaseUrl).scheme) ? withoutPassword(databaseUrl) : databaseUrl;
}

// Loads pg, which takes 20 ms, only for PostgreSQL.
async function openPostgres(databaseUrl: string, options: PostgresOptions): Promise<DataStore> {
  const { PostgresStore } = await loadPostgres();
  try {
    return await PostgresStore.open(options);
  } catch (error) {
    const { message } = error as Error;
    throw new StoreRefused(
      `Expected to use the database ${withoutPassword(databaseUrl)}, but it failed: ${message.replace(/\s+/g, ' ')}`,
      { cause: error },
    );
  }
}

function loadPostgres() {
  try {
    import.meta.resolve('pg');
  } catch (cause) {
    throw new StoreRefused('DATABASE_URL: postgres:// needs the package pg: npm install pg', {
      cause,
    });
  }
  return import('./postgres/postgresStore.ts');
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

const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?$/i;

/** The values of target_session_attrs that permit a primary. */
const WRITABLE = new Set(['any', 'read-write', 'primary']);

/**
 * Splits `postgres://user@h1:5432,h2:5433/db?target_session_attrs=read-write`
 * (https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 *
 * @returns one URL per host; undefined for an invalid URL, or one that requires a standby
 */
function urlsOfHosts(databaseUrl: string): string[] | undefined {
  const [, scheme, login = '', hosts, path, query = ''] = URL_PARTS.exec(databaseUrl) ?? [];
  if (scheme === undefined || hosts === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  if (!WRITABLE.has(parameters.get('target_session_attrs') ?? 'any')) return undefined;
  // Unknown to node-postgres.
  parameters.delete('target_session_attrs');
  const rest = parameters.size === 0 ? '' : `?${parameters}`;
  const urls = hosts.split(',').map((host) => `${scheme}${login}${host}${path}${rest}`);
  return urls.every((url) => URL.canParse(url)) ? urls : undefined;
}

/** @returns the URL without password and parameters */
function withoutPassword(databaseUrl: string): string {
  const [, scheme = 'postgres://', login = '', hosts, path] = URL_PARTS.exec(databaseUrl) ?? [];
  if (hosts === undefined) return 'postgres:';
  const [user] = login.split(/[:@]/);
  return `${scheme}${user && `${user}@`}${hosts}${path}`;
}
