// Validates the numeric options of a client and of a call.
import type { CallOptions } from './options.ts';

/** Node's maximum timer: milliseconds in 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * @throws {RangeError} for a number out of its range
 * @throws {TypeError} for another value
 */
export function expectCallOptions({ timeoutMs, retry }: CallOptions): void {
  expectInteger('timeoutMs', timeoutMs, 1);
  if (!retry) return;
  expectInteger('retry.limit', retry.limit, 0);
  expectInteger('retry.baseDelayMs', retry.baseDelayMs, 0);
  expectInteger('retry.maxDelayMs', retry.maxDelayMs, 0);
  for (const status of retry.statuses ?? []) expectInteger('retry.statuses', status, 100, 599);
}

function expectInteger(name: string, value: unknown, min: number, max = LONGEST_TIMER_MS): void {
  if (value === undefined) return;
  const isValid = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  if (isValid) return;
  const message = `${name}: got ${String(value)}, expected an integer from ${min} to ${max}`;
  throw typeof value === 'number' ? new RangeError(message) : new TypeError(message);
}
