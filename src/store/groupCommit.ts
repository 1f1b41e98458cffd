// Group commit: creates that arrive together are committed together, and each learns its own outcome.
// Knows no database: how a batch is committed is handed in.
import type { NewPlant } from '../plants/plant.ts';
import { type CreateOutcome, type StoreEmitter, StoreUnavailable } from '../plants/store.ts';
import type { Readiness } from './readiness.ts';

/**
 * What a commit decided of one plant: its outcome, or the error that its create is refused with. A
 * promise is decided later than the rest of its batch, and the next batch does not wait for it.
 */
export type Decision = CreateOutcome | Error | Promise<CreateOutcome>;

/**
 * Commits a batch. Resolves once the outcomes are durable, with one decision per plant in the
 * order given; rejects when none can be vouched for, and every create gets that error.
 */
export type Commit = (plants: readonly NewPlant[]) => Promise<readonly Decision[]>;

/** The most plants in one commit: its fsync is shared so widely by then that more gains nothing. */
export const MAX_BATCH = 256;

/**
 * A batch is ripe once it has been gathered for so many times as long as commits lately took: more
 * creates would make each hardly cheaper, and what waits is copied by the garbage collector. With
 * 512 connections a create costs a fifth less CPU so than with all of a turn in one commit.
 */
export const GATHERING = 4;

/** How much of the usual length of a commit the last one makes up: a single slow one says little. */
const NOVELTY = 1 / 8;

/** The most text in one commit, in UTF-16 units: 256 plants may be 256 MiB. A plant with more goes alone. */
export const MAX_BATCH_CHARS = 4 * 1024 * 1024;

interface Waiter {
  resolve(outcome: CreateOutcome): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions {
  /** How many batches are committed at a time. */
  readonly mostInFlight?: number;
  /** Receives the outcome of each commit: of the store, not of a single row. */
  readonly readiness?: Pick<Readiness, 'succeeded' | 'failed'>;
  readonly events?: StoreEmitter | undefined;
  /** The time in milliseconds; a test may hold it still. */
  readonly now?: () => number;
}

/**
 * Queues the creates of one event-loop turn, or those that arrive during a commit, into batches; a
 * long turn is cut where a batch is ripe, and a store that blocks while it commits does so in `create`.
 */
export class GroupCommit {
  readonly #commit: Commit;
  readonly #mostInFlight: number;
  readonly #readiness: GroupCommitOptions['readiness'];
  readonly #events: GroupCommitOptions['events'];
  readonly #now: () => number;
  // Two arrays side by side, so that a batch is handed over as it is, without a copy per create.
  #plants: NewPlant[] = [];
  #waiters: Waiter[] = [];
  #inFlight = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #gatheredSince = 0;
  #usualCommitMs = 1;
  #closed: PromiseWithResolvers<void> | undefined;
  #waiting = 0;

  constructor(
    commit: Commit,
    { mostInFlight = 1, readiness, events, now = () => performance.now() }: GroupCommitOptions = {},
  ) {
    this.#commit = commit;
    this.#mostInFlight = mostInFlight;
    this.#readiness = readiness;
    this.#events = events;
    this.#now = now;
  }

  /**
   * Queues a plant for the next commit.
   *
   * @throws {StoreUnavailable} after {@link close}, or the error of the commit.
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
      if (this.#isRipe()) this.#commitBatch();
      else this.#schedule();
    });
  }

  /** Creates that were taken and are not yet decided. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Refuses creates from now on; resolves when those accepted before are decided. */
  close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    this.#resolveWhenIdle();
    return this.#closed.promise;
  }

  #isRipe(): boolean {
    const { length } = this.#plants;
    // What a cut batch left over is as old as that batch: it has waited that long.
    if (length === 1) this.#gatheredSince = this.#now();
    if (this.#inFlight === this.#mostInFlight) return false;
    const gatheredMs = this.#now() - this.#gatheredSince;
    return length >= MAX_BATCH || gatheredMs > GATHERING * this.#usualCommitMs;
  }

  // setImmediate runs after the sockets of this turn are read: all their creates share the commit.
  #schedule(): void {
    if (this.#scheduled || this.#inFlight === this.#mostInFlight) return;
    this.#scheduled = setImmediate(this.#commitBatch);
  }

  #commitBatch = async (): Promise<void> => {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const count = fitting(this.#plants);
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
    this.#usualCommitMs += (tookMs - this.#usualCommitMs) * NOVELTY;
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

  // `same` and `different` may have written nothing, and a row's own error is not the store's.
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
