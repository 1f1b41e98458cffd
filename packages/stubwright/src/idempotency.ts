// Idempotency keys: where the first response of each key is kept.

export type {
  IdempotencyStore,
  KeyedRequest,
  StoredResponse,
} from './idempotency/idempotencyStore.ts';
export {
  type MemoryIdempotencyOptions,
  memoryIdempotency,
} from './idempotency/idempotencyStore.ts';
