// Group commit: commits concurrent writes in batches, each with its own outcome.

import { type DurableWrite, type SpanOf, type StoreEmitter, StoreUnavailable } from './store.ts';
import { type Row, rowKeyOf, type Table, UnstorableText, type WriteDefinition } from './table.ts';

/** The outcome of one write, an Error, or a promise of either, for which the next batch does not wait. */
export type Decision = unknown;

/** The result of a commit, after its outcomes are durable. */
export interface Committed {
  /** One per write, in order. */
  readonly decisions: readonly Decision[];
  /** True if a row was inserted, updated or deleted. */
  readonly hasChanges: boolean;
}

/**
 * Commits a batch.
 *
 * @throws the error for all writes of the batch
 */
type Commit<Writer> = (writes: readonly PendingWrite<Writer>[]) => Promise<Committed>;

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

/** A monotonic clock in milliseconds. */
export const clock = performance.now.bind(performance);

/** A write, and the statements of its kind. */
export interface PendingWrite<Writer> {
  readonly writer: Writer;
  readonly write: Row;
  /** The text in it, in UTF-16 code units. */
  readonly chars: number;
}

interface QueuedWrite<Writer> extends PendingWrite<Writer> {
  resolve(outcome: unknown): void;
  reject(error: unknown): void;
}

interface WriteQueueOptions<Writer> {
  /** @returns the statements of a kind of writes */
  readonly prepare: (definition: WriteDefinition) => Writer;
  /** Receives the outcome of commits, not of single rows. */
  readonly readiness: Pick<Readiness, 'succeeded' | 'failed'>;
  /** Maximum number of concurrent commits; 1 by default. */
  readonly maxInFlight?: number;
  readonly events?: StoreEmitter | undefined;
  readonly inSpan?: SpanOf | undefined;
  /** A monotonic clock in milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * Collects writes until an event loop iteration adds none, for at most the duration of a commit: callers
 * whose writes were committed together send their next ones in several iterations, and each commit costs
 * a sync. A batch that is due is committed at once.
 */
export class WriteQueue<Writer> {
  readonly #commit: Commit<Writer>;
  readonly #options: WriteQueueOptions<Writer>;
  readonly #maxInFlight: number;
  readonly #now: () => number;
  readonly #queue: QueuedWrite<Writer>[] = [];
  #inFlight = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #collectingSince = 0;
  #averageCommitMs = 1;
  #closed: PromiseWithResolvers<void> | undefined;
  /** The number of writes without an outcome. */
  waiting = 0;

  constructor(commit: Commit<Writer>, options: WriteQueueOptions<Writer>) {
    this.#commit = commit;
    this.#options = options;
    this.#maxInFlight = options.maxInFlight ?? 1;
    this.#now = options.now ?? clock;
  }

  /**
   * The span `commit` lasts from the call of the handler to the end of the shared commit.
   *
   * @returns a function that queues a write for the next commit
   * @throws {StoreUnavailable} (the function) after {@link close}; else the error of the commit
   */
  add<Write extends Row, Outcome>(definition: WriteDefinition): DurableWrite<Write, Outcome> {
    const { table } = definition;
    const writer = this.#options.prepare(definition);
    const write = (row: Write) =>
      new Promise<Outcome>((resolve, reject) => {
        if (this.#closed) throw new StoreUnavailable('The store is closed');
        expectStorableRow(table, row);
        this.waiting++;
        this.#queue.push({ writer, write: row, chars: charsOf(row), resolve, reject });
        // The rest of a divided batch keeps the time of that batch.
        if (this.#queue.length === 1) this.#collectingSince = this.#now();
        const mayCommit = this.#inFlight < this.#maxInFlight;
        const isFull = this.#queue.length >= MAX_BATCH;
        if (mayCommit && (isFull || this.#hasCollectedFor(COLLECTING_FACTOR))) this.#commitBatch();
        else this.#schedule();
      });
    const { inSpan } = this.#options;
    if (inSpan === undefined) return write;
    return (row) =>
      inSpan('commit', async (setAttribute) => {
        const outcome = await write(row);
        setAttribute(`${table.name}.outcome`, String(outcome));
        return outcome;
      });
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
      const { length } = this.#queue;
      const isGrowing = length > collected && length < MAX_BATCH && !this.#hasCollectedFor(1);
      if (isGrowing) this.#schedule(length);
      else this.#commitBatch();
    });
  }

  async #commitBatch(): Promise<void> {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const writes = this.#queue.splice(0, this.#batchSize());
    this.#inFlight++;
    if (this.#queue.length > 0) this.#schedule();
    const startedAt = this.#now();
    let committed: Committed;
    try {
      committed = await this.#commit(writes);
    } catch (error) {
      committed = { decisions: writes.map(() => error), hasChanges: false };
    }
    const { decisions, hasChanges } = committed;
    // Neither an outcome without a change nor the error of a row shows whether the store is writable.
    if (hasChanges) this.#options.readiness.succeeded();
    else if (decisions.every((decision) => decision instanceof StoreUnavailable))
      this.#options.readiness.failed();
    this.#settle(writes, decisions);
    this.#inFlight--;
    const tookMs = this.#now() - startedAt;
    this.#averageCommitMs += (tookMs - this.#averageCommitMs) * AVERAGE_WEIGHT;
    this.#options.events?.emit('committed', { writes: writes.length, durationMs: tookMs });
    if (this.#queue.length > 0) this.#schedule();
    this.#resolveWhenIdle();
  }

  #settle(writes: readonly QueuedWrite<Writer>[], decisions: readonly Decision[]): void {
    for (const [index, { resolve, reject }] of writes.entries()) {
      const decision = decisions[index];
      if (decision instanceof Promise) {
        decision.then(resolve, reject).then(() => {
          this.waiting--;
          this.#resolveWhenIdle();
        });
        continue;
      }
      this.waiting--;
      if (decision instanceof Error) reject(decision);
      else resolve(decision);
    }
  }

  #resolveWhenIdle(): void {
    if (this.waiting === 0) this.#closed?.resolve();
  }

  /** @returns the size of the next batch, at least 1 */
  #batchSize(): number {
    const max = Math.min(this.#queue.length, MAX_BATCH);
    let chars = 0;
    for (let count = 0; count < max; count++) {
      chars += this.#queue[count]!.chars;
      if (chars > MAX_BATCH_CHARS) return Math.max(count, 1);
    }
    return max;
  }
}

/** @throws {UnstorableText} for a text with U+0000 */
function expectStorableRow(table: Table, row: Row): void {
  for (const name in row) {
    const value = row[name];
    if (typeof value !== 'string' || !value.includes('\0')) continue;
    const key = String(rowKeyOf(table, row)).replaceAll('\0', '\\0');
    throw new UnstorableText(`${table.name} ${key}: expected ${name} to be text without U+0000`);
  }
}

/** @returns the text in a row, in UTF-16 code units, and its bytes */
export function charsOf(row: Row): number {
  let chars = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string') chars += value.length;
    else if (value instanceof Uint8Array) chars += value.byteLength;
  }
  return chars;
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
  constructor(probe: () => Promise<void>, now = clock) {
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
