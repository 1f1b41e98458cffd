// Toys in memory.
import type { InSpan, Store } from '@stubwright/service';
import type { NewToy, Toy } from './toyTypes.ts';

export interface Toys {
  put(toy: NewToy): Promise<'stored' | 'same' | 'different'>;
  find(id: bigint): Promise<Toy | undefined>;
}

export interface ToyStore extends Toys, Store {}

/** The store cannot be reached. */
export class StoreAway extends Error {}

export function memoryStore(): ToyStore {
  const toys = new Map<bigint, Toy>();
  return storeWith({
    async put({ id, name, tag }) {
      const stored = toys.get(id);
      if (stored !== undefined) {
        return stored.name === name && stored.tag === tag ? 'same' : 'different';
      }
      toys.set(id, { name, ...(tag !== undefined && { tag }) });
      return 'stored';
    },
    find: async (id) => toys.get(id),
  });
}

/** @returns a store that keeps nothing and does what is given */
export function storeWith(parts: Partial<ToyStore>): ToyStore {
  return {
    put: () => Promise.resolve('stored'),
    find: () => Promise.resolve(undefined),
    isReady: () => Promise.resolve(true),
    waiting: 0,
    close: () => Promise.resolve(),
    ...parts,
  };
}

export function tracedToys(toys: Toys, inSpan: InSpan): Toys {
  return {
    put: (toy) =>
      inSpan('put', async (setAttribute) => {
        const outcome = await toys.put(toy);
        setAttribute('toy.outcome', outcome);
        return outcome;
      }),
    find: (id) => toys.find(id),
  };
}
