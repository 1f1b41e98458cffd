// The states of the service that recorded requests name.
import type { StartedService } from '@stubwright/cli/replay';
import { StoreUnavailable } from '@stubwright/store';
import type { PlantStore } from './plantStore.ts';
import { startTestService, storeWith, TOKEN } from './service.ts';

interface State {
  readonly env?: Record<string, string>;
  readonly plants?: () => PlantStore;
}

/** Later versions of the service must keep the names: released requests contain them. */
const SITUATIONS: Readonly<Record<string, State>> = {
  'the second request exceeds the rate limit': { env: { RATE_LIMIT: '1/24h' } },
  'the store fails': { plants: () => failingStore(new Error('a secret')) },
  'the store is unreachable': { plants: () => failingStore(new StoreUnavailable('away')) },
  'too many requests wait': { plants: () => storeWith({ waiting: 1_000_000 }) },
};

/** @param situation undefined for a new store without faults */
export async function startIn(situation?: string): Promise<StartedService | undefined> {
  const state = situation === undefined ? {} : SITUATIONS[situation];
  if (state === undefined) return undefined;
  const service = await startTestService(state.env, {}, state.plants?.());
  return { url: service.url, token: TOKEN, stop: () => service.remove() };
}

function failingStore(error: Error): PlantStore {
  return storeWith({
    create: () => Promise.reject(error),
    find: () => Promise.reject(error),
    isReady: () => Promise.resolve(false),
  });
}
