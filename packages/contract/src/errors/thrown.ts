// The values of an application: thrown errors, replies that violate the contract, numeric options.

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

/** The numbers that an option accepts, by default integers. */
export interface NumericRange {
  readonly min: number;
  readonly max: number;
  readonly allowsFractions?: boolean;
}

/** Node's maximum timer: milliseconds in 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time, of which 0 has a meaning of its own. */
export const TIME_MS: NumericRange = { min: 0, max: LONGEST_TIMER_MS };
export const TIMER_MS: NumericRange = { min: 1, max: LONGEST_TIMER_MS };
export const SECONDS: NumericRange = {
  ...{ min: 0, max: Math.floor(LONGEST_TIMER_MS / 1000), allowsFractions: true },
};
export const SHARE: NumericRange = { min: 0, max: 1, allowsFractions: true };
export const COUNT: NumericRange = { min: 0, max: Number.MAX_SAFE_INTEGER };
export const POSITIVE: NumericRange = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** @returns a line for a value out of the range; undefined for a valid or absent one */
export function numberViolation(
  name: string,
  value: unknown,
  { min, max, allowsFractions = false }: NumericRange,
): string | undefined {
  if (value === undefined) return undefined;
  const isKind = allowsFractions ? typeof value === 'number' : Number.isInteger(value);
  if (isKind && (value as number) >= min && (value as number) <= max) return undefined;
  const kind = allowsFractions ? 'a number' : 'an integer';
  return `${name}: got ${shown(value)}, expected ${kind} from ${min} to ${max}`;
}

/**
 * @param ranges by the names of the options
 * @param prefix of the names in messages
 * @throws {RangeError} for a number out of its range
 * @throws {TypeError} for another value
 */
export function expectNumbers(
  options: object,
  ranges: Readonly<Record<string, NumericRange>> | readonly NumericRange[],
  prefix = '',
): void {
  for (const [name, range] of Object.entries(ranges)) {
    const value: unknown = (options as Record<string, unknown>)[name];
    const violation = numberViolation(prefix + name, value, range);
    if (violation === undefined) continue;
    throw typeof value === 'number' ? new RangeError(violation) : new TypeError(violation);
  }
}
