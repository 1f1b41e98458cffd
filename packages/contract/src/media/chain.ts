// A step of a request returns a value or a promise: a promise for each step would cost time in each request.
import { isThenable } from '../errors/thrown.ts';

export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with a value, or with the value of a promise once it is resolved. */
export function chain<T, R>(
  value: T | PromiseLike<T>,
  next: (value: T) => R | PromiseLike<R>,
): MaybePromise<R> {
  return (isThenable(value) ? Promise.resolve(value).then(next) : next(value)) as MaybePromise<R>;
}
