// Determines whether a double represents a JSON number exactly.

const FLOAT = /^-?(\d+)(?:\.(\d+))?/;
/** Every integer of up to 15 digits is exact as a double. */
export const EXACT_DIGITS = 15;
/** Below this exponent a number may underflow to 0. */
const MIN_EXPONENT = -323;
/** The powers of 5 below 2^53. */
const POWERS_OF_5 = Array.from({ length: 23 }, (_, exponent) => 5 ** exponent);
const POWERS_OF_10 = Array.from({ length: 309 }, (_, exponent) => Number(`1e${exponent}`));
/** Slightly less than Number.MAX_VALUE. */
const MAX_MAGNITUDE = 1.7e308;
/** Above every integer format; larger numbers are doubles. */
export const MAX_INTEGER = 2 ** 64;

/** True for a number or a bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Fast check of a number with a fraction or an exponent.
 *
 * @param mantissa the digits as a double, rounded beyond 15 digits
 * @param scale the power of 10 of the last digit
 * @returns true if the double is exact, or if neither the number nor its double is an integer; false if
 *   that is unknown
 */
export function isExactFloat(mantissa: number, digits: number, scale: number): boolean {
  if (mantissa === 0) return true;
  if (digits > EXACT_DIGITS) return isClearlyFractional(mantissa / powerOf10(-scale));
  if (scale <= 0) return scale >= MIN_EXPONENT;
  const power = POWERS_OF_5[scale];
  if (power !== undefined && mantissa * power < 2 ** 53) return true;
  const magnitude = mantissa * powerOf10(scale);
  return magnitude > 2 * MAX_INTEGER && magnitude < MAX_MAGNITUDE;
}

/** @returns the value of an integer below 2^64 with at most 15 digits and a positive scale, else undefined */
export function shortInteger(mantissa: number, digits: number, scale: number): bigint | undefined {
  const isShort = digits <= EXACT_DIGITS && scale > 0;
  return isShort && mantissa * powerOf10(scale) < MAX_INTEGER
    ? BigInt(mantissa) * 10n ** BigInt(scale)
    : undefined;
}

/** True if rounding of the mantissa cannot result in an integer. */
function isClearlyFractional(value: number): boolean {
  const fraction = value % 1;
  return value < 1e9 && fraction > 0.01 && fraction < 0.99;
}

function powerOf10(exponent: number): number {
  return POWERS_OF_10[exponent] ?? Number.NaN;
}

/**
 * @param scale the power of 10 of the last digit
 * @returns the digits without sign and trailing zeros, and the number of zeros to append: negative for a
 *   non-integer
 */
export function decimal(source: string, scale: number): { digits: string; zeros: number } {
  const [, whole = '', fraction = ''] = FLOAT.exec(source) ?? [];
  const all = whole + fraction;
  const digits = withoutTrailingZeros(all);
  return { digits, zeros: scale + all.length - digits.length };
}

// Not a regular expression: /0+$/ takes quadratic time on a long run of zeros before a last 1.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/** A contract may declare an id as a string in the path and as an integer in the body. */
export function likeType(value: unknown, before: unknown): unknown {
  if (typeof before === 'string' && ['number', 'bigint'].includes(typeof value)) {
    return String(value);
  }
  const isInteger = typeof value === 'string' && /^-?(?:0|[1-9]\d{0,18})$/.test(value);
  if (!isNumber(before) || !isInteger) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
}
