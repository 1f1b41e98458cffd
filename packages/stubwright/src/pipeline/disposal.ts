// Disposes the context of a handler: after the validation of its reply, before the response is sent.
import { Readable } from 'node:stream';
import { errorFrom, isThenable, unavailable } from '@stubwright/contract';
import type { DisposableContext, Exchange, RequestOutcome } from '../request/exchange.ts';
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
    const { status, body } = response;
    const isAborted = exchange.body.isClosed?.() ?? false;
    try {
      await this.#dispose(exchange, isAborted ? { kind: 'aborted' } : { kind: 'replied', status });
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      throw error;
    }
    return response;
  }

  /** Never rejects: the response is that of `error`. */
  async failed(exchange: Exchange, error: unknown): Promise<void> {
    try {
      const isAborted = exchange.body.isClosed?.() ?? false;
      await this.#dispose(exchange, isAborted ? { kind: 'aborted' } : { kind: 'failed', error });
    } catch (thrown) {
      this.#report(errorFrom(thrown));
    }
  }

  #dispose(exchange: Exchange, outcome: RequestOutcome): unknown {
    const { context } = exchange;
    exchange.context = undefined;
    const disposed: unknown = context?.[Symbol.asyncDispose](outcome);
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
