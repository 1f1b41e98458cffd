// The operations of a contract that run once for each idempotency key, and what prevents it.
import {
  type Content,
  type Contents,
  type Contract,
  idempotencyErrors,
  type Operation,
  parseMediaType,
} from '@stubwright/contract';
import {
  type MediaKind,
  mediaContentOf,
  mediaKindOf,
  type Validators,
} from '@stubwright/contract/values';
import { type ClaimKey, claimKey } from './idempotency.ts';
import type { IdempotencyStore } from './idempotencyStore.ts';
import { memoryIdempotency } from './memoryIdempotency.ts';

/** Mocks keep their responses when the contract is saved, as they keep what they have created. */
const storesOfMocks = new WeakMap<object, IdempotencyStore>();

export interface IdempotencyOptions {
  readonly definition: Contract;
  readonly validators: Validators;
  readonly isMocked: (operation: Operation) => boolean;
  /** Undefined if the application has none. */
  readonly store: IdempotencyStore<never> | undefined;
  /** True if handlers receive a context of the request. */
  readonly hasContext: boolean;
  readonly mockOptions: object | undefined;
}

export interface IdempotentOperations {
  /** A line for each cause that prevents an operation with a handler. */
  readonly errors: readonly string[];
  /** @returns undefined for an operation without idempotency keys */
  readonly claimOf: (operation: Operation) => ClaimKey | undefined;
}

export function idempotentOperations(options: IdempotencyOptions): IdempotentOperations {
  const { definition, isMocked, store, validators } = options;
  const served = definition.operations.filter((each) => !isMocked(each));
  const ofMocks = storeOfMocks(options.mockOptions);
  const claims = new Map<Operation, ClaimKey>();
  for (const operation of definition.operations) {
    const { idempotency } = operation;
    const own = isMocked(operation) ? ofMocks : store;
    if (idempotency === undefined || own === undefined) continue;
    if (streamErrors(operation, validators).length > 0) continue;
    claims.set(operation, claimKey(operation, idempotency, own, definition.version));
  }
  return {
    errors: served.flatMap((each) => errorsOf(each, options)),
    claimOf: (operation) => claims.get(operation),
  };
}

function storeOfMocks(options: object | undefined): IdempotencyStore {
  const store = (options && storesOfMocks.get(options)) ?? memoryIdempotency();
  if (options !== undefined) storesOfMocks.set(options, store);
  return store;
}

function errorsOf(
  operation: Operation,
  { validators, store, hasContext }: IdempotencyOptions,
): string[] {
  const { operationId, parameters, idempotency } = operation;
  const named = (error: string) => `operation ${operationId} has x-idempotency: ${error}`;
  const invalid = idempotencyErrors(parameters);
  if (invalid.length > 0) return invalid.map(({ pointer, message }) => `${pointer}  ${message}`);
  if (idempotency === undefined) return [];
  const streams = streamErrors(operation, validators).map(named);
  if (store === undefined) {
    const example = 'storeIdempotency(store) of @stubwright/store';
    return [...streams, named(`expected the option idempotency, such as ${example}`)];
  }
  if (!store.isTransactional || hasContext) return streams;
  return [...streams, named('its store needs the option context, which returns a transaction')];
}

/** A stream cannot be compared before the handler reads it, nor repeated. */
function streamErrors({ request, responses }: Operation, validators: Validators): string[] {
  const isStreamedIn = ({ name }: MediaKind) => name === 'sequence' || name === 'opaque';
  const isStreamedOut = ({ itemCodec, streamer }: MediaKind) =>
    itemCodec !== undefined || streamer !== undefined;
  return [
    ...typesOf(request, validators, isStreamedIn).map(
      (type) => `the request body ${type} is a stream, which cannot be compared`,
    ),
    ...[...responses].flatMap(([status, { contents }]) =>
      typesOf(contents, validators, isStreamedOut).map(
        (type) => `the response ${status} ${type} is a stream, which cannot be stored`,
      ),
    ),
  ];
}

function typesOf(
  contents: Contents<Content>,
  validators: Validators,
  includes: (kind: MediaKind) => boolean,
): string[] {
  return contents.entries.flatMap(({ key, content }) => {
    const type = parseMediaType(key)?.type ?? '';
    const kind = mediaKindOf(type, mediaContentOf(content, validators));
    return includes(kind) ? [key] : [];
  });
}
