// Group commit: commits concurrent creates in batches, each with its own outcome.
import type { NewPlant } from '../plants/plant.ts';
import { type CreateOutcome, type StoreEmitter, StoreUnavailable } from '../plants/store.ts';
import type { Readiness } from './readiness.ts';

/** The outcome or the error of one plant. The next batch does not wait for a promise. */
export type Decision = CreateOutcome | Error | Promise<CreateOutcome>;

/**
 * Commits a batch.
 *
 * @returns one decision per plant, in order, after the outcomes are durable
 * @throws the error for all creates of the batch
 */
export type Commit = (plants: readonly NewPlant[]) => Promise<readonly Decision[]>;

/** Maximum number of plants in a commit; larger batches are not faster. */
export const MAX_BATCH = 256;

/**
 * Commit after collecting for 4 times the average commit duration. Retaining more pending creates slows
 * minor garbage collections: with 512 connections this saves 20 % of the CPU time of a create.
 */
export const COLLECTING_FACTOR = 4;

/** The weight of the last commit in the moving average of commit durations. */
const AVERAGE_WEIGHT = 1 / 8;

/** Maximum text in a commit, in UTF-16 code units: 256 plants may have 256 MiB. A larger plant is its own batch. */
export const MAX_BATCH_CHARS = 4 * 1024 * 1024;

interface Waiter {
  resolve(outcome: CreateOutcome): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions {
  /** Maximum number of concurrent commits; 1 by default. */
  readonly maxInFlight?: number;
  /** Receives the outcome of commits, not of single rows. */
  readonly readiness?: Pick<Readiness, 'succeeded' | 'failed'>;
  readonly events?: StoreEmitter | undefined;
  /** A monotonic clock in milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * Collects the creates of an event loop iteration, or of the duration of a commit, in a batch. A batch
 * that is due is committed in `create`.
 */
export class GroupCommit {
  readonly #commit: Commit;
  readonly #maxInFlight: number;
  readonly #readiness: GroupCommitOptions['readiness'];
  readonly #events: GroupCommitOptions['events'];
  readonly #now: () => number;
  // Parallel arrays, so that a batch needs no copy.
  #plants: NewPlant[] = [];
  #waiters: Waiter[] = [];
  #inFlight = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #collectingSince = 0;
  #averageCommitMs = 1;
  #closed: PromiseWithResolvers<void> | undefined;
  #waiting = 0;

  constructor(
    commit: Commit,
    { maxInFlight = 1, readiness, events, now = () => performance.now() }: GroupCommitOptions = {},
  ) {
    this.#commit = commit;
    this.#maxInFlight = maxInFlight;
    this.#readiness = readiness;
    this.#events = events;
    this.#now = now;
  }

  /**
   * Queues a plant for the next commit.
   *
   * @throws {StoreUnavailable} after {@link close}; else the error of the commit
   */
  create(plant: NewPlant): Promise<CreateOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new StoreUnavailable('The store is closed'));
        return;
      }
      this.#waiting++;
      this.#plants.push(plant);
      this.#waiters.push({ resolve, reject });
      if (this.#isDue()) this.#commitBatch();
      else this.#schedule();
    });
  }

  /** The number of pending creates. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Rejects new creates; resolves after the pending ones are settled. */
  close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    this.#resolveWhenIdle();
    return this.#closed.promise;
  }

  #isDue(): boolean {
    const { length } = this.#plants;
    // The rest of a divided batch keeps the time of that batch.
    if (length === 1) this.#collectingSince = this.#now();
    if (this.#inFlight === this.#maxInFlight) return false;
    const collectingMs = this.#now() - this.#collectingSince;
    return length >= MAX_BATCH || collectingMs > COLLECTING_FACTOR * this.#averageCommitMs;
  }

  // setImmediate runs after all sockets of this event loop iteration are read.
  #schedule(): void {
    if (this.#scheduled || this.#inFlight === this.#maxInFlight) return;
    this.#scheduled = setImmediate(this.#commitBatch);
  }

  #commitBatch = async (): Promise<void> => {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const count = batchSize(this.#plants);
    const plants = this.#plants.splice(0, count);
    const waiters = this.#waiters.splice(0, count);
    this.#inFlight++;
    if (this.#plants.length > 0) this.#schedule();
    const startedAt = this.#now();
    const decisions = await this.#decide(plants);
    this.#report(decisions);
    this.#settle(waiters, decisions);
    this.#inFlight--;
    const tookMs = this.#now() - startedAt;
    this.#averageCommitMs += (tookMs - this.#averageCommitMs) * AVERAGE_WEIGHT;
    this.#events?.emit('committed', { creates: plants.length, durationMs: tookMs });
    if (this.#plants.length > 0) this.#schedule();
    this.#resolveWhenIdle();
  };

  async #decide(plants: readonly NewPlant[]): Promise<readonly Decision[]> {
    try {
      return await this.#commit(plants);
    } catch (error) {
      return plants.map(() => error as Error);
    }
  }

  // Neither `same` and `different` nor the error of a row shows whether the store is writable.
  #report(decisions: readonly Decision[]): void {
    if (decisions.includes('created')) this.#readiness?.succeeded();
    else if (decisions.every((decision) => decision instanceof StoreUnavailable))
      this.#readiness?.failed();
  }

  #settle(waiters: readonly Waiter[], decisions: readonly Decision[]): void {
    for (const [index, { resolve, reject }] of waiters.entries()) {
      const decision = decisions[index];
      if (decision instanceof Promise) {
        decision.then(resolve, reject).then(() => {
          this.#waiting--;
          this.#resolveWhenIdle();
        });
        continue;
      }
      this.#waiting--;
      if (typeof decision === 'string') resolve(decision);
      else reject(decision);
    }
  }

  #resolveWhenIdle(): void {
    if (this.#waiting === 0) this.#closed?.resolve();
  }
}

/** @returns the size of the next batch, at least 1 */
function batchSize(plants: readonly NewPlant[]): number {
  const max = Math.min(plants.length, MAX_BATCH);
  let chars = 0;
  for (let count = 0; count < max; count++) {
    const { name, tag } = plants[count]!;
    chars += name.length + (tag?.length ?? 0);
    if (chars > MAX_BATCH_CHARS) return Math.max(count, 1);
  }
  return max;
}
