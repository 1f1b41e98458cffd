// The connections of a store, and whether the server is there: while it is away it is looked for.
// Knows no plant: what is done on a connection is handed in.
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreEvents } from '../../plants/store.ts';
import { migrate } from './migrate.ts';
import { Session } from './session.ts';
import { isTransient } from './sqlState.ts';

/** Five round trips and TLS fit in it, from another continent. */
const CONNECT_TIMEOUT_MS = 2_000;
/** How often an absent server is looked for. */
const SEARCH_MS = 250;

export class Connections {
  readonly #url: string;
  readonly #count: number;
  readonly #events: StoreEvents;
  readonly #closing = new AbortController();
  #idle: Session[] = [];
  #away: Error | undefined;
  #search: Promise<void> = Promise.resolve();

  private constructor(url: string, count: number, events: StoreEvents) {
    this.#url = url;
    this.#count = count;
    this.#events = events;
  }

  /**
   * Connects and migrates the database. A server that cannot be reached now is no error: it is looked
   * for. What waiting would not mend is one.
   *
   * @param count how many connections are kept
   * @throws {StoreRefused | Unfit | DatabaseError} and what TLS says
   */
  static async open(url: string, count: number, events: StoreEvents): Promise<Connections> {
    const connections = new Connections(url, count, events);
    try {
      await connections.#connect();
    } catch (error) {
      if (!isTransient(error)) throw error;
      connections.leave(error as Error);
    }
    return connections;
  }

  /** Why the server is taken to be away, or the store to be closed; undefined while it is there. */
  get away(): Error | undefined {
    return this.#closing.signal.aborted ? new Error('The store is closed') : this.#away;
  }

  /** Acts on a connection of its own, which is kept for the next only if nothing went wrong. */
  async use<Result>(
    timeoutMs: number,
    act: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const endAt = performance.now() + timeoutMs;
    const session = this.#takeIdle() ?? (await this.#open(timeoutMs));
    try {
      const result = await session.within(endAt - performance.now(), () => act(session));
      this.#idle.push(session);
      return result;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  /** Takes the server to be away from now on, until a new connection works. */
  leave(why: Error): void {
    if (this.away !== undefined) return;
    this.#away = why;
    for (const session of this.#idle.splice(0)) session.destroy();
    this.#events.onAway(why);
    this.#search = this.#comeBack();
  }

  /** Says goodbye on those that are not in use, and cuts the others. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((session) => session.end()));
    this.#closing.abort();
    await this.#search;
  }

  #open(timeoutMs: number): Promise<Session> {
    return Session.open(this.#url, timeoutMs, this.#closing.signal);
  }

  #takeIdle(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop();
      if (session === undefined || session.isOpen) return session;
    }
  }

  /** Makes all connections, on a database that is up to date and can be read. */
  async #connect(): Promise<void> {
    const sessions: Session[] = [];
    try {
      const first = await this.#open(CONNECT_TIMEOUT_MS);
      sessions.push(first);
      await migrate(first);
      await first.within(CONNECT_TIMEOUT_MS, () => probe(first));
      while (sessions.length < this.#count) sessions.push(await this.#open(CONNECT_TIMEOUT_MS));
      this.#idle.push(...sessions);
    } catch (error) {
      for (const session of sessions) session.destroy();
      throw error;
    }
  }

  async #comeBack(): Promise<void> {
    const { signal } = this.#closing;
    const leftAt = performance.now();
    // First at once: the server may be there, and only one connection or one moment was bad.
    while (!signal.aborted) {
      try {
        await this.#connect();
        this.#away = undefined;
        this.#events.onBack(performance.now() - leftAt);
        return;
      } catch (error) {
        if (!signal.aborted) this.#tellChange(error as Error);
      }
      await sleep(SEARCH_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** A server that is back and refuses, or refuses for another reason, is news. */
  #tellChange(why: Error): void {
    if (why.message === this.#away?.message) return;
    this.#away = why;
    this.#events.onAway(why);
  }
}

/** Reading the table tells more than an answer does: it may be locked, or gone. */
export async function probe(session: Session): Promise<void> {
  await session.query({ text: 'SELECT 1 FROM plant LIMIT 1' });
}
