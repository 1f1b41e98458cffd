// A PostgreSQL for the tests of a file, a database for each test, and the stores that are opened in it.
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { StoreOptions } from '@stubwright/store';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { openToyStore, type ToyStore } from './toyStore.ts';

interface ToyPostgres {
  readonly server: Postgres;
  /** Of the test's database. */
  readonly url: string;
  /** @returns a store that is closed after the test */
  open(options?: Partial<StoreOptions>, url?: string): Promise<ToyStore>;
  /** @returns the URL of a role that may read and insert, and nothing else, after the migrations */
  clerkUrl(): Promise<string>;
}

/** @param beforeClose runs after each test, before its stores are closed */
export function toyPostgres(beforeClose = async (): Promise<void> => {}): ToyPostgres {
  let server: Postgres;
  let url: string;
  const opened: ToyStore[] = [];
  beforeAll(async () => {
    server = await Postgres.start();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
  });
  afterEach(async () => {
    await beforeClose();
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
  return {
    get server() {
      return server;
    },
    get url() {
      return url;
    },
    async open(options = {}, at = url) {
      const store = await openToyStore(at, options);
      opened.push(store);
      return store;
    },
    async clerkUrl() {
      await openToyStore(url).then((store) => store.close());
      const clerk = new URL(url);
      [clerk.username, clerk.password] = [`clerk_${clerk.pathname.slice(1)}`, 'clerk'];
      await query(
        url,
        `CREATE ROLE ${clerk.username} LOGIN PASSWORD 'clerk';
         GRANT SELECT, INSERT ON toy TO ${clerk.username};
         GRANT SELECT ON toy_migration TO ${clerk.username}`,
      );
      return clerk.href;
    },
  };
}
