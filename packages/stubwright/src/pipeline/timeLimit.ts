// The time limit for promises of the application.

import { errorFrom, isThenable, unavailable } from '@stubwright/contract';
import type { DisposableContext, Exchange, RequestOutcome } from '../request/exchange.ts';
import { discardBody, type HttpResponse } from '../response/reply.ts';

/** Promises with the same limit. @typeParam Subject the request of a promise */
export interface Limited<Subject> {
  /** The time starts again after a period in which this was true. */
  readonly isArriving: (subject: Subject) => boolean;
  /** @returns the error when the time is over */
  readonly timedOut: (timeoutMs: number, subject: Subject) => Error;
  /** Called with a value that arrives later. */
  readonly discard: (value: unknown, subject: Subject) => void;
  /** Called with an error that is thrown later. */
  readonly report: (error: Error, subject: Subject) => void;
}

/** An entry of a circular list. */
interface Entry {
  previous: Entry | undefined;
  /** Undefined for an entry that was removed. */
  next: Entry | undefined;
}

interface Pending extends Entry {
  readonly subject: unknown;
  readonly limited: Limited<never>;
  readonly reject: (error: Error) => void;
  endMs: number;
  isArriving: boolean;
}

/** One timer for all promises: one for each would cost 3 % of a POST. */
export class TimeLimit {
  readonly #timeoutMs: number;
  /**
   * The head of the pending promises, in the order of their `endMs`. Not a Set: the tables that it has
   * outgrown retain their promises until the next major garbage collection.
   */
  readonly #head: Entry = { previous: undefined, next: undefined };
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#head.previous = this.#head;
    this.#head.next = this.#head;
  }

  /** Resolves with the value. @throws the error of the promise, or of the limit when the time is over */
  settled<Subject>(
    promise: PromiseLike<unknown>,
    subject: Subject,
    limited: Limited<Subject>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        previous: undefined,
        next: undefined,
        subject,
        limited,
        reject,
        endMs: 0,
        isArriving: false,
      };
      this.#start(pending);
      Promise.resolve(promise).then(
        (value) => {
          if (remove(pending)) resolve(value);
          else limited.discard(value, subject);
        },
        (error) => {
          if (remove(pending)) reject(error);
          else limited.report(errorFrom(error), subject);
        },
      );
    });
  }

  #start(pending: Pending): void {
    pending.isArriving = pending.limited.isArriving(pending.subject as never);
    pending.endMs = performance.now() + this.#timeoutMs;
    const previous = this.#head.previous!;
    pending.previous = previous;
    pending.next = this.#head;
    previous.next = pending;
    this.#head.previous = pending;
    if (this.#timer === undefined) this.#wait(this.#timeoutMs);
  }

  get #first(): Pending | undefined {
    const { next } = this.#head;
    return next === this.#head ? undefined : (next as Pending);
  }

  /** A handler that never settles does not delay the end of the process. */
  #wait(ms: number): void {
    this.#timer = setTimeout(this.#end, ms).unref();
  }

  #end = (): void => {
    const now = performance.now();
    let first = this.#first;
    while (first !== undefined && first.endMs <= now) {
      remove(first);
      if (first.isArriving) this.#start(first);
      else first.reject(first.limited.timedOut(this.#timeoutMs, first.subject as never));
      first = this.#first;
    }
    this.#timer = undefined;
    if (first !== undefined) this.#wait(Math.ceil(first.endMs - now));
  };
}

/** @returns false for an entry that is not in the list */
function remove(entry: Entry): boolean {
  const { previous, next } = entry;
  if (previous === undefined || next === undefined) return false;
  previous.next = next;
  next.previous = previous;
  entry.previous = undefined;
  entry.next = undefined;
  return true;
}

export class Disposal {
  readonly #timeLimit: TimeLimit | undefined;
  readonly #report: (error: Error) => void;
  readonly #limited: Limited<Exchange>;

  /** @param report called with an error of a disposal that does not change a response */
  constructor(timeLimit: TimeLimit | undefined, report: (error: Error) => void) {
    this.#timeLimit = timeLimit;
    this.#report = report;
    this.#limited = {
      isArriving: () => false,
      timedOut(timeoutMs, { operationId }) {
        const cause = new Error(
          `${operationId}: the disposal of the context did not settle within ${timeoutMs} ms`,
        );
        return unavailable('the request was not handled in time', 1, cause);
      },
      discard() {},
      report,
    };
  }

  /** @returns the response @throws the error of the disposal, after which the response is not sent */
  async replied(exchange: Exchange, response: HttpResponse): Promise<HttpResponse> {
    try {
      await this.#dispose(exchange, { kind: 'replied', status: response.status });
    } catch (error) {
      discardBody(response);
      throw error;
    }
    return response;
  }

  /** Never rejects: the response is that of `error`. */
  async failed(exchange: Exchange, error: unknown): Promise<void> {
    try {
      await this.#dispose(exchange, { kind: 'failed', error });
    } catch (thrown) {
      this.#report(errorFrom(thrown));
    }
  }

  #dispose(exchange: Exchange, outcome: RequestOutcome): unknown {
    const { context } = exchange;
    exchange.context = undefined;
    const isAborted = exchange.body.isClosed?.() === true;
    const disposed: unknown = context?.[Symbol.asyncDispose](
      isAborted ? { kind: 'aborted' } : outcome,
    );
    if (this.#timeLimit === undefined || !isThenable(disposed)) return disposed;
    return this.#timeLimit.settled(disposed, exchange, this.#limited);
  }
}

/** @returns true for a context with `Symbol.asyncDispose` */
export function isDisposable(context: unknown): context is DisposableContext {
  return (
    typeof context === 'object' &&
    context !== null &&
    typeof (context as Partial<DisposableContext>)[Symbol.asyncDispose] === 'function'
  );
}
