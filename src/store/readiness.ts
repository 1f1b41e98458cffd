// Readiness: whether a store would take a create now, from the outcome of its latest write.

/** A success proves for so long that the store takes creates. */
export const SUCCESS_HOLDS_MS = 1_000;
/** After a failure the store is not probed for so long. */
export const FAILURE_HOLDS_MS = 2_000;

export interface ReadinessOptions {
  /** The time in milliseconds, monotonic. */
  readonly now?: () => number;
}

/**
 * Answers whether a create would be taken now. The latest outcome counts, of a real commit or of a
 * probing write, while it is fresh; without one a probing write is made.
 */
export class Readiness {
  readonly #probe: () => Promise<void>;
  readonly #now: () => number;
  #wasReady = false;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #probing: Promise<boolean> | undefined;

  /**
   * @param probe a write as durable as a create, that changes no plant; rejects when it fails, and
   *   settles within a second
   */
  constructor(
    probe: () => Promise<void>,
    { now = () => performance.now() }: ReadinessOptions = {},
  ) {
    this.#probe = probe;
    this.#now = now;
  }

  /** Reports that a plant was committed. */
  succeeded(): void {
    this.#wasReady = true;
    this.#freshUntil = this.#now() + SUCCESS_HOLDS_MS;
  }

  /** Reports that the store refused a whole commit. */
  failed(): void {
    this.#wasReady = false;
    this.#freshUntil = this.#now() + FAILURE_HOLDS_MS;
  }

  /** True when a create would be taken now. Never rejects; concurrent calls share one probe. */
  isReady(): Promise<boolean> {
    if (this.#now() < this.#freshUntil) return Promise.resolve(this.#wasReady);
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  // Sets the outcome after the probe: a commit that ended meanwhile is older.
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
