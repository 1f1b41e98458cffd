// Runs the operations of a contract once for each idempotency key.

import { createHash } from 'node:crypto';
import {
  type Content,
  type Contents,
  type Contract,
  chain,
  type Idempotency,
  idempotencyErrors,
  idempotencyKeyInUse,
  idempotencyKeyReused,
  isObject,
  type MaybePromise,
  type Operation,
  type Parameter,
  parseMediaType,
  sha256,
  stringifyJson,
} from '@stubwright/contract';
import {
  type MediaKind,
  mediaContentOf,
  mediaKindOf,
  type Validators,
} from '@stubwright/contract/values';
import { violationProblem } from '../request/body/body.ts';
import { ConvertedExchange, callerOf, type Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import {
  type IdempotencyStore,
  memoryIdempotency,
  type StoredResponse,
} from './idempotencyStore.ts';
import { KeyClaim, RepeatedResponse } from './keyClaim.ts';

/** Without a comma, with which Node and fetch join two headers of one name. */
const KEY = /^[\x20-\x2b\x2d-\x7e]{1,255}$/;
const REPLAYED = 'Idempotency-Replayed';

/** The ids of requests in progress in this process. */
const IN_PROGRESS = new WeakMap<object, Set<string>>();

/** @throws {Problem} 40000 for an invalid key, 40901 for one in progress */
export type ClaimKey = (exchange: Exchange) => MaybePromise<void>;

/**
 * Returns a function that makes the key of a request its context; a request without a key has none.
 *
 * @param version of the contract
 */
function claimKey(
  operation: Operation,
  { parameter: { name }, ttlMs, ignored }: Idempotency,
  store: IdempotencyStore<never>,
  version = '',
): ClaimKey {
  const inProgress = IN_PROGRESS.get(store) ?? new Set();
  IN_PROGRESS.set(store, inProgress);
  const uncounted = [name, ...ignored];
  const counted = countedParameters(operation, uncounted);
  // A request of an older version is compared by the parameters of that version, too.
  const fingerprintOf = (exchange: Exchange) =>
    requestFingerprint(
      exchange,
      exchange.operation === undefined || exchange.operation === operation
        ? counted
        : countedParameters(exchange.operation, uncounted),
    );
  const expectFree = (id: string) => {
    if (inProgress.has(id)) throw idempotencyKeyInUse(name);
  };
  return (exchange) => {
    // A converter may give each of its calls a key.
    const key = exchange.parameters.header[name] ?? exchange.headers[name.toLowerCase()];
    if (key === undefined) return;
    expectValid(String(key), name);
    const id = idOf(operation, exchange, String(key));
    expectFree(id);
    const sent = exchange instanceof ConvertedExchange ? exchange.sent : undefined;
    return chain(
      fingerprintsOf(exchange, sent, fingerprintOf),
      ([fingerprint, fingerprintOfSent]) => {
        expectFree(id);
        inProgress.add(id);
        const now = Date.now();
        exchange.context = new KeyClaim({
          store,
          request: { id, fingerprint: `${fingerprint}:${version}`, now, expiresAt: now + ttlMs },
          outer: exchange.context,
          endWith(found) {
            if (found === 'inProgress') return idempotencyKeyInUse(name);
            const [hash, contract] = found.fingerprint.split(/:(.*)/s);
            const isOwn = hash === fingerprint;
            // Before an upgrade, the older contract of the request was the current one.
            const isOfSent =
              hash === fingerprintOfSent && (!isOwn || contract === sent?.adapted?.version);
            if (!isOwn && !isOfSent) return idempotencyKeyReused(name);
            return new RepeatedResponse(repeated(operation, found), isOfSent);
          },
          release: () => inProgress.delete(id),
        });
      },
    );
  };
}

/** @returns those of a request and, if it was converted, of the request that was sent */
function fingerprintsOf(
  exchange: Exchange,
  sent: Exchange | undefined,
  fingerprintOf: (exchange: Exchange) => MaybePromise<string>,
): MaybePromise<readonly [string, string | undefined]> {
  return chain(fingerprintOf(exchange), (own) =>
    chain(sent && fingerprintOf(sent), (ofSent) => [own, ofSent] as const),
  );
}

function expectValid(key: string, name: string): void {
  if (KEY.test(key)) return;
  throw violationProblem([
    {
      where: `header parameter ${name}`,
      pointer: '',
      message: 'expected one key of 1 to 255 printable ASCII characters without a comma',
      value: key,
      keyword: 'pattern',
      parameter: { in: 'header', name },
    },
  ]);
}

/** Callers do not share keys; anonymous ones do. */
function idOf({ operationId }: Operation, { principals }: Exchange, key: string): string {
  const callers = Object.entries(principals)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([scheme, principal]) => callerOf(scheme, principal));
  return sha256(JSON.stringify([operationId, callers, key]));
}

/** It says that it is repeated where the contract declares that header. */
function repeated(
  { responses }: Operation,
  { status, headers, body }: StoredResponse,
): HttpResponse {
  const declared = responses.for(status)?.headers.keys() ?? [];
  const marks = [...declared].some((name) => name.toLowerCase() === REPLAYED.toLowerCase());
  return { status, headers: marks ? { ...headers, [REPLAYED]: 'true' } : headers, body };
}

/** Mocks keep their responses and created items when the contract is saved. */
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
  const served = definition.operations.filter((operation) => !isMocked(operation));
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
    errors: served.flatMap((operation) => errorsOf(operation, options)),
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

/**
 * @param ignored names of headers and cookies that may differ in a retry, in any case
 * @returns the other headers and cookies that an operation declares
 */
function countedParameters(
  { parameters }: Operation,
  ignored: readonly string[],
): readonly Parameter[] {
  const names = new Set(ignored.map((name) => name.toLowerCase()));
  return parameters.filter(
    ({ in: where, name }) =>
      (where === 'header' || where === 'cookie') && !names.has(name.toLowerCase()),
  );
}

/**
 * A body is compared by its value for the handler: the boundary of a form differs in each retry, the order of
 * properties may, and a body that was converted from another contract has the defaults already.
 *
 * @param counted the headers and cookies that belong to the request
 * @returns a SHA-256 of method, path, query, counted parameters, media type and body
 */
function requestFingerprint(
  { method, path, queryText, parameters, parsedBody }: Exchange,
  counted: readonly Parameter[],
): MaybePromise<string> {
  const { mediaType } = parsedBody;
  const value = parsedBody.coerced();
  const others = counted.map(({ in: where, name }) => {
    const value = parameters[where as 'header' | 'cookie'][name];
    return value === undefined ? [] : [value];
  });
  const digest = (body: unknown) =>
    sha256(stringifyJson(canonical([method, path, queryText, others, mediaType ?? null, body])));
  if (value === undefined) return digest([]);
  if (mediaType !== 'multipart/form-data' || !isObject(value)) return digest([value]);
  return Promise.all(Object.entries(value).map(describedField)).then(digest);
}

/**
 * Equal for equal JSON values only: tagged arrays, sorted properties, exact integers. Stores keep its digests: a
 * request that is repeated after an upgrade has the same.
 */
function canonical(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ['[', ...value.map(canonical)];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['{', ...entries.map(([name, member]) => [name, canonical(member)])];
}

async function describedField([name, value]: [string, unknown]): Promise<unknown> {
  return [name, await Promise.all([value].flat().map(describedFile))];
}

async function describedFile(value: unknown): Promise<unknown> {
  if (!(value instanceof Blob)) return value ?? null;
  const hash = createHash('sha256');
  for await (const chunk of value.stream()) hash.update(chunk);
  return ['file', value instanceof File ? value.name : '', value.type, hash.digest('hex')];
}
