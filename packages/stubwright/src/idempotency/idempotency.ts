// Runs the operations of a contract once for each idempotency key.
import {
  chain,
  type Idempotency,
  idempotencyKeyInUse,
  idempotencyKeyReused,
  type MaybePromise,
  type Operation,
  sha256,
} from '@stubwright/contract';
import { ConvertedExchange } from '../request/convertedExchange.ts';
import { callerOf, type Exchange } from '../request/exchange.ts';
import { violationProblem } from '../request/violations.ts';
import type { HttpResponse } from '../response/reply.ts';
import { countedParameters, requestFingerprint } from './fingerprint.ts';
import type { IdempotencyStore, StoredResponse } from './idempotencyStore.ts';
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
export function claimKey(
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
