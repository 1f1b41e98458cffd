// The body of a response as a stream that frees its connection.
import type { CallTimer } from './timeLimit.ts';

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
