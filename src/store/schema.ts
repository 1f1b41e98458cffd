// The schema of plant stores: released databases contain its name and its id.
import { defineTable, type StoreSchema } from '@stubwright/store';

/** A plant without a tag has NULL. */
export const PLANT = defineTable('plant', {
  key: 'id',
  columns: { id: 'int64', name: 'text', tag: 'text?' },
});

export const PLANT_STORE = {
  name: 'plant',
  rows: 'plants',
  // "Plnt" in ASCII.
  applicationId: 0x506c6e74,
  migrations: new URL('./migrations/', import.meta.url),
  tables: [PLANT],
} satisfies StoreSchema;
