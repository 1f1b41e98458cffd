// Determines from the latest write whether a store is ready.

/** The store is ready for this long after a successful write. */
export const SUCCESS_HOLDS_MS = 1_000;
/** The store is not probed for this long after a failed write. */
export const FAILURE_HOLDS_MS = 2_000;

/** Uses the outcome of a recent commit or probe; without one, probes the store. */
export class Readiness {
  readonly #probe: () => Promise<void>;
  readonly #now: () => number;
  #wasReady = false;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #probing: Promise<boolean> | undefined;

  /**
   * @param probe a durable write that changes no row; settles within a second, rejects on failure
   * @param now a monotonic clock in milliseconds; for tests
   */
  constructor(probe: () => Promise<void>, now = () => performance.now()) {
    this.#probe = probe;
    this.#now = now;
  }

  succeeded(): void {
    this.#wasReady = true;
    this.#freshUntil = this.#now() + SUCCESS_HOLDS_MS;
  }

  failed(): void {
    this.#wasReady = false;
    this.#freshUntil = this.#now() + FAILURE_HOLDS_MS;
  }

  /** @returns true if a write would succeed now. Never rejects; concurrent calls share one probe. */
  isReady(): Promise<boolean> {
    if (this.#now() < this.#freshUntil) return Promise.resolve(this.#wasReady);
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  // The outcome of the probe overrides that of a commit during the probe.
  async #probeOnce(): Promise<boolean> {
    try {
      await this.#probe();
      this.succeeded();
    } catch {
      this.failed();
    }
    return this.#wasReady;
  }
}
