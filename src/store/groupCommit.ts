// Group commit: creates that arrive together are committed together, and each learns its own outcome.
// Knows no database: how a batch is committed is handed in.
import type { NewPlant } from '../plants/plant.ts';
import { type CommitObserver, type CreateOutcome, StoreUnavailable } from '../plants/store.ts';

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

/** The most text in one commit, in UTF-16 units: 1000 plants may be a gigabyte. A plant with more goes alone. */
export const MAX_BATCH_CHARS = 4 * 1024 * 1024;

interface Waiter {
  resolve(outcome: CreateOutcome): void;
  reject(error: unknown): void;
}

/** Queues the creates of one event-loop turn, or those that arrive during a commit, into batches. */
export class GroupCommit {
  readonly #commit: Commit;
  readonly #mostInFlight: number;
  // Two arrays side by side, so that a batch is handed over as it is, without a copy per create.
  #plants: NewPlant[] = [];
  #waiters: Waiter[] = [];
  #inFlight = 0;
  #isScheduled = false;
  #closed: PromiseWithResolvers<void> | undefined;
  #waiting = 0;
  #onCommit: CommitObserver | undefined;

  /** @param mostInFlight how many batches are committed at a time; each gets the creates of its turn */
  constructor(commit: Commit, mostInFlight = 1) {
    this.#commit = commit;
    this.#mostInFlight = mostInFlight;
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
      this.#waiting++;
      this.#plants.push(plant);
      this.#waiters.push({ resolve, reject });
      this.#schedule();
    });
  }

  /** Creates that were taken and are not yet decided. */
  get waiting(): number {
    return this.#waiting;
  }

  /** From now on tells of each commit. */
  observe(onCommit: CommitObserver): void {
    this.#onCommit = onCommit;
  }

  /** Refuses creates from now on; resolves when those accepted before are decided. */
  close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    this.#resolveWhenIdle();
    return this.#closed.promise;
  }

  // setImmediate runs after the sockets of this turn are read: all their creates share the commit.
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight === this.#mostInFlight) return;
    this.#isScheduled = true;
    setImmediate(this.#commitBatch);
  }

  #commitBatch = async (): Promise<void> => {
    this.#isScheduled = false;
    const count = fitting(this.#plants);
    const plants = this.#plants.splice(0, count);
    const waiters = this.#waiters.splice(0, count);
    this.#inFlight++;
    if (this.#plants.length > 0) this.#schedule();
    const startedAt = performance.now();
    try {
      settle(waiters, await this.#commit(plants));
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
    this.#inFlight--;
    this.#waiting -= plants.length;
    this.#onCommit?.(plants.length, performance.now() - startedAt);
    if (this.#plants.length > 0) this.#schedule();
    else this.#resolveWhenIdle();
  };

  #resolveWhenIdle(): void {
    if (this.#inFlight === 0 && !this.#isScheduled) this.#closed?.resolve();
  }
}

/** @returns how many of the first plants make a batch: at least one */
function fitting(plants: readonly NewPlant[]): number {
  const most = Math.min(plants.length, MAX_BATCH);
  let chars = 0;
  for (let count = 0; count < most; count++) {
    const { name, tag } = plants[count]!;
    chars += name.length + (tag?.length ?? 0);
    if (chars > MAX_BATCH_CHARS) return Math.max(count, 1);
  }
  return most;
}

function settle(waiters: readonly Waiter[], decisions: readonly Decision[]): void {
  for (const [index, waiter] of waiters.entries()) {
    const decision = decisions[index];
    if (typeof decision === 'string') waiter.resolve(decision);
    else waiter.reject(decision);
  }
}
