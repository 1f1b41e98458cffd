// The first responses of idempotency keys in the memory of a process.
import { COUNT, expectNumbers } from '@stubwright/contract';
import type { IdempotencyStore, StoredResponse } from './idempotencyStore.ts';

export interface MemoryIdempotencyOptions {
  /** Maximum number of responses; by default 10,000. */
  readonly maxKeys?: number;
  /** Maximum size of all bodies; by default 64 MiB. */
  readonly maxBytes?: number;
}

interface Entry extends StoredResponse {
  readonly expiresAt: number;
}

/**
 * Keeps responses in memory, for development, tests and mocks: they are lost with the process, and other
 * processes do not see them. Above a limit the oldest responses are removed.
 *
 * @throws {RangeError | TypeError} for a limit that is not an integer from 0
 * @example const api = await createApi({ contract, handlers, idempotency: memoryIdempotency() });
 */
export function memoryIdempotency({
  maxKeys = 10_000,
  maxBytes = 64 * 1024 * 1024,
}: MemoryIdempotencyOptions = {}): IdempotencyStore {
  expectNumbers({ maxKeys, maxBytes }, { maxKeys: COUNT, maxBytes: COUNT });
  const entries = new Map<string, Entry>();
  let bytes = 0;
  const remove = (id: string, entry: Entry) => {
    entries.delete(id);
    bytes -= sizeOf(entry);
  };
  return {
    isTransactional: false,
    find(_context, { id, now }) {
      const entry = entries.get(id);
      return entry !== undefined && entry.expiresAt > now ? entry : undefined;
    },
    save(_context, { id, expiresAt, now }, response) {
      const before = entries.get(id);
      if (before !== undefined) remove(id, before);
      const added = { ...response, expiresAt };
      entries.set(id, added);
      bytes += sizeOf(added);
      for (const [each, entry] of entries) {
        const isFull = entries.size > maxKeys || bytes > maxBytes;
        if (!isFull && entry.expiresAt > now) break;
        remove(each, entry);
      }
    },
  };
}

function sizeOf({ body }: Entry): number {
  return body?.length ?? 0;
}
