// A store with a table of toys: the meaning of same and different.
import { EventEmitter } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import {
  type DataStore,
  defineTable,
  openStore,
  type StoreEvents,
  type StoreOptions,
  type StoreSchema,
} from '@stubwright/store';

import { openSchema } from '../../src/schema.ts';
import { openSqliteFile, type SqliteFileOptions } from '../../src/sqlite/sqliteFile.ts';
import { SqliteStore, type SqliteStoreOptions } from '../../src/sqlite/sqliteStore.ts';

export type NewToy = { readonly id: bigint; readonly name: string; readonly tag?: string };

export type CreateOutcome = 'created' | 'same' | 'different';

/** A toy without a tag has NULL. */
export const TOY = defineTable('toy', {
  key: 'id',
  columns: { id: 'int64', name: 'text', tag: 'text?' },
});

export const TOY_STORE = {
  name: 'toy',
  rows: 'toys',
  // "Toys" in ASCII.
  applicationId: 0x546f7973,
  migrations: new URL('./migrations/', import.meta.url),
  tables: [TOY],
} satisfies StoreSchema;

export interface ToyStore extends Pick<DataStore, 'isReady' | 'waiting' | 'backUp' | 'close'> {
  readonly data: DataStore;
  create(toy: NewToy): Promise<CreateOutcome>;
  find(id: bigint): Promise<Omit<NewToy, 'id'> | undefined>;
  pageFrom(id: bigint, limit: number): Promise<NewToy[]>;
}

export async function openToyStore(
  url: string,
  options: Partial<StoreOptions> = {},
): Promise<ToyStore> {
  return toysIn(await openStore(url, { ...TOY_STORE, ...options }));
}

/** @returns events for a store, and what it has said of its availability */
export function watchedEvents() {
  const seen: string[] = [];
  const events = new EventEmitter<StoreEvents>()
    .on('unavailable', ({ message }) => seen.push(message))
    .on('available', () => seen.push('available'));
  return { events, seen };
}

export function openToyFile(file: string, options?: SqliteFileOptions): DatabaseSync {
  return openSqliteFile(file, openSchema(TOY_STORE, 'sqlite'), options);
}

/** @param database from {@link openToyFile} */
export function toyStoreOn(
  database: DatabaseSync,
  options: Partial<SqliteStoreOptions> = {},
): ToyStore & { backUp(): Promise<string> } {
  const times = { patienceMs: 800, transactionTimeoutMs: 30_000 };
  const store = new SqliteStore(database, { ...times, rows: 'toys', ...options });
  return { ...toysIn(store), backUp: () => store.backUp() };
}

function toysIn(data: DataStore): ToyStore {
  return {
    data,
    create: data.inserts<NewToy, CreateOutcome>({
      table: TOY,
      decide(toy, stored) {
        if (stored === undefined) return 'created';
        return toy.name === stored.name && toy.tag === stored.tag ? 'same' : 'different';
      },
    }),
    async find(id) {
      const row = await data.find(TOY, id);
      if (row === undefined) return undefined;
      const { id: _, ...toy } = row;
      return toy;
    },
    pageFrom: (id, limit) => data.page(TOY, id, limit),
    isReady: () => data.isReady(),
    get waiting() {
      return data.waiting;
    },
    ...(data.backUp && { backUp: () => data.backUp!() }),
    close: () => data.close(),
  };
}
