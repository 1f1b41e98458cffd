// What a service opens: the services of the handlers, the store, metrics of its own.
import type { AddMetrics } from './operations/admin/metrics.ts';

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
