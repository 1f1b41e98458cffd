// What an application throws or returns: values of any type, and replies that violate the contract.
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';

/** A reply that violates the contract: an error of the service. */
export class InvalidReply extends Error {
  override readonly name = 'InvalidReply';
}

/** @returns true for a promise of any library or realm, which `await` waits for */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/**
 * @returns the error itself; for another value, also undefined, or an error that cannot be read, an Error
 *   that describes it
 */
export function errorFrom(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) {
      const { name, message, stack } = thrown;
      if ([name, message, stack ?? ''].every((text) => typeof text === 'string')) return thrown;
    } else if (isNativeError(thrown)) return thrown;
  } catch {
    return new Error(`an error was thrown that cannot be read: ${shown(thrown)}`);
  }
  return new Error(`expected an Error to be thrown, got ${shown(thrown)}`);
}

/** @returns the value in one line, at most 200 characters */
export function shown(value: unknown): string {
  try {
    return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false })
      .replaceAll('\n', ' ')
      .slice(0, MAX_LENGTH);
  } catch {
    return `a value of type ${typeof value} that cannot be shown`;
  }
}

const MAX_LENGTH = 200;

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
