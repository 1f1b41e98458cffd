// A store whose every create fails, for answers that only a fault provokes.
import type { PlantStore } from '../../src/plants/store.ts';
import { storeWith } from './service.ts';

export function failingStore(error: Error): PlantStore {
  return storeWith({
    create: () => Promise.reject(error),
    find: () => Promise.reject(error),
    isReady: () => Promise.resolve(false),
  });
}
