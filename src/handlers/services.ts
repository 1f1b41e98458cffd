// What handlers may use beside the request.
import type { PlantStore } from '../plants/store.ts';

export interface Services {
  readonly plants: PlantStore;
}
