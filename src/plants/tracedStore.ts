// A store whose creates are spans named `commit`: from the handler's call to the shared commit's end.
import type { InSpan } from 'stubwright';
import type { PlantStore } from './store.ts';

export function tracedStore(plants: PlantStore, inSpan: InSpan): PlantStore {
  return {
    create: (plant) =>
      inSpan('commit', async (setAttribute) => {
        const outcome = await plants.create(plant);
        setAttribute('plant.outcome', outcome);
        return outcome;
      }),
    find: (id) => plants.find(id),
    isReady: () => plants.isReady(),
    get waiting() {
      return plants.waiting;
    },
    observe: (onCommit) => plants.observe(onCommit),
    close: () => plants.close(),
  };
}
