// What the handlers of a service use, and the store below it.

export interface Resources<Services> {
  /** Passed to every handler. */
  readonly services: Services;
  readonly store?: Store | undefined;
}

/** Of a service that stores nothing. */
export const NO_STORE: Store = {
  isReady: () => Promise.resolve(true),
  waiting: 0,
  close: () => Promise.resolve(),
};

/** What holds the data of a service, as far as serving depends on it. */
export interface Store {
  /** True while a write would succeed; `/readyz` reports it. */
  isReady(): Promise<boolean>;
  /** The number of writes that wait for their commit; above a limit load is shed. */
  readonly waiting: number;
  /** Called once, after the last response. */
  close(): Promise<void>;
}
