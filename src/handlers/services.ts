// The services that are passed to the handlers.
import type { Plants } from '../plants/store.ts';

export interface Services {
  readonly plants: Plants;
}
