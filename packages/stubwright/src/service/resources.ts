// What the handlers of a service use, such as a store, as far as a service must know it.

export interface Resources<Services> {
  /** Handed to every handler. */
  readonly services: Services;
  /** True while a request that needs the resources would succeed; `/readyz` reports it. */
  isReady(): Promise<boolean>;
  /** The number of writes that wait for their commit; load is shed above a limit. */
  readonly waiting: number;
  /** Calls back after each commit, with the number of its writes and its duration. */
  observe(onCommit: (writes: number, durationMs: number) => void): void;
  /** Called once, after the last request was answered. */
  close(): Promise<void>;
}
