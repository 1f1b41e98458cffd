// Databases for the tests of a file: SQLite files, and those of a PostgreSQL for all test files of a process.
import { afterAll } from '@jest/globals';
import { Postgres, query } from './postgres.ts';
import { temporaryPaths } from './temporaryPaths.ts';

export const DATABASES = ['SQLite', 'PostgreSQL'] as const;
export type DatabaseName = (typeof DATABASES)[number];

let shared: Promise<Postgres> | undefined;

async function startShared(): Promise<Postgres> {
  const server = await Postgres.start();
  server.unref();
  return server;
}

/**
 * The server that the test files of this process share, for tests that change nothing but databases of
 * their own. It starts with the first database, which is dropped after the tests of the file.
 *
 * @returns a function that creates a database
 */
export function sharedPostgres(): (options?: string) => Promise<string> {
  const created: string[] = [];
  afterAll(async () => {
    for (const url of created) await (await shared)?.dropDatabase(url);
  });
  return async (options) => {
    shared ??= startShared();
    const url = await (await shared).createDatabase(options);
    created.push(url);
    return url;
  };
}

/**
 * As {@link sharedPostgres}, with one database for all tests of the file.
 *
 * @returns a function that empties the database, and returns its URL
 */
export function emptiedPostgres(): () => Promise<string> {
  const create = sharedPostgres();
  let url: string | undefined;
  return async () => {
    if (url === undefined) url = await create();
    else await query(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    return url;
  };
}

/**
 * @param newPostgres as of {@link sharedPostgres} or {@link emptiedPostgres}
 * @returns a function that returns the URL of an empty database
 */
export function databaseUrls(
  newPostgres: () => Promise<string> = sharedPostgres(),
): (database: DatabaseName) => Promise<string> {
  const temporary = temporaryPaths();
  return async (database) =>
    database === 'SQLite' ? `sqlite:${temporary()}` : await newPostgres();
}
