// The plant store on PostgreSQL: retries batches until their outcome is known or a deadline.
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant, Plant } from '../../plants/plant.ts';
import {
  type CreateOutcome,
  type ReadableStore,
  type StoreEmitter,
  StoreUnavailable,
} from '../../plants/store.ts';
import { type Decision, GroupCommit } from '../groupCommit.ts';
import { Readiness } from '../readiness.ts';
import { Batch, createAlone } from './batch.ts';
import { StoreConnections } from './connections.ts';
import type { Session } from './session.ts';
import { isRefused, isTransient } from './sqlState.ts';

/** The next batch is sent while the server commits the previous one. */
const IN_FLIGHT = 2;
/** Deadline of a create: the client gets a response within a second. */
const PATIENCE_MS = 800;
/** Extends the deadline by about 100 ms per MiB. */
const CHARS_PER_MS = 10_000;
/** Pause between attempts of a batch. */
const RETRY_MS = 50;
/** Minimum time for an attempt. */
const MIN_ATTEMPT_MS = 50;
/** Only tools read pages. */
const PAGE_TIMEOUT_MS = 60_000;

export interface PostgresOptions {
  /** One `postgres://…` URL per host. */
  readonly urls: readonly string[];
  readonly events: StoreEmitter | undefined;
  /** Maximum number of connections; two of them are for commits. */
  readonly maxConnections: number;
  /** Maximum wait of a create for an unavailable database; 800 ms by default. */
  readonly patienceMs?: number | undefined;
}

/**
 * A plant store on PostgreSQL, which several processes may share.
 *
 * After a failed deadline the server is unavailable: creates are rejected immediately until it is back.
 */
export class PostgresStore implements ReadableStore {
  readonly #connections: StoreConnections;
  readonly #patienceMs: number;
  readonly #readiness = new Readiness(() => this.#probe());
  readonly #creates: GroupCommit;

  private constructor(connections: StoreConnections, options: PostgresOptions) {
    this.#connections = connections;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#creates = new GroupCommit((plants) => this.#commit(plants), {
      maxInFlight: IN_FLIGHT,
      readiness: this.#readiness,
      events: options.events,
    });
  }

  /**
   * Opens a store and migrates its database. After a transient error it reconnects in the background, and
   * rejects creates meanwhile.
   *
   * @throws {StoreRefused | Unfit | DatabaseError} and TLS errors that are not transient
   */
  static async open(options: PostgresOptions): Promise<PostgresStore> {
    const { urls, events, maxConnections } = options;
    const others = Math.max(1, maxConnections - IN_FLIGHT);
    const connections = await StoreConnections.open({ urls, commits: IN_FLIGHT, others, events });
    return new PostgresStore(connections, options);
  }

  create(plant: NewPlant): Promise<CreateOutcome> {
    return this.#creates.create(plant);
  }

  async find(id: bigint): Promise<Plant | undefined> {
    const { unavailable: why, others, statements } = this.#connections;
    if (why) throw unavailable(why);
    try {
      return await others.use(this.#patienceMs, (session) => statements.readPlant(session, id));
    } catch (error) {
      throw isTransient(error) || isRefused(error) ? unavailable(error as Error) : error;
    }
  }

  isReady(): Promise<boolean> {
    return this.#connections.unavailable ? Promise.resolve(false) : this.#readiness.isReady();
  }

  get waiting(): number {
    return this.#creates.waiting;
  }

  async pageFrom(id: bigint, limit: number): Promise<NewPlant[]> {
    const deadline = performance.now() + this.#patienceMs;
    const { others } = this.#connections;
    for (;;) {
      let { unavailable: why } = this.#connections;
      try {
        const { statements } = this.#connections;
        const read = (session: Session) => statements.readPlants(session, id, limit);
        if (!why) return await others.use(PAGE_TIMEOUT_MS, read);
      } catch (error) {
        if (!isTransient(error)) throw error;
        why = error as Error;
      }
      if (performance.now() + RETRY_MS > deadline) throw unavailable(why);
      await sleep(RETRY_MS);
    }
  }

  async close(): Promise<void> {
    await this.#creates.close();
    await this.#connections.close();
  }

  async #probe(): Promise<void> {
    try {
      const { others, statements } = this.#connections;
      await others.use(this.#patienceMs, (session) => statements.probe(session));
    } catch (error) {
      this.#connections.markUnavailable(error as Error);
      throw error;
    }
  }

  // Returns outcomes only after PostgreSQL has reported them.
  async #commit(plants: readonly NewPlant[]): Promise<Decision[]> {
    const batch = new Batch(plants, this.#connections.statements);
    const deadline = performance.now() + this.#patienceMs + charsOf(plants) / CHARS_PER_MS;
    const decisions = (undecided: Error) =>
      batch.decisions(undecided, (plant) => this.#createAlone(plant, deadline));
    for (;;) {
      const { unavailable: why, commits } = this.#connections;
      if (why) return decisions(unavailable(why));
      try {
        const timeoutMs = deadline - performance.now();
        await commits.use(timeoutMs, (session) => batch.settle(session));
        return decisions(new Error('The batch is undecided'));
      } catch (error) {
        if (!isTransient(error) && !isRefused(error)) return decisions(error as Error);
        const isLast = performance.now() + RETRY_MS + MIN_ATTEMPT_MS > deadline;
        if (isLast || isRefused(error)) this.#connections.markUnavailable(error as Error);
        else await sleep(RETRY_MS);
      }
    }
  }

  /** Retries a plant whose id is locked by another transaction. Releases the connection after each attempt. */
  async #createAlone(plant: NewPlant, deadline: number): Promise<CreateOutcome> {
    const { others, statements } = this.#connections;
    try {
      for (;;) {
        const timeoutMs = deadline - performance.now();
        const outcome = await others.use(timeoutMs, (session) =>
          createAlone(session, plant, statements),
        );
        if (outcome !== undefined) return outcome;
      }
    } catch (error) {
      if (!isTransient(error) && !isRefused(error)) throw error;
      throw new StoreUnavailable(`Another transaction holds the id ${plant.id}`, { cause: error });
    }
  }
}

function charsOf(plants: readonly NewPlant[]): number {
  return plants.reduce((sum, { name, tag }) => sum + name.length + (tag?.length ?? 0), 0);
}

function unavailable(cause: Error): StoreUnavailable {
  return new StoreUnavailable(`PostgreSQL is unavailable: ${cause.message}`, { cause });
}
