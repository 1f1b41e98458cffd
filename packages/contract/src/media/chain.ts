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

/** @throws the error that replaces one of `call` */
export function withError<T>(
  call: () => T | PromiseLike<T>,
  replace: (thrown: unknown) => unknown,
): MaybePromise<T> {
  const rethrow = (thrown: unknown): never => {
    throw replace(thrown);
  };
  try {
    const result = call();
    return isThenable(result) ? Promise.resolve(result).catch(rethrow) : (result as T);
  } catch (error) {
    return rethrow(error);
  }
}
