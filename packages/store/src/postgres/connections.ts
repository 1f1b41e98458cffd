// The connection pools of a store, and a circuit breaker that reconnects.

import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedSchema } from '../schema.ts';
import type { StoreEmitter } from '../store.ts';
import { migrate } from './migrate.ts';
import { type DatabaseNames, DURABLE } from './postgresRows.ts';
import { hasTooManyConnections, isTransient, PoolExhausted, Session } from './session.ts';
import { TableStatements } from './writeStatements.ts';

/** The next batch is sent while the server commits the previous one. */
export const IN_FLIGHT = 2;
/** Enough for five round trips and TLS between continents. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Exponential backoff between attempts to reconnect. */
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

export interface StoreConnectionOptions {
  readonly schema: OpenedSchema;
  /** One URL per host of the cluster. */
  readonly urls: readonly string[];
  /** Maximum number of connections; two of them are for commits. */
  readonly maxConnections: number;
  readonly events: StoreEmitter | undefined;
}

export class StoreConnections {
  /** Separate from reads, which must not block commits. */
  readonly commits: SessionPool;
  readonly others: SessionPool;
  readonly #options: StoreConnectionOptions;
  readonly #closing = new AbortController();
  /** The URL of the last writable host. */
  #primary: string | undefined;
  /** Of the schema that the first connection found. */
  #names: DatabaseNames | undefined;
  #probes: readonly TableStatements[] = [];
  #unavailable: Error | undefined;
  #reconnecting: Promise<void> = Promise.resolve();

  private constructor(options: StoreConnectionOptions) {
    const open = (timeoutMs: number) => this.#open(timeoutMs);
    this.#options = options;
    this.commits = new SessionPool(IN_FLIGHT, open);
    const others = Math.max(1, options.maxConnections - IN_FLIGHT);
    this.others = new SessionPool(others, open, (connections) =>
      options.events?.emit('exhausted', { connections }),
    );
  }

  /**
   * Connects and migrates the database. After a transient error it reconnects in the background.
   *
   * @throws {StoreRefused | Unfit | DatabaseError} and TLS errors that are not transient
   */
  static async open(options: StoreConnectionOptions): Promise<StoreConnections> {
    const connections = new StoreConnections(options);
    try {
      await connections.#connect();
    } catch (error) {
      if (!isTransient(error)) throw error;
      connections.markUnavailable(error as Error);
    }
    return connections;
  }

  /** The reason why the circuit is open: server unavailable or store closed; undefined if it is not. */
  get unavailable(): Error | undefined {
    return this.#closing.signal.aborted ? new Error('The store is closed') : this.#unavailable;
  }

  /** Aborts when the store closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Defined if the server is available. */
  get names(): DatabaseNames {
    return this.#names!;
  }

  /**
   * Checks that writes would succeed: inserts into each table, which it rolls back, and a durable write that
   * changes nothing.
   *
   * @throws {Unfit | DatabaseError} for a table that would lose or change rows
   */
  async probe(session: Session): Promise<void> {
    for (const table of this.#probes) await table.probe(session);
    await this.makeDurable(session);
  }

  /** Waits until the rows are durable that the session has read. */
  async makeDurable(session: Session): Promise<void> {
    await session.query({ name: 'mark', text: `SELECT ${DURABLE}, ${this.names.mark}` });
  }

  /** Marks the server as unavailable, and reconnects until a probe succeeds. */
  markUnavailable(reason: Error): void {
    if (this.unavailable !== undefined) return;
    this.#unavailable = reason;
    this.#primary = undefined;
    void this.commits.closeIdle('abandon');
    void this.others.closeIdle('abandon');
    this.#options.events?.emit('unavailable', reason);
    this.#reconnecting = this.#reconnect();
  }

  /** Closes idle connections gracefully, and destroys the others. */
  async close(): Promise<void> {
    await Promise.all([this.commits.closeIdle('end'), this.others.closeIdle('end')]);
    this.#closing.abort();
    await this.#reconnecting;
  }

  /** Opens a connection to the last writable host, else to the current one. */
  async #open(timeoutMs: number): Promise<Session> {
    const urls = this.#primary === undefined ? this.#options.urls : [this.#primary];
    try {
      return await this.#openFirst(urls, (url) => this.#openAt(url, timeoutMs));
    } catch (error) {
      this.#primary = undefined;
      throw error;
    }
  }

  /** Opens a connection, migrates the database and probes it. */
  async #connect(): Promise<void> {
    const session = await this.#openFirst(this.#options.urls, (url) => this.#openProbed(url));
    this.commits.add(session);
  }

  /**
   * Connects to all hosts in parallel, since a frozen host does not respond. The first success wins; the
   * other connections are closed.
   *
   * @throws the first error that is not transient, else the error of the first host
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
    const name = `${this.#options.schema.name}-store`;
    return Session.open({ url, name }, timeoutMs, this.#closing.signal);
  }

  // An isolated former primary accepts connections, but its commits do not complete.
  async #openProbed(url: string): Promise<Session> {
    const session = await this.#openAt(url, CONNECT_TIMEOUT_MS);
    try {
      const names = await migrate(session, this.#options.schema, this.#names);
      this.#useNames(names);
      await session.within(CONNECT_TIMEOUT_MS, () => this.probe(session));
      return session;
    } catch (error) {
      await session.abandon();
      throw error;
    }
  }

  #useNames(names: DatabaseNames): void {
    if (this.#names !== undefined) return;
    this.#names = names;
    this.#probes = this.#options.schema.tables.map((table) => new TableStatements(table, names));
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    const { events } = this.#options;
    const startedAt = performance.now();
    // The first attempt is immediate: the failure may affect a single connection.
    for (let pauseMs = MIN_PAUSE_MS; !signal.aborted; pauseMs *= 2) {
      try {
        await this.#connect();
        this.#unavailable = undefined;
        events?.emit('available', { durationMs: performance.now() - startedAt });
        return;
      } catch (error) {
        if (!signal.aborted) this.#reportChange(error as Error);
      }
      await sleep(Math.min(pauseMs, MAX_PAUSE_MS), undefined, { signal }).catch(() => {});
    }
  }

  #reportChange(reason: Error): void {
    if (reason.message === this.#unavailable?.message) return;
    this.#unavailable = reason;
    this.#options.events?.emit('unavailable', reason);
  }
}

/** Called with a session, or with undefined if the caller may open one. */
type Waiter = (session: Session | undefined) => void;

/**
 * Counts a statement that takes too long until the server has cancelled it, where the pool of pg forgets
 * it, and shares the open connections if the server refuses another, where that of pg fails the statement.
 */
export class SessionPool {
  readonly #open: (timeoutMs: number) => Promise<Session>;
  readonly #max: number;
  readonly #onExhausted: (connections: number) => void;
  #isExhausted = false;
  readonly #idle: Session[] = [];
  readonly #queue = new Set<Waiter>();
  /** Sessions that are open, opening, or abandoned with a statement that may still run. */
  #count = 0;

  /** @param onExhausted called once, until a session is idle again */
  constructor(
    max: number,
    open: (timeoutMs: number) => Promise<Session>,
    onExhausted: (connections: number) => void = () => {},
  ) {
    this.#max = max;
    this.#onExhausted = onExhausted;
    this.#open = open;
  }

  /**
   * Calls `callback` with a session. After an error the session is abandoned.
   *
   * @param timeoutMs for waiting, connecting and `callback` together
   * @param holdMs for `callback` alone; by default the rest of `timeoutMs`
   * @throws {ConnectionLost} after the timeout
   * @throws the errors of {@link Session.open} and of `callback`
   */
  async use<Result>(
    timeoutMs: number,
    callback: (session: Session) => Promise<Result>,
    holdMs?: number,
  ): Promise<Result> {
    const endAt = performance.now() + timeoutMs;
    const session = await this.#acquire(endAt);
    try {
      const result = await session.within(holdMs ?? endAt - performance.now(), () =>
        callback(session),
      );
      this.#release(session);
      return result;
    } catch (error) {
      // Counted until its statement is cancelled, which bounds the number of abandoned sessions.
      session.abandon().then(() => this.#forget());
      throw error;
    }
  }

  /** Adds an open session, or closes it if the pool is full. */
  add(session: Session): void {
    if (this.#count === this.#max) {
      void session.end();
      return;
    }
    this.#count++;
    this.#release(session);
  }

  async closeIdle(how: 'abandon' | 'end'): Promise<void> {
    const sessions = this.#idle.splice(0);
    await Promise.all(sessions.map((session) => session[how]().then(() => this.#forget())));
  }

  async #acquire(endAt: number): Promise<Session> {
    for (;;) {
      const session = this.#takeIdle();
      if (session !== undefined) return session;
      const timeoutMs = endAt - performance.now();
      if (timeoutMs <= 0) throw this.#exhausted();
      if (this.#count < this.#max) {
        const opened = await this.#openOne(timeoutMs);
        // Another session may have become idle while the server refused this one.
        const free = opened ?? this.#takeIdle();
        if (free !== undefined) return free;
      }
      const released = await this.#wait(endAt);
      if (released !== undefined) return released;
    }
  }

  /** @returns undefined if the server has too many connections and this pool has others */
  async #openOne(timeoutMs: number): Promise<Session | undefined> {
    this.#count++;
    try {
      return await this.#open(timeoutMs);
    } catch (error) {
      this.#count--;
      if (this.#count > 0 && hasTooManyConnections(error)) return undefined;
      this.#wakeNext();
      throw error;
    }
  }

  #takeIdle(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop();
      if (session === undefined || session.isOpen) return session;
      this.#count--;
    }
  }

  #wait(endAt: number): Promise<Session | undefined> {
    const { promise, resolve } = Promise.withResolvers<Session | undefined>();
    const timer = setTimeout(() => waiter(undefined), Math.max(0, endAt - performance.now()));
    const waiter: Waiter = (session) => {
      clearTimeout(timer);
      this.#queue.delete(waiter);
      resolve(session);
    };
    this.#queue.add(waiter);
    return promise;
  }

  #release(session: Session): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#idle.push(session);
      this.#isExhausted = false;
    } else next(session);
  }

  #exhausted(): PoolExhausted {
    if (!this.#isExhausted) this.#onExhausted(this.#max);
    this.#isExhausted = true;
    return new PoolExhausted(this.#max);
  }

  #forget(): void {
    this.#count--;
    this.#wakeNext();
  }

  #wakeNext(): void {
    const [next] = this.#queue;
    next?.(undefined);
  }
}
