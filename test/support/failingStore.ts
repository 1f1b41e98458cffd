// A store whose creates always fail, for responses that only a failure causes.
import type { PlantStore } from './plantStore.ts';
import { storeWith } from './service.ts';

export function failingStore(error: Error): PlantStore {
  return storeWith({
    create: () => Promise.reject(error),
    find: () => Promise.reject(error),
    isReady: () => Promise.resolve(false),
  });
}
