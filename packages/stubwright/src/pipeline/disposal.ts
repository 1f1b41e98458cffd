// Ends the context of a handler with the outcome of its request.

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

/** The time limit for promises of the application. */
export interface TimeLimit {
  /** Resolves with the value. @throws the error of the promise, or of the limit when the time is over */
  settled<Subject>(
    promise: PromiseLike<unknown>,
    subject: Subject,
    limited: Limited<Subject>,
  ): Promise<unknown>;
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
