// Aborts a request when its time is over, or with the signal of the caller.

export class TimeLimit {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #cancel = () => this.#abort.abort(this.#outer?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @throws the reason of an aborted signal */
  constructor(outer: AbortSignal | undefined, timeoutMs: number) {
    this.#outer = outer;
    outer?.throwIfAborted();
    outer?.addEventListener('abort', this.#cancel);
    this.restart(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** @param ms from now on; undefined without a limit */
  restart(ms?: number): void {
    clearTimeout(this.#timer);
    if (ms === undefined) return;
    this.#timer = setTimeout(() => {
      this.#abort.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError'));
    }, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#cancel);
  }
}
