// Aborts requests at a shutdown: event streams at once, others before their connections are closed.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Exchange, type HttpResponse, ItemStream, sendsEvents } from 'stubwright/internals';
import type { Limits } from './limits.ts';

const REASON = 'the service is stopping';

export class Draining {
  /** The requests whose signal is used, until their responses are sent. */
  readonly #requests = new Set<Exchange>();
  readonly #streams = new Set<() => void>();
  readonly #settleMs: number;
  readonly #abortMs: number;
  #isStarted = false;

  constructor({ settleMs, abortMs }: Limits) {
    this.#settleMs = settleMs;
    this.#abortMs = abortMs;
  }

  /** For Exchange: called when the signal of a request is first used. */
  readonly onSignal = (exchange: Exchange): void => {
    this.#requests.add(exchange);
    exchange.body.onClose?.(() => this.#requests.delete(exchange));
  };

  /** Registers a response that is being sent; only an event stream ends early. */
  add(exchange: Exchange, { headers, body }: HttpResponse, res: ServerResponse): void {
    if (!(body instanceof Readable) || !sendsEvents(headers)) return;
    const end = () => {
      exchange.abort(REASON);
      // Time for the last events of the handler.
      setTimeout(() => {
        if (body instanceof ItemStream) body.finish();
        else {
          body.unpipe(res).destroy();
          res.end();
        }
      }, this.#settleMs);
    };
    if (this.#isStarted) end();
    else {
      this.#streams.add(end);
      res.once('close', () => this.#streams.delete(end));
    }
  }

  start(): void {
    this.#isStarted = true;
    for (const end of this.#streams) end();
    setTimeout(() => {
      for (const exchange of this.#requests) exchange.abort(REASON);
    }, this.#abortMs).unref();
  }
}
