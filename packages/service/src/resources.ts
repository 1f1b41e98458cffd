// What a service opens, and how it stops.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, type HttpResponse, ItemStream, sendsEvents } from 'stubwright/internals';
import type { AddMetrics } from './operations/admin/metrics.ts';
import type { Log } from './operations/log.ts';
import type { Limits } from './server/server.ts';

/** What `open` returns. */
export interface Resources<Services> {
  /** Passed to every handler. */
  readonly services: Services;
  readonly store?: Store | undefined;
  /** The database, without a password; for the log. */
  readonly database?: string | undefined;
  /** Called once, after the last response and before the store is closed. */
  readonly close?: (() => Promise<void>) | undefined;
  /** Called if ADMIN_PORT is set. */
  readonly addMetrics?: AddMetrics | undefined;
}

/** For a service without a store. */
export const NO_STORE: Store = {
  isReady: () => Promise.resolve(true),
  waiting: 0,
  close: () => Promise.resolve(),
};

/** The store of a service. */
export interface Store {
  /** True while a write would succeed; `/readyz` reports it. */
  isReady(): Promise<boolean>;
  /** The number of writes that wait for their commit; above QUEUE_LIMIT requests are shed. */
  readonly waiting: number;
  /** @returns the path of the backup; absent if the database has tools of its own */
  backUp?(): Promise<string>;
  /** Called once, after the last response. */
  close(): Promise<void>;
}

/** What a start has opened: closed in reverse order, whatever one of them throws. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** @throws the error of the first that cannot be closed, after all others are closed */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

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

export interface State {
  /** Reported by the readiness probe. */
  isServing: boolean;
  isStopping: boolean;
}

interface Stopping {
  readonly graceSeconds: number;
  readonly log: Log;
  readonly opened: Closers;
}

/** Shuts down in stages, each logged. */
export async function stop(state: State, { graceSeconds, log, opened }: Stopping): Promise<void> {
  state.isServing = false;
  state.isStopping = true;
  log.info({ graceSeconds }, 'not ready');
  await sleep(graceSeconds * 1000);
  log.info('draining');
  await opened.close();
}
