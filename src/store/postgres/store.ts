// The plant store on PostgreSQL: batches on two connections, each retried until its outcome is known
// or its creates have waited long enough. Knows no HTTP; batch.ts knows the SQL.
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant, Plant } from '../../plants/plant.ts';
import {
  type CommitObserver,
  type CreateOutcome,
  type ReadableStore,
  type StoreEvents,
  StoreUnavailable,
} from '../../plants/store.ts';
import { type Decision, GroupCommit } from '../groupCommit.ts';
import { Batch, readPlant, readPlants } from './batch.ts';
import { Connections, probe } from './connections.ts';
import type { Session } from './session.ts';
import { isTransient } from './sqlState.ts';

/** While the server commits one batch, the next is on its way. */
const IN_FLIGHT = 2;
/** After that long a create is refused, so that its sender hears within a second. */
const PATIENCE_MS = 800;
/** A large batch is given longer: 100 ms for each MiB or so. */
const CHARS_PER_MS = 10_000;
/** Between two tries of a batch: a server that restarts may be back in no time. */
const RETRY_MS = 50;
/** A try that has less is none. */
const SHORTEST_TRY_MS = 50;
/** Nobody waits for a page but a tool. */
const PAGE_TIMEOUT_MS = 60_000;

/**
 * A plant store on PostgreSQL. Several processes may have one on the same database.
 *
 * While the server is away creates are refused at once, until it is back. Before that a create waits
 * as long as its batch is tried.
 */
export class PostgresStore implements ReadableStore {
  readonly #connections: Connections;
  readonly #patienceMs: number;
  readonly #creates = new GroupCommit((plants) => this.#commit(plants), {
    mostInFlight: IN_FLIGHT,
  });

  private constructor(connections: Connections, patienceMs: number) {
    this.#connections = connections;
    this.#patienceMs = patienceMs;
  }

  /**
   * Opens a store and migrates its database. A server that cannot be reached now is no error: it is
   * looked for, and creates are refused meanwhile. What waiting would not mend is one.
   *
   * @param url `postgres://…`, as libpq and node-postgres read it
   * @param patienceMs how long a batch is tried
   * @throws {StoreRefused | Unfit | DatabaseError} and what TLS says
   */
  static async open(
    url: string,
    events: StoreEvents,
    patienceMs = PATIENCE_MS,
  ): Promise<PostgresStore> {
    return new PostgresStore(await Connections.open(url, IN_FLIGHT, events), patienceMs);
  }

  create(plant: NewPlant): Promise<CreateOutcome> {
    return this.#creates.create(plant);
  }

  async find(id: bigint): Promise<Plant | undefined> {
    const { away } = this.#connections;
    if (away) throw unavailable(away);
    try {
      return await this.#connections.use(this.#patienceMs, (session) => readPlant(session, id));
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.#connections.leave(error as Error);
      throw unavailable(error as Error);
    }
  }

  async isReady(): Promise<boolean> {
    if (this.#connections.away) return false;
    try {
      await this.#connections.use(this.#patienceMs, probe);
      return true;
    } catch (error) {
      if (isTransient(error)) this.#connections.leave(error as Error);
      return false;
    }
  }

  get waiting(): number {
    return this.#creates.waiting;
  }

  observe(onCommit: CommitObserver): void {
    this.#creates.observe(onCommit);
  }

  async pageFrom(id: bigint, most: number): Promise<NewPlant[]> {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      let { away } = this.#connections;
      try {
        const read = (session: Session) => readPlants(session, id, most);
        if (!away) return await this.#connections.use(PAGE_TIMEOUT_MS, read);
      } catch (error) {
        if (!isTransient(error)) throw error;
        away = error as Error;
      }
      if (performance.now() + RETRY_MS > deadline) throw unavailable(away);
      await sleep(RETRY_MS);
    }
  }

  async close(): Promise<void> {
    await this.#creates.close();
    await this.#connections.close();
  }

  // Whatever happens, an outcome leaves here only after PostgreSQL told it.
  async #commit(plants: readonly NewPlant[]): Promise<Decision[]> {
    const batch = new Batch(plants);
    const deadline = performance.now() + this.#patienceMs + charsOf(plants) / CHARS_PER_MS;
    for (;;) {
      const { away } = this.#connections;
      if (away) return batch.decisions(unavailable(away));
      try {
        const timeoutMs = deadline - performance.now();
        await this.#connections.use(timeoutMs, (session) => batch.settle(session));
        return batch.decisions(new Error('The batch is undecided'));
      } catch (error) {
        if (!isTransient(error)) return batch.decisions(error as Error);
        const isLast = performance.now() + RETRY_MS + SHORTEST_TRY_MS > deadline;
        if (isLast) this.#connections.leave(error as Error);
        else await sleep(RETRY_MS);
      }
    }
  }
}

function charsOf(plants: readonly NewPlant[]): number {
  return plants.reduce((sum, { name, tag }) => sum + name.length + (tag?.length ?? 0), 0);
}

function unavailable(cause: Error): StoreUnavailable {
  return new StoreUnavailable(`PostgreSQL is away: ${cause.message}`, { cause });
}
