// Who may use the connection of a SQLite database: a transaction holds it from its begin to its end.
import { StoreUnavailable } from '../store.ts';

export class Turn {
  #isTaken = false;
  readonly #queue = new Set<() => void>();

  /**
   * Runs a function that does not return a promise, as soon as no transaction is open.
   *
   * @throws {StoreUnavailable} if a transaction is open for longer than `timeoutMs`
   */
  async run<Result>(timeoutMs: number, act: () => Result): Promise<Result> {
    if (!this.#isTaken) return act();
    const release = await this.take(timeoutMs);
    try {
      return act();
    } finally {
      release();
    }
  }

  /**
   * @returns a function that ends the turn
   * @throws {StoreUnavailable} after `timeoutMs`
   */
  async take(timeoutMs: number): Promise<() => void> {
    if (this.#isTaken) await this.#wait(timeoutMs);
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#release();
    };
  }

  #wait(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = () => {
      clearTimeout(timer);
      this.#queue.delete(next);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#queue.delete(next);
      reject(new StoreUnavailable('Another transaction holds the database'));
    }, timeoutMs);
    this.#queue.add(next);
    return promise;
  }

  // Passes the turn on without a moment in which it is free: nobody overtakes the queue.
  #release(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
