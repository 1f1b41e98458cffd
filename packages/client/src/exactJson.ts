// JSON of values with bigints, for keys and caches.
import { parsedWith, serialized } from './json.ts';

/**
 * Serializes JSON from which {@link parse} returns the same value: a bigint is an integer with the exponent
 * 0 (`1e0`) unless a double would round it.
 *
 * @throws {TypeError} for a number that is not finite
 * @example
 * stringify(['getToy', { id: 9007199254740993n }]); // ["getToy",{"id":9007199254740993}]
 */
export function stringify(value: unknown): string {
  return serialized(value, (each) => {
    if (typeof each === 'bigint') return isRounded(String(each)) ? String(each) : `${each}e0`;
    if (typeof each === 'number' && !Number.isFinite(each)) {
      throw new TypeError(`expected a finite number, got ${each}`);
    }
    return Object.is(each, -0) ? '-0' : undefined;
  });
}

/**
 * Parses JSON: an integer that a double would round is a bigint, as is one with the exponent 0.
 *
 * @throws {SyntaxError} for invalid JSON
 */
export function parse(text: string): unknown {
  JSON.parse(text);
  return parsedWith((number) => {
    const [, digits] = /^(-?\d+)e0$/.exec(number) ?? [];
    if (digits !== undefined) return BigInt(digits);
    return isRounded(number) ? BigInt(number) : Number(number);
  }, text);
}

/** True for the digits of an integer that a double does not have. */
function isRounded(digits: string): boolean {
  return /^-?\d+$/.test(digits) && digits !== '-0' && String(Number(digits)) !== digits;
}
