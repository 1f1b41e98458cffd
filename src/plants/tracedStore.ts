// A store whose creates are spans named `commit`: from the handler's call to the shared commit's end.
import type { InSpan } from 'stubwright';
import type { Plants } from './store.ts';

// Not an event: the span encloses the create, in the context of its request.
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
