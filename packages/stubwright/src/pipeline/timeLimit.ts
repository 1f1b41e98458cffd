// The time limit for promises of the application.
import { errorFrom } from '../errors/thrown.ts';

/** Node's maximum timer: milliseconds in 31 bits. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface TimeLimit<T> {
  readonly timeoutMs: number;
  /** The time starts again after a period in which this was true. */
  readonly isArriving: () => boolean;
  /** @returns the error when the time is over */
  readonly timedOut: () => Error;
  /** Called with a value that arrives later. */
  readonly discard: (value: T) => void;
  /** Called with an error that is thrown later. */
  readonly report: (error: Error) => void;
}

/** Resolves with the value. @throws the error of the promise, or of the limit when the time is over */
export function settledWithin<T>(promise: PromiseLike<T>, limit: TimeLimit<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const start = () => {
      const isArriving = limit.isArriving();
      timer = setTimeout(() => {
        if (isArriving) {
          start();
          return;
        }
        isOver = true;
        reject(limit.timedOut());
      }, limit.timeoutMs);
      // A handler that never settles does not delay the end of the process.
      timer.unref();
    };
    start();
    Promise.resolve(promise).then(
      (value) => {
        clearTimeout(timer);
        if (isOver) limit.discard(value);
        else resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        if (isOver) limit.report(errorFrom(error));
        else reject(error);
      },
    );
  });
}
