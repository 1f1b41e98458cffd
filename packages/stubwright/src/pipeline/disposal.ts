// Disposes the context of a handler: after the validation of its reply, before the response is sent.
import { errorFrom, isThenable, unavailable } from '@stubwright/contract';
import type { DisposableContext, Exchange, RequestOutcome } from '../request/exchange.ts';
import { discardBody } from '../response/discardBody.ts';
import type { HttpResponse } from '../response/reply.ts';
import type { Limited, TimeLimit } from './timeLimit.ts';

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
