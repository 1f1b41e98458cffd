// A bounded number of connections, each used by one caller at a time; callers above the bound queue.
import type { Session } from './session.ts';
import { ConnectionLost, hasTooManyConnections } from './sqlState.ts';

/** Resolves with a session, or with undefined when the caller may open one. */
type Turn = (session: Session | undefined) => void;

export class SessionPool {
  readonly #open: (timeoutMs: number) => Promise<Session>;
  readonly #max: number;
  readonly #idle: Session[] = [];
  readonly #queue = new Set<Turn>();
  /** Sessions that are open, being opened, or abandoned and perhaps still running a statement. */
  #count = 0;

  constructor(max: number, open: (timeoutMs: number) => Promise<Session>) {
    this.#max = max;
    this.#open = open;
  }

  /**
   * Acts on a session, which is kept for the next caller unless something failed.
   *
   * @param timeoutMs for the wait in the queue, the connection and the act together
   * @throws {ConnectionLost} when that is over, and errors of {@link Session.open} and of `act`
   */
  async use<Result>(
    timeoutMs: number,
    act: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const endAt = performance.now() + timeoutMs;
    const session = await this.#acquire(endAt);
    try {
      const result = await session.within(endAt - performance.now(), () => act(session));
      this.#release(session);
      return result;
    } catch (error) {
      // An abandoned session counts until its statement is cancelled, so they never pile up.
      session.abandon().then(() => this.#forget());
      throw error;
    }
  }

  /** Adds a session that was opened elsewhere, or ends it where the pool is full. */
  add(session: Session): void {
    if (this.#count === this.#max) {
      void session.end();
      return;
    }
    this.#count++;
    this.#release(session);
  }

  /** Closes the sessions that nobody uses: cuts them, or ends them in order. */
  async closeIdle(how: 'abandon' | 'end'): Promise<void> {
    const sessions = this.#idle.splice(0);
    await Promise.all(sessions.map((session) => session[how]().then(() => this.#forget())));
  }

  async #acquire(endAt: number): Promise<Session> {
    for (;;) {
      const session = this.#takeIdle();
      if (session !== undefined) return session;
      const timeoutMs = endAt - performance.now();
      if (timeoutMs <= 0) throw new ConnectionLost('no connection became free in time');
      if (this.#count < this.#max) {
        const opened = await this.#openOne(timeoutMs);
        if (opened !== undefined) return opened;
      }
      const released = await this.#turn(endAt);
      if (released !== undefined) return released;
    }
  }

  /** @returns undefined when the server has no more connections, but this pool has others */
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

  #turn(endAt: number): Promise<Session | undefined> {
    const { promise, resolve } = Promise.withResolvers<Session | undefined>();
    const timer = setTimeout(() => turn(undefined), Math.max(0, endAt - performance.now()));
    const turn: Turn = (session) => {
      clearTimeout(timer);
      this.#queue.delete(turn);
      resolve(session);
    };
    this.#queue.add(turn);
    return promise;
  }

  #release(session: Session): void {
    const [next] = this.#queue;
    if (next === undefined) this.#idle.push(session);
    else next(session);
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
