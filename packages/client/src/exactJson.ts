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
  return serialized(value, (value) => {
    if (typeof value === 'bigint') return isRounded(String(value)) ? String(value) : `${value}e0`;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new TypeError(`expected a finite number, got ${value}`);
    }
    return Object.is(value, -0) ? '-0' : undefined;
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
