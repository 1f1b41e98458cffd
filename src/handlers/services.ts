// What handlers may use beside the request.
import type { Plants } from '../plants/store.ts';

export interface Services {
  readonly plants: Plants;
}
