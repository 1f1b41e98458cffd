// This project's plants in its store, without a service.
import { openStore } from '@stubwright/store';
import { plantsIn } from '../../src/store/plants.ts';
import { PLANT_STORE } from '../../src/store/schema.ts';

export async function openPlants(databaseUrl: string) {
  const store = await openStore(databaseUrl, PLANT_STORE);
  return { ...plantsIn(store), close: () => store.close() };
}
