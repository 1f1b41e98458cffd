// The time limits of a request, and the body of its response as a stream that frees the connection.

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

/** The limits of a stream, and its errors. */
export interface Streaming {
  /** Ends with the stream. */
  readonly limit: CallTimer;
  /** Until the first read. */
  readonly timeoutMs: number;
  /** Of each read. */
  readonly idleTimeoutMs: number | undefined;
  /** @returns the error of the stream for one of its connection */
  readonly errorOf: (cause: unknown) => unknown;
}

/** @returns the same bytes, read on demand */
export function bodyStream(
  { body }: Response,
  { limit, timeoutMs, idleTimeoutMs, errorOf }: Streaming,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  limit.restart(timeoutMs);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        limit.restart(idleTimeoutMs);
        try {
          const { value } = (await reader?.read()) ?? {};
          if (value !== undefined) {
            limit.restart();
            controller.enqueue(value);
            return;
          }
          limit.end();
          controller.close();
        } catch (error) {
          limit.end();
          controller.error(errorOf(limit.signal.aborted ? limit.signal.reason : error));
        }
      },
      cancel(reason) {
        limit.end();
        return reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * @param items of a stream @param end frees its connection: a generator that has not started does not
 * @returns the items, whose iteration may end before it starts
 */
export function freeing<Item>(
  items: AsyncGenerator<Item, void, undefined>,
  end: () => unknown,
): AsyncIterableIterator<Item, void, undefined> {
  const iterator: AsyncIterableIterator<Item, void, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => items.next(),
    async return() {
      await items.return();
      await end();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}
