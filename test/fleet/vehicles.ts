// The tables of the fleet, and what its handlers do with them.
import { type DataStore, defineTable, type RowOf, type StoreSchema } from '@stubwright/store';

const VEHICLE = defineTable('vehicle', {
  key: 'id',
  columns: { id: 'int64', plate: 'text', place: 'text', version: 'int64', load: 'int64' },
});
const TRANSFER = defineTable('transfer', {
  key: 'id',
  columns: { id: 'int64', source: 'int64', target: 'int64', amount: 'int64' },
});

export const FLEET = {
  name: 'fleet',
  rows: 'vehicles',
  migrations: new URL('./migrations/', import.meta.url),
  tables: [VEHICLE, TRANSFER],
} satisfies StoreSchema;

export type Vehicle = NonNullable<typeof VEHICLE.row>;
const MOVE = { id: 'int64', version: 'int64', place: 'text' } as const;
export type Move = RowOf<typeof MOVE>;

export type AddOutcome = 'added' | 'different' | 'plate taken';
export type MoveOutcome = 'moved' | 'conflict' | 'missing';

export function vehiclesIn(store: DataStore) {
  return {
    /** The same vehicle again is `added`, also after it has moved. */
    add: store.inserts<Vehicle, AddOutcome>({
      table: VEHICLE,
      decide: ({ plate }, stored) =>
        stored === undefined || stored.plate === plate ? 'added' : 'different',
      onViolation: (_, { kind }) => (kind === 'unique' ? 'plate taken' : undefined),
    }),
    move: store.changes<Move, Vehicle, MoveOutcome>({
      name: 'move',
      table: VEHICLE,
      given: MOVE,
      sql: (table) => `UPDATE ${table} SET place = given.place, version = given.version + 1
        FROM given WHERE vehicle.id = given.id AND vehicle.version = given.version`,
      isRepeatable: true,
      applied: () => 'moved',
      notApplied({ version, place }, row) {
        if (row === undefined) return 'missing';
        if (row.version === version) return undefined;
        return row.version === version + 1n && row.place === place ? 'moved' : 'conflict';
      },
    }),
    remove: store.changes<Pick<Vehicle, 'id'>, Vehicle, 'removed' | 'missing' | 'in use'>({
      name: 'remove',
      table: VEHICLE,
      given: { id: 'int64' },
      sql: (table) => `DELETE FROM ${table} WHERE id IN (SELECT id FROM given)`,
      isRepeatable: false,
      applied: () => 'removed',
      notApplied: (_, row) => (row === undefined ? 'missing' : undefined),
      onViolation: (_, { kind }) => (kind === 'foreign key' ? 'in use' : undefined),
    }),
    find: (id: bigint) => store.find(VEHICLE, id),
  };
}

export type Vehicles = ReturnType<typeof vehiclesIn>;
