// A store whose every create fails, for answers that only a fault provokes.
import type { PlantStore } from '../../src/plants/store.ts';

export function failingStore(error: Error): PlantStore {
  return {
    create: () => Promise.reject(error),
    isReady: () => Promise.resolve(false),
    waiting: 0,
    observe: () => {},
    close: () => Promise.resolve(),
  };
}
