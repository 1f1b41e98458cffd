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
import type { Exchange } from '../request/exchange.ts';
import { violationProblem } from '../request/violations.ts';
import type { HttpResponse } from '../response/reply.ts';
import { requestFingerprint } from './fingerprint.ts';
import type { IdempotencyStore, StoredResponse } from './idempotencyStore.ts';
import { KeyClaim, RepeatedResponse } from './keyClaim.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
const REPLAYED = 'Idempotency-Replayed';

/** The ids of requests in progress in this process. */
const IN_PROGRESS = new WeakMap<object, Set<string>>();

export interface KeysOptions {
  readonly store: IdempotencyStore<never>;
  /** Of an older contract that stays served; undefined for the current one. */
  readonly version: string | undefined;
}

/** The keys of one operation. */
export class OperationKeys {
  readonly #operation: Operation;
  readonly #declared: Idempotency;
  readonly #options: KeysOptions;
  readonly #inProgress: Set<string>;

  constructor(operation: Operation, declared: Idempotency, options: KeysOptions) {
    this.#operation = operation;
    this.#declared = declared;
    this.#options = options;
    this.#inProgress = IN_PROGRESS.get(options.store) ?? new Set();
    IN_PROGRESS.set(options.store, this.#inProgress);
  }

  /**
   * Makes the key the context of the request; a request without a key has none.
   *
   * @throws {Problem} 40000 for an invalid key, 40901 for one in progress
   */
  claim(exchange: Exchange): MaybePromise<void> {
    const key = exchange.headers[this.#declared.parameter.name.toLowerCase()];
    if (key === undefined) return;
    this.#expectValid(String(key));
    const id = this.#idOf(exchange, String(key));
    this.#expectFree(id);
    return chain(requestFingerprint(exchange, this.#options.version), (fingerprint) => {
      this.#expectFree(id);
      this.#inProgress.add(id);
      const now = Date.now();
      exchange.context = new KeyClaim({
        store: this.#options.store,
        request: { id, fingerprint, now, expiresAt: now + this.#declared.ttlMs },
        endWith: (found) => this.#endOf(found, fingerprint),
        release: () => this.#inProgress.delete(id),
      });
    });
  }

  #expectValid(key: string): void {
    if (KEY.test(key)) return;
    const { name } = this.#declared.parameter;
    throw violationProblem([
      {
        where: `header parameter ${name}`,
        pointer: '',
        message: 'expected 1 to 255 printable ASCII characters',
        value: key,
        keyword: 'pattern',
        parameter: { in: 'header', name },
      },
    ]);
  }

  #expectFree(id: string): void {
    if (this.#inProgress.has(id)) throw idempotencyKeyInUse(this.#declared.parameter.name);
  }

  /** Callers do not share keys; anonymous ones do. */
  #idOf({ principals }: Exchange, key: string): string {
    const callers = Object.entries(principals)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { issuer = null, name }]) => [issuer, name]);
    return sha256(JSON.stringify([this.#operation.operationId, callers, key]));
  }

  #endOf(found: StoredResponse | 'inProgress', fingerprint: string) {
    const { name } = this.#declared.parameter;
    if (found === 'inProgress') return idempotencyKeyInUse(name);
    if (found.fingerprint !== fingerprint) return idempotencyKeyReused(name);
    return new RepeatedResponse(this.#repeated(found));
  }

  /** It says that it is repeated where the contract declares that header. */
  #repeated({ status, headers, body }: StoredResponse): HttpResponse {
    const declared = this.#operation.responses.for(status)?.headers.keys() ?? [];
    const marks = [...declared].some((name) => name.toLowerCase() === REPLAYED.toLowerCase());
    return { status, headers: marks ? { ...headers, [REPLAYED]: 'true' } : headers, body };
  }
}
