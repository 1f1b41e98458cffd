// The states of the service that recorded requests name.
import { type PlantStore, StoreUnavailable } from '../../src/plants/store.ts';
import { failingStore } from './failingStore.ts';
import { startTestService, storeWith, type TestService } from './service.ts';

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
export function startIn(situation: string | undefined): Promise<TestService> {
  if (situation === undefined) return startTestService();
  const state = SITUATIONS[situation];
  if (state === undefined) throw new Error(`no situation '${situation}' in test/support`);
  return startTestService(state.env, {}, state.plants?.());
}
