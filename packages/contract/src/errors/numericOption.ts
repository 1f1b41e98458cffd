// Validates numeric options: NaN compares false with every limit, and a string concatenates.
import { shown } from './thrown.ts';

/** The numbers that an option accepts, by default integers. */
export interface NumericRange {
  readonly min: number;
  readonly max: number;
  readonly allowsFractions?: boolean;
}

/** Node's maximum timer: milliseconds in 31 bits. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
