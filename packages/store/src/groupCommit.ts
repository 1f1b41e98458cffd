// Group commit: commits concurrent writes in batches, each with its own outcome.

import { type DurableWrite, type SpanOf, type StoreEmitter, StoreUnavailable } from './store.ts';
import { charsOf, type Row, unstorableText, type WriteDefinition } from './table.ts';

/** The outcome or the error of one write. The next batch does not wait for a promise. */
export type Decision<Outcome> = Outcome | Error | Promise<Outcome>;

/** The result of a commit, after its outcomes are durable. */
export interface Committed<Outcome> {
  /** One per write, in order. */
  readonly decisions: readonly Decision<Outcome>[];
  /** True if a row was inserted, updated or deleted. */
  readonly hasChanges: boolean;
}

/**
 * Commits a batch.
 *
 * @throws the error for all writes of the batch
 */
type Commit<Write, Outcome> = (writes: readonly Write[]) => Promise<Committed<Outcome>>;

/** Maximum number of writes in a commit; larger batches are not faster. */
export const MAX_BATCH = 256;

/**
 * Commit after collecting for 4 times the average commit duration. Retaining more pending writes slows
 * minor garbage collections: with 512 connections this saves 20 % of the CPU time of a create.
 */
export const COLLECTING_FACTOR = 4;

/** The weight of the last commit in the moving average of commit durations. */
const AVERAGE_WEIGHT = 1 / 8;

/** Maximum text in a commit, in UTF-16 code units: 256 writes may have 256 MiB. A larger write is its own batch. */
export const MAX_BATCH_CHARS = 4 * 1024 * 1024;

interface Waiter<Outcome> {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions<Write> {
  /** @returns the text in a write, in UTF-16 code units */
  readonly charsOf: (write: Write) => number;
  /** Maximum number of concurrent commits; 1 by default. */
  readonly maxInFlight?: number;
  /** Receives the outcome of commits, not of single rows. */
  readonly readiness?: Pick<Readiness, 'succeeded' | 'failed'>;
  readonly events?: StoreEmitter | undefined;
  /** A monotonic clock in milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * Collects writes until an event loop iteration adds none, for at most the duration of a commit: callers
 * whose writes were committed together send their next ones in several iterations, and each commit costs
 * a sync. A batch that is due is committed in `write`.
 */
export class GroupCommit<Write, Outcome> {
  readonly #commit: Commit<Write, Outcome>;
  readonly #options: GroupCommitOptions<Write>;
  readonly #maxInFlight: number;
  readonly #now: () => number;
  // Parallel arrays, so that a batch needs no copy.
  #writes: Write[] = [];
  #waiters: Waiter<Outcome>[] = [];
  #inFlight = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #collectingSince = 0;
  #averageCommitMs = 1;
  #closed: PromiseWithResolvers<void> | undefined;
  #waiting = 0;

  constructor(commit: Commit<Write, Outcome>, options: GroupCommitOptions<Write>) {
    this.#commit = commit;
    this.#options = options;
    this.#maxInFlight = options.maxInFlight ?? 1;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Queues a write for the next commit.
   *
   * @throws {StoreUnavailable} after {@link close}; else the error of the commit
   */
  write(write: Write): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new StoreUnavailable('The store is closed'));
        return;
      }
      this.#waiting++;
      this.#writes.push(write);
      this.#waiters.push({ resolve, reject });
      // The rest of a divided batch keeps the time of that batch.
      if (this.#writes.length === 1) this.#collectingSince = this.#now();
      const mayCommit = this.#inFlight < this.#maxInFlight;
      const isFull = this.#writes.length >= MAX_BATCH;
      if (mayCommit && (isFull || this.#hasCollectedFor(COLLECTING_FACTOR))) this.#commitBatch();
      else this.#schedule();
    });
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Rejects new writes; resolves after the pending ones are settled. */
  close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    this.#resolveWhenIdle();
    return this.#closed.promise;
  }

  #hasCollectedFor(commits: number): boolean {
    return this.#now() - this.#collectingSince > commits * this.#averageCommitMs;
  }

  // setImmediate runs after all sockets of this event loop iteration are read.
  #schedule(collected = 0): void {
    if (this.#scheduled || this.#inFlight === this.#maxInFlight) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      const { length } = this.#writes;
      const isGrowing = length > collected && length < MAX_BATCH && !this.#hasCollectedFor(1);
      if (isGrowing) this.#schedule(length);
      else this.#commitBatch();
    });
  }

  async #commitBatch(): Promise<void> {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const count = this.#batchSize();
    const writes = this.#writes.splice(0, count);
    const waiters = this.#waiters.splice(0, count);
    this.#inFlight++;
    if (this.#writes.length > 0) this.#schedule();
    const startedAt = this.#now();
    let committed: Committed<Outcome>;
    try {
      committed = await this.#commit(writes);
    } catch (error) {
      committed = { decisions: writes.map(() => error as Error), hasChanges: false };
    }
    const { decisions, hasChanges } = committed;
    // Neither an outcome without a change nor the error of a row shows whether the store is writable.
    if (hasChanges) this.#options.readiness?.succeeded();
    else if (decisions.every((decision) => decision instanceof StoreUnavailable))
      this.#options.readiness?.failed();
    this.#settle(waiters, decisions);
    this.#inFlight--;
    const tookMs = this.#now() - startedAt;
    this.#averageCommitMs += (tookMs - this.#averageCommitMs) * AVERAGE_WEIGHT;
    this.#options.events?.emit('committed', { writes: writes.length, durationMs: tookMs });
    if (this.#writes.length > 0) this.#schedule();
    this.#resolveWhenIdle();
  }

  #settle(waiters: readonly Waiter<Outcome>[], decisions: readonly Decision<Outcome>[]): void {
    for (const [index, { resolve, reject }] of waiters.entries()) {
      const decision = decisions[index]!;
      if (decision instanceof Promise) {
        decision.then(resolve, reject).then(() => {
          this.#waiting--;
          this.#resolveWhenIdle();
        });
        continue;
      }
      this.#waiting--;
      if (decision instanceof Error) reject(decision);
      else resolve(decision);
    }
  }

  #resolveWhenIdle(): void {
    if (this.#waiting === 0) this.#closed?.resolve();
  }

  /** @returns the size of the next batch, at least 1 */
  #batchSize(): number {
    const max = Math.min(this.#writes.length, MAX_BATCH);
    let chars = 0;
    for (let count = 0; count < max; count++) {
      chars += this.#options.charsOf(this.#writes[count]!);
      if (chars > MAX_BATCH_CHARS) return Math.max(count, 1);
    }
    return max;
  }
}

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

/** A write, and the statements of its kind. */
export interface PendingWrite<Writer> {
  readonly writer: Writer;
  readonly write: Row;
}

interface WriteQueueOptions<Writer> {
  readonly prepare: (definition: WriteDefinition) => Writer;
  readonly readiness: Readiness;
  readonly maxInFlight?: number;
  readonly events: StoreEmitter | undefined;
  readonly inSpan: SpanOf | undefined;
}

export class WriteQueue<Writer> extends GroupCommit<PendingWrite<Writer>, unknown> {
  readonly #prepare: WriteQueueOptions<Writer>['prepare'];
  readonly #inSpan: SpanOf | undefined;

  constructor(
    commit: Commit<PendingWrite<Writer>, unknown>,
    { prepare, inSpan, ...options }: WriteQueueOptions<Writer>,
  ) {
    super(commit, { charsOf: ({ write }) => charsOf(write), ...options });
    this.#prepare = prepare;
    this.#inSpan = inSpan;
  }

  /** The span `commit` lasts from the call of the handler to the end of the shared commit. */
  add<Write extends Row, Outcome>(definition: WriteDefinition): DurableWrite<Write, Outcome> {
    const { table } = definition;
    const writer = this.#prepare(definition);
    const commit = (write: Row): Promise<Outcome> => {
      const unstorable = unstorableText(table, write);
      if (unstorable !== undefined) return Promise.reject(unstorable);
      return this.write({ writer, write }) as Promise<Outcome>;
    };
    const inSpan = this.#inSpan;
    if (inSpan === undefined) return commit;
    return (write) =>
      inSpan('commit', async (setAttribute) => {
        const outcome = await commit(write);
        setAttribute(`${table.name}.outcome`, String(outcome));
        return outcome;
      });
  }
}
