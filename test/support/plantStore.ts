// A plant store without its service.

import type { DatabaseSync } from 'node:sqlite';
import { type DataStore, openStore, type StoreOptions } from '@stubwright/store';
import { openSchema } from '../../packages/store/src/schema.ts';
import {
  openSqliteFile,
  type SqliteFileOptions,
} from '../../packages/store/src/sqlite/sqliteFile.ts';
import {
  SqliteStore,
  type SqliteStoreOptions,
} from '../../packages/store/src/sqlite/sqliteStore.ts';
import type { NewPlant } from '../../src/plants/plant.ts';
import type { Plants } from '../../src/plants/store.ts';
import { plantsIn } from '../../src/store/plants.ts';
import { PLANT, PLANT_STORE } from '../../src/store/schema.ts';

export interface PlantStore
  extends Plants,
    Pick<DataStore, 'isReady' | 'waiting' | 'backUp' | 'close'> {}

/** A store whose plants can be listed. */
export interface ReadableStore extends PlantStore {
  readonly data: DataStore;
  pageFrom(id: bigint, limit: number): Promise<NewPlant[]>;
}

export type PlantStoreOptions = Partial<StoreOptions>;

export async function openPlantStore(
  url: string,
  options: PlantStoreOptions = {},
): Promise<ReadableStore> {
  return readable(await openStore(url, { ...PLANT_STORE, ...options }));
}

export function openPlantFile(file: string, options?: SqliteFileOptions): DatabaseSync {
  return openSqliteFile(file, openSchema(PLANT_STORE, 'sqlite'), options);
}

/** @param database from {@link openPlantFile} */
export function plantStoreOn(
  database: DatabaseSync,
  options: Partial<SqliteStoreOptions> = {},
): ReadableStore & { backUp(): Promise<string> } {
  const times = { patienceMs: 800, transactionTimeoutMs: 30_000 };
  const store = new SqliteStore(database, { ...times, rows: 'plants', ...options });
  return { ...readable(store), backUp: () => store.backUp() };
}

function readable(data: DataStore): ReadableStore {
  return {
    ...plantsIn(data),
    data,
    pageFrom: (id, limit) => data.page(PLANT, id, limit),
    isReady: () => data.isReady(),
    get waiting() {
      return data.waiting;
    },
    ...(data.backUp && { backUp: () => data.backUp!() }),
    close: () => data.close(),
  };
}
