// Syncs the write-ahead log: on the event loop while syncs are short, else in the thread pool.
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type StoreEmitter, StoreUnavailable } from '../store.ts';
import { rewriteLog } from './writeAheadLog.ts';

/** Between two attempts to recover from a failed sync. */
const RETRY_MS = 250;

/** A sync that takes less costs about as much as a change of threads, and delays other requests as little. */
const SHORT_MS = 0.5;

export interface LogSyncOptions {
  /** The number of frames after which the log is written into the database. */
  readonly checkpointFrames: number;
  readonly events: StoreEmitter | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * One sync at a time: after a failed one the kernel may report success to the next. From a failure until the
 * recovery nothing is reported as durable.
 */
export class LogSync {
  readonly #descriptor: number;
  readonly #options: LogSyncOptions;
  readonly #database: DatabaseSync;
  readonly #state: StatementSync;
  // The frames of the log, and those of them in the database: each commit changes one of them.
  #frames = 0;
  #checkpointed = 0;
  /** Numbers of commits. */
  #written = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;
  #lastSyncMs = 0;
  #failure: StoreUnavailable | undefined;
  #failedAt = 0;
  #failures = 0;
  #retryAt = 0;

  /** @param database whose content is durable, with `synchronous = NORMAL` and without automatic checkpoints */
  constructor(database: DatabaseSync, options: LogSyncOptions) {
    this.#descriptor = openSync(`${database.location()}-wal`, 'r+');
    this.#database = database;
    this.#options = options;
    this.#state = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#observe();
    this.#synced = this.#written;
  }

  /**
   * Resolves when all that was committed before the call is durable.
   *
   * @throws {StoreUnavailable} if that is not certain
   */
  async durable(): Promise<void> {
    this.#observe();
    const goal = this.#written;
    while (this.#failure === undefined && this.#synced < goal) {
      if (this.#lastSyncMs < SHORT_MS) {
        // None is under way: that began after a long one.
        this.#syncNow();
      } else {
        this.#syncing ??= this.#sync();
        await this.#syncing;
      }
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * To be called before each use of the database: after a failed sync writes the log again. Nothing is
   * under way then.
   *
   * @throws {StoreUnavailable} if the log is not durable yet
   */
  recover(): void {
    if (this.#failure === undefined) return;
    if (performance.now() < this.#retryAt) throw this.#failure;
    try {
      this.#observe();
      rewriteLog(this.#descriptor, this.#frames);
    } catch (cause) {
      this.#retryAt = performance.now() + RETRY_MS;
      this.#fail('SQLite could not write its log again', cause);
      throw this.#failure;
    }
    this.#synced = this.#written;
    this.#failure = undefined;
    this.#options.events?.emit('available', { durationMs: performance.now() - this.#failedAt });
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Since the opening. */
  get failures(): number {
    return this.#failures;
  }

  get isCheckpointDue(): boolean {
    return this.#frames >= this.#options.checkpointFrames && this.#checkpointed < this.#frames;
  }

  /**
   * Writes the log into the database, and syncs that; the next commit starts the log again. Only if all is
   * durable: what a checkpoint reads must not change, and a power cut during it needs the log. If it fails,
   * the log stays as it is, and the next one writes the same pages again.
   */
  checkpoint(): void {
    this.#observe();
    if (this.#failure !== undefined || this.#synced < this.#written) return;
    try {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Still due.
    }
    this.#observe();
    this.#synced = this.#written;
  }

  /** Waits for syncs under way. @throws {StoreUnavailable} if the log is not durable afterwards */
  async settle(): Promise<void> {
    await this.durable().catch(() => {});
    this.#retryAt = 0;
    this.recover();
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #observe(): void {
    const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
    if (log === this.#frames && checkpointed === this.#checkpointed) return;
    this.#frames = log;
    this.#checkpointed = checkpointed;
    this.#written++;
  }

  #syncNow(): void {
    const startedAt = this.#options.now();
    try {
      fdatasyncSync(this.#descriptor);
      this.#ended(startedAt, this.#written, null);
    } catch (cause) {
      this.#ended(startedAt, this.#written, cause);
    }
  }

  #sync(): Promise<void> {
    const startedAt = this.#options.now();
    const written = this.#written;
    return new Promise((resolve) => {
      fdatasync(this.#descriptor, (cause) => {
        this.#syncing = undefined;
        this.#ended(startedAt, written, cause);
        resolve();
      });
    });
  }

  /** @param cause of a failed sync, else null */
  #ended(startedAt: number, written: number, cause: unknown): void {
    this.#lastSyncMs = this.#options.now() - startedAt;
    if (cause === null) this.#synced = written;
    else this.#fail('SQLite could not sync its log', cause);
  }

  #fail(message: string, cause: unknown): void {
    const { message: previous } = this.#failure ?? {};
    if (previous === undefined) this.#failedAt = performance.now();
    this.#failures++;
    this.#failure = new StoreUnavailable(message, { cause });
    if (previous !== message) this.#options.events?.emit('unavailable', this.#failure);
  }
}
