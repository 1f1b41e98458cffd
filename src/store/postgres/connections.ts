// The connections of a store, and the circuit breaker that refuses work while the server is away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreEmitter } from '../../plants/store.ts';
import { migrate } from './migrate.ts';
import { Session } from './session.ts';
import { SessionPool } from './sessionPool.ts';
import { isTransient } from './sqlState.ts';

/** Five round trips and TLS fit in it, from another continent. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Between two tries to reconnect: doubled after each, so that many processes do not crowd a server. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

export interface ConnectionOptions {
  /** One URL for each host of the cluster. */
  readonly urls: readonly string[];
  /** Connections for commits. */
  readonly commits: number;
  /** Connections for everything else. */
  readonly others: number;
  /** Writes as a create does, and changes nothing. Rejects when creates would fail. */
  readonly probe: (session: Session) => Promise<void>;
  readonly events: StoreEmitter | undefined;
}

export class Connections {
  /** For commits alone: reads never take their connections. */
  readonly commits: SessionPool;
  readonly others: SessionPool;
  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  /** The host that was writable last. */
  #primary: string | undefined;
  #unavailable: Error | undefined;
  #reconnecting: Promise<void> = Promise.resolve();

  private constructor(options: ConnectionOptions) {
    const open = (timeoutMs: number) => this.#open(timeoutMs);
    this.#options = options;
    this.commits = new SessionPool(options.commits, open);
    this.others = new SessionPool(options.others, open);
  }

  /**
   * Connects and migrates the database. A server that cannot be reached now is no error: it is
   * tried again in the background. An error that waiting would not repair is thrown.
   *
   * @throws {StoreRefused | Unfit | DatabaseError} and TLS errors
   */
  static async open(options: ConnectionOptions): Promise<Connections> {
    const connections = new Connections(options);
    try {
      await connections.#connect();
    } catch (error) {
      if (!isTransient(error)) throw error;
      connections.markUnavailable(error as Error);
    }
    return connections;
  }

  /** Why work is refused now, if it is: the server is away, or the store is closed. */
  get unavailable(): Error | undefined {
    return this.#closing.signal.aborted ? new Error('The store is closed') : this.#unavailable;
  }

  /** Refuses work from now on, until a probing write on a new connection succeeds. */
  markUnavailable(why: Error): void {
    if (this.unavailable !== undefined) return;
    this.#unavailable = why;
    this.#primary = undefined;
    void this.commits.closeIdle('abandon');
    void this.others.closeIdle('abandon');
    this.#options.events?.emit('unavailable', why);
    this.#reconnecting = this.#reconnect();
  }

  /** Ends the connections that are idle, and cuts the others. */
  async close(): Promise<void> {
    await Promise.all([this.commits.closeIdle('end'), this.others.closeIdle('end')]);
    this.#closing.abort();
    await this.#reconnecting;
  }

  /** Opens a connection to the host that was writable last, or to the one that is now. */
  async #open(timeoutMs: number): Promise<Session> {
    const urls = this.#primary === undefined ? this.#options.urls : [this.#primary];
    try {
      return await this.#openFirst(urls, (url) => this.#openAt(url, timeoutMs));
    } catch (error) {
      this.#primary = undefined;
      throw error;
    }
  }

  /** Opens a connection, migrates its database and tries a write on it. */
  async #connect(): Promise<void> {
    const session = await this.#openFirst(this.#options.urls, (url) => this.#openProbed(url));
    this.commits.add(session);
  }

  /**
   * Connects to all hosts at once, since one that is frozen does not answer. The first success wins,
   * and the other connections are closed.
   *
   * @throws what waiting does not repair, if a host answered that, else the first host's error
   */
  async #openFirst(
    urls: readonly string[],
    open: (url: string) => Promise<Session>,
  ): Promise<Session> {
    const { promise, resolve } = Promise.withResolvers<Session>();
    let hasWinner = false;
    const attempts = urls.map(async (url) => {
      const session = await open(url);
      if (hasWinner) return session.end();
      hasWinner = true;
      this.#primary = url;
      resolve(session);
    });
    await Promise.any(attempts).catch(({ errors }: AggregateError) => {
      throw errors.find((error) => !isTransient(error)) ?? errors[0];
    });
    return promise;
  }

  #openAt(url: string, timeoutMs: number): Promise<Session> {
    return Session.open(url, timeoutMs, this.#closing.signal);
  }

  // A former primary that was cut off still accepts connections, and a write there gets no answer.
  async #openProbed(url: string): Promise<Session> {
    const session = await this.#openAt(url, CONNECT_TIMEOUT_MS);
    try {
      await migrate(session);
      await session.within(CONNECT_TIMEOUT_MS, () => this.#options.probe(session));
      return session;
    } catch (error) {
      await session.abandon();
      throw error;
    }
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    const { events } = this.#options;
    const startedAt = performance.now();
    // The first try is immediate: one connection may have failed, and not the server.
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs *= 2) {
      try {
        await this.#connect();
        this.#unavailable = undefined;
        events?.emit('available', { durationMs: performance.now() - startedAt });
        return;
      } catch (error) {
        if (!signal.aborted) this.#reportChange(error as Error);
      }
      await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => {});
    }
  }

  /** A server that is back and refuses, or refuses for another reason, is worth a log line. */
  #reportChange(why: Error): void {
    if (why.message === this.#unavailable?.message) return;
    this.#unavailable = why;
    this.#options.events?.emit('unavailable', why);
  }
}
