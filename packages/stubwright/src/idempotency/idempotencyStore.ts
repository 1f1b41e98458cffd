// What keeps the first response of each idempotency key.

import { COUNT, expectNumbers, type MaybePromise } from '@stubwright/contract';

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** Of operation, principals and key: a SHA-256 in hexadecimal. */
  readonly id: string;
  /**
   * Of method, path, query, declared headers and cookies, and body: a SHA-256 in hexadecimal, a colon and the
   * version of the contract.
   */
  readonly fingerprint: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly now: number;
  /** When its response expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The first response of a key. */
export interface StoredResponse {
  /** Of the request that it belongs to. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a response without a body. */
  readonly body: Uint8Array | undefined;
}

/**
 * Keeps the first response of each key: `memoryIdempotency`, or `storeIdempotency` of `@stubwright/store`.
 *
 * @typeParam Context the second argument of the handlers
 */
export interface IdempotencyStore<in Context = unknown> {
  /**
   * True if `find` and `save` are part of the transaction of the context: a response is stored if and only
   * if that commits. False to call `save` after the end of the context, for a status below 400.
   */
  readonly isTransactional: boolean;
  /**
   * Called before the handler. Reserves the key until the end of the transaction.
   *
   * @returns the response of an earlier request with this id that has not expired; `inProgress` if another
   *   transaction has reserved the key; undefined if this request is the first
   */
  readonly find: (
    context: Context,
    request: KeyedRequest,
  ) => MaybePromise<StoredResponse | 'inProgress' | undefined>;
  /** Called after the handler. Replaces a response that has expired. */
  readonly save: (
    context: Context,
    request: KeyedRequest,
    response: StoredResponse,
  ) => MaybePromise<void>;
}

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
