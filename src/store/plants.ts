// The plants in a store: the meaning of same and different.
import type { DataStore } from '@stubwright/store';
import { type NewPlant, samePlant } from '../plants/plant.ts';
import type { CreateOutcome, Plants } from '../plants/store.ts';
import { PLANT } from './schema.ts';

export function plantsIn(store: DataStore): Plants {
  return {
    create: store.inserts<NewPlant, CreateOutcome>({
      table: PLANT,
      decide(plant, stored) {
        if (stored === undefined) return 'created';
        return samePlant(plant, stored) ? 'same' : 'different';
      },
    }),
    async find(id) {
      const row = await store.find(PLANT, id);
      if (row === undefined) return undefined;
      const { id: _, ...plant } = row;
      return plant;
    },
  };
}
