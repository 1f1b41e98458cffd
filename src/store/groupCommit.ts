// Group commit: creates that arrive together are committed together, and each learns its own outcome.
// Knows no database: how a batch is committed is handed in.
import type { NewPlant } from '../plants/plant.ts';
import { type CreateOutcome, StoreUnavailable } from '../plants/store.ts';

/** What a commit decided of one plant: its outcome, or the error that its create is refused with. */
export type Decision = CreateOutcome | Error;

/**
 * Commits a batch. Resolves once the outcomes are durable, with one decision per plant in the
 * order given; rejects when none can be vouched for, and every create gets that error.
 */
export type Commit = (plants: readonly NewPlant[]) => Promise<readonly Decision[]>;

/**
 * The most plants in one commit. A store that blocks the event loop blocks it for the whole batch,
 * about 2 ms at this size, while the fsync (0.2 ms) is already shared so widely that more gains nothing.
 */
export const MAX_BATCH = 1000;

interface Waiter {
  resolve(outcome: CreateOutcome): void;
  reject(error: unknown): void;
}

/** Queues the creates of one event-loop turn, or those that arrive during a commit, into batches. */
export class GroupCommit {
  readonly #commit: Commit;
  // Two arrays side by side, so that a batch is handed over as it is, without a copy per create.
  #plants: NewPlant[] = [];
  #waiters: Waiter[] = [];
  #busy = false;
  #closed: PromiseWithResolvers<void> | undefined;

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  /**
   * Queues a plant for the next commit.
   *
   * @throws {StoreUnavailable} after {@link close}, or whatever error the commit decided.
   */
  create(plant: NewPlant): Promise<CreateOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new StoreUnavailable('The store is closed'));
        return;
      }
      this.#plants.push(plant);
      this.#waiters.push({ resolve, reject });
      if (!this.#busy) this.#schedule();
    });
  }

  /** Refuses creates from now on; resolves when those accepted before are decided. */
  close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    if (!this.#busy) this.#closed.resolve();
    return this.#closed.promise;
  }

  // setImmediate runs after the sockets of this turn are read: all their creates share the commit.
  #schedule(): void {
    this.#busy = true;
    setImmediate(this.#commitBatch);
  }

  #commitBatch = async (): Promise<void> => {
    const plants = this.#plants.splice(0, MAX_BATCH);
    const waiters = this.#waiters.splice(0, MAX_BATCH);
    try {
      settle(waiters, await this.#commit(plants));
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
    this.#busy = false;
    if (this.#plants.length > 0) this.#schedule();
    else this.#closed?.resolve();
  };
}

function settle(waiters: readonly Waiter[], decisions: readonly Decision[]): void {
  for (const [index, waiter] of waiters.entries()) {
    const decision = decisions[index];
    if (typeof decision === 'string') waiter.resolve(decision);
    else waiter.reject(decision);
  }
}
