// A store with a span per create.
import type { InSpan } from '@stubwright/service';
import type { Plants } from './store.ts';

/** The span `commit` lasts from the call of the handler to the end of the shared commit. */
export function tracedStore(plants: Plants, inSpan: InSpan): Plants {
  return {
    create: (plant) =>
      inSpan('commit', async (setAttribute) => {
        const outcome = await plants.create(plant);
        setAttribute('plant.outcome', outcome);
        return outcome;
      }),
    find: (id) => plants.find(id),
  };
}
