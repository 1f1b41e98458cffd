// Values that the application throws or returns, of any type.
import { inspect } from 'node:util';

/** @returns true for a promise of any library or realm, which `await` waits for */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/** @returns the error itself; an Error with the value as cause for another value, also for undefined */
export function errorFrom(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(`expected an Error to be thrown, got ${shown(thrown)}`, { cause: thrown });
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
