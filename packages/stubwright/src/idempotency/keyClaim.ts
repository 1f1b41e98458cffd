// The idempotency key of one request, from its arrival to the end of its context.
import { Readable } from 'node:stream';
import { chain, InvalidReply, type MaybePromise, type Problem } from '@stubwright/contract';
import type { DisposableContext, RequestOutcome } from '../request/exchange.ts';
import { discardBody, type HttpResponse } from '../response/reply.ts';
import type { IdempotencyStore, KeyedRequest, StoredResponse } from './idempotencyStore.ts';

/** Ends a request with the stored response. */
export class RepeatedResponse extends Error {
  override readonly name = 'RepeatedResponse';
  readonly response: HttpResponse;
  /** True for a response of the older contract of the request, which was the current one. */
  readonly isOfSent: boolean;

  constructor(response: HttpResponse, isOfSent: boolean) {
    super('the response is repeated');
    this.response = response;
    this.isOfSent = isOfSent;
  }
}

export interface KeyClaimOptions {
  readonly store: IdempotencyStore<never>;
  readonly request: KeyedRequest;
  /** @returns the response to repeat, or the error of another request */
  readonly endWith: (found: StoredResponse | 'inProgress') => RepeatedResponse | Problem;
  /** The context that ends with this one; undefined for none. */
  readonly outer: DisposableContext | undefined;
  /** Called once, when the key may be used again. */
  readonly release: () => void;
}

/** Is the context of its request, and ends the context of the handler. */
export class KeyClaim implements DisposableContext {
  readonly #options: KeyClaimOptions;
  #found: MaybePromise<StoredResponse | 'inProgress' | undefined> | undefined;
  #isBegun = false;
  #context: unknown;
  #own: DisposableContext | undefined;
  #response: StoredResponse | undefined;
  #end: RepeatedResponse | Problem | undefined;

  constructor(options: KeyClaimOptions) {
    this.#options = options;
  }

  /** What ends the request instead of its handler; undefined for the first request with the key. */
  get end(): RepeatedResponse | Problem | undefined {
    return this.#end;
  }

  /**
   * Looks for the stored response.
   *
   * @param own the context, if it ends with the request
   * @returns the context
   * @throws {RepeatedResponse | Problem} for a key that was used before
   */
  begin(context: unknown, own: DisposableContext | undefined): MaybePromise<unknown> {
    const { store, request, endWith } = this.#options;
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#context = context;
      this.#own = this.#options.outer ?? own;
      this.#found = store.find(context as never, request);
    }
    return chain(this.#found, (found) => {
      if (found === undefined) return context;
      this.#end ??= endWith(found);
      throw this.#end;
    });
  }

  /** The stored response becomes a reply, which is converted to an older contract. */
  resume(): void {
    this.#end = undefined;
  }

  /**
   * Stores the response with the transaction of the context.
   *
   * @throws {InvalidReply} for a stream
   */
  keep(response: HttpResponse): MaybePromise<void> {
    if (this.#end !== undefined) throw this.#end;
    const { status, headers, body } = response;
    if (body instanceof Readable) {
      discardBody(response);
      throw new InvalidReply('a stream cannot be stored under an idempotency key');
    }
    const { store, request } = this.#options;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.#response = { fingerprint: request.fingerprint, status, headers, body: bytes };
    // Without a call of the handler there is nothing that a retry could do twice.
    if (!store.isTransactional || !this.#isBegun) return;
    return store.save(this.#context as never, request, this.#response);
  }

  async [Symbol.asyncDispose](outcome?: RequestOutcome): Promise<void> {
    try {
      await this.#own?.[Symbol.asyncDispose](outcome);
      if (this.#response !== undefined && this.#isSavedNow(outcome, this.#response)) {
        const { store, request } = this.#options;
        await store.save(this.#context as never, request, this.#response);
      }
    } finally {
      this.#options.release();
    }
  }

  /** The effects of a handler without a transaction stay if the client has left. */
  #isSavedNow(outcome: RequestOutcome | undefined, { status }: StoredResponse): boolean {
    if (this.#options.store.isTransactional || status >= 400) return false;
    return outcome?.kind === 'replied' || (outcome?.kind === 'aborted' && this.#own === undefined);
  }
}
