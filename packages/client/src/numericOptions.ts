// Validates the numeric options of a client and of a call.
import type { CallOptions } from './options.ts';

/** Node's maximum timer: milliseconds in 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * @throws {RangeError} for a number out of its range
 * @throws {TypeError} for another value
 */
export function expectCallOptions({ timeoutMs, idleTimeoutMs, retry }: CallOptions): void {
  const { limit, baseDelayMs, maxDelayMs, statuses = [] } = retry || {};
  expectIntegers({ timeoutMs, idleTimeoutMs }, 1);
  expectIntegers(
    { 'retry.limit': limit, 'retry.baseDelayMs': baseDelayMs, 'retry.maxDelayMs': maxDelayMs },
    0,
  );
  for (const status of statuses) expectIntegers({ 'retry.statuses': status }, 100, 599);
}

/** @throws {RangeError | TypeError} */
export function expectIntegers(values: object, min: number, max = LONGEST_TIMER_MS): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) continue;
    const Type = typeof value === 'number' ? RangeError : TypeError;
    throw new Type(`${name}: got ${String(value)}, expected an integer from ${min} to ${max}`);
  }
}
