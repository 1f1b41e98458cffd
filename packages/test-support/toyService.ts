// The toy store: toys.yaml, its handlers and a store, as an application starts them.

import {
  type KeyTimes,
  type Limits,
  type Log,
  type Service,
  type ServiceOptions,
  type Settings,
  startService,
} from '@stubwright/service';
import { type HandlersOf, Problem } from 'stubwright';
import { memoryStore, StoreAway, type ToyStore, type Toys, tracedToys } from './toyStore.ts';
import type { operations } from './toyTypes.ts';

export const CONTRACT = 'packages/test-support/toys.yaml';

export interface ToyServices {
  readonly toys: Toys;
}

export const handlers: HandlersOf<operations, ToyServices> = {
  async storeToy({ body: toy }, { toys }) {
    const outcome = await toys.put(toy);
    const { id, ...body } = toy;
    if (outcome === 'different') throw new Problem(409, `id ${id} holds another toy`);
    return { status: 200, body };
  },
  async getToy({ path: { id } }, { toys }) {
    const toy = await toys.find(id);
    if (toy === undefined) throw new Problem(404, `no toy has the id ${id}`, { number: 40401 });
    return { status: 200, body: toy };
  },
};

export interface ToyParts {
  readonly bounds?: Partial<Limits>;
  readonly store?: ToyStore;
  readonly keyTimes?: KeyTimes;
}

export function startToyService(
  settings: Settings,
  tokens: readonly string[],
  log: Log,
  { bounds, store, keyTimes }: ToyParts = {},
): Promise<Service> {
  return startService({ ...toyService(store), settings, tokens, log, bounds, keyTimes });
}

export function toyService(store: ToyStore = memoryStore()): ServiceOptions<ToyServices> {
  return {
    handlers,
    verifiers: (verify) => ({ bearerAuth: verify }),
    realm: 'toys',
    open: async ({ inSpan }) => ({
      services: { toys: inSpan ? tracedToys(store, inSpan) : store },
      store,
      addMetrics: ({ Counter }, registers, events) => {
        const toys = new Counter({ name: 'toys_sent_total', help: 'Toys sent', registers });
        events.on('responded', ({ status }) => {
          if (status === 200) toys.inc();
        });
      },
    }),
    toProblem: (error) =>
      error instanceof StoreAway
        ? new Problem(503, 'the store cannot be reached, try again', {
            headers: { 'Retry-After': '1' },
          })
        : undefined,
    errors: 'numbered',
  };
}
