// Aborts a request when its time is over, or with the signal of the caller.

export interface CallTimer {
  readonly signal: AbortSignal;
  /** @param ms from now on; undefined without a limit */
  restart(ms?: number): void;
  end(): void;
}

/** @throws the reason of an aborted signal */
export function limitTime(outer: AbortSignal | undefined, timeoutMs: number): CallTimer {
  outer?.throwIfAborted();
  const abort = new AbortController();
  const cancel = () => abort.abort(outer!.reason);
  let timer: ReturnType<typeof setTimeout>;
  const restart = (ms?: number) => {
    clearTimeout(timer);
    if (ms === undefined) return;
    timer = setTimeout(() => {
      abort.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError'));
    }, ms);
  };
  const end = () => {
    restart();
    outer?.removeEventListener('abort', cancel);
  };
  outer?.addEventListener('abort', cancel);
  restart(timeoutMs);
  return { signal: abort.signal, restart, end };
}
