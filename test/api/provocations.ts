// Requests for the documented responses that no request example causes.

import type { Call } from '../../packages/stubwright/test/support/http.ts';
import { type PlantStore, StoreUnavailable } from '../../src/plants/store.ts';
import { failingStore } from '../support/failingStore.ts';
import { storeWith } from '../support/service.ts';

export interface Provocation extends Call {
  readonly env?: Record<string, string>;
  readonly plants?: PlantStore;
  /** What is sent before. */
  readonly before?: Call;
}

/**
 * By operation, status and name of the answer's example. An answer that operations share by `$ref`
 * stands here for the first of them.
 */
export const PROVOCATIONS: Record<string, Provocation> = {
  'createPlant 400 schema': { body: '{"id":"1"}' },
  'createPlant 400 json': { body: '{"id":1,' },
  'createPlant 400 missing': { body: undefined },
  'createPlant 401 missing': { headers: { Authorization: [] } },
  'createPlant 401 invalid': { headers: { Authorization: 'Bearer another' } },
  'createPlant 413 tooLarge': { body: `{"id":1,"name":"${'x'.repeat(1024 * 1024)}"}` },
  'createPlant 415 mediaType': { headers: { 'Content-Type': 'text/plain' } },
  'createPlant 415 encoding': { headers: { 'Content-Encoding': 'gzip' } },
  'createPlant 429 tooMany': { env: { RATE_LIMIT: '1/24h' }, before: { body: '{' } },
  'createPlant 500 unforeseen': { plants: failingStore(new Error('a secret')) },
  'createPlant 503 storeAway': { plants: failingStore(new StoreUnavailable('away')) },
  'createPlant 503 overload': { plants: storeWith({ waiting: 1_000_000 }) },
};
