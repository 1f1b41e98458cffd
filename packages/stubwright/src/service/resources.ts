// The services of the handlers, and the store of a service.

export interface Resources<Services> {
  /** Passed to every handler. */
  readonly services: Services;
  readonly store?: Store | undefined;
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
  /** Called once, after the last response. */
  close(): Promise<void>;
}
