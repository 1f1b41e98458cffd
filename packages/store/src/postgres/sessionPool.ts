// A connection pool with a queue. pg.Pool exceeds its maximum by statements that still run after their
// time, and fails requests when the server has too many connections: test/store/pgPool.test.ts.
import type { Session } from './session.ts';
import { hasTooManyConnections, PoolExhausted } from './sqlState.ts';

/** Called with a session, or with undefined if the caller may open one. */
type Waiter = (session: Session | undefined) => void;

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
