// Exact decimal arithmetic on JSON numbers.

/** A JSON number: a bigint where a double would round the integer. */
export type Numeric = number | bigint;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
/** Below this bound the quotient of two doubles distinguishes integers from non-integers. */
const EXACT_QUOTIENT = 2 ** 40;
/** 0.57 is a multiple of 0.01, but the quotient of the doubles is not an integer. */
const TOLERANCE = 1e-9;

/** @returns the number of decimal places: 2 for 0.25 */
export function decimalsOf(value: Numeric): number {
  const [, , , fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

/** @returns the number in units of 10^-digits. @param digits at least its decimal places */
export function unitsOf(value: Numeric, digits: number): bigint {
  const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  const zeros = digits + Number(exponent) - fraction.length;
  return BigInt(`${sign}${whole}${fraction}${'0'.repeat(zeros)}`);
}

/** @param step above 0 */
export function isMultipleOf(value: Numeric, step: Numeric): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) {
    return (value as number) % (step as number) === 0;
  }
  const quotient = Number(value) / Number(step);
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  const isExact = isWhole && (typeof step === 'bigint' || Number.isInteger(step));
  if (!isExact && Math.abs(quotient) < EXACT_QUOTIENT) {
    return Math.abs(Math.round(quotient) - quotient) <= TOLERANCE;
  }
  const digits = Math.max(decimalsOf(value), decimalsOf(step));
  return unitsOf(value, digits) % unitsOf(step, digits) === 0n;
}
