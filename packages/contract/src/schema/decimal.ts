// Exact decimal arithmetic on JSON numbers.

/** A JSON number: a bigint where a double would round the integer. */
export type Numeric = number | bigint;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
/** A decimal of at most 15 significant digits is the shortest text of its double. */
const EXACT_UNITS = 1e15;
/** Powers of ten up to this one are exact doubles. */
const EXACT_DIGITS = 22;

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

/** @param step above 0. @returns whether a number, by its decimal digits in JSON, is a multiple of it */
export function multipleOf(step: Numeric): (value: Numeric) => boolean {
  const stepDigits = decimalsOf(step);
  const stepUnits = unitsOf(step, stepDigits);
  const scale = 10 ** stepDigits;
  const isExact = stepDigits <= EXACT_DIGITS && stepUnits <= EXACT_UNITS;
  const exactStep = Number(stepUnits);
  return (value) => {
    if (isExact && typeof value === 'number') {
      const units = Math.round(value * scale);
      // Division is correctly rounded: it returns the value, or the value has more decimal places.
      if (Math.abs(units) <= EXACT_UNITS) return units / scale === value && units % exactStep === 0;
    }
    const digits = Math.max(decimalsOf(value), stepDigits);
    return unitsOf(value, digits) % unitsOf(step, digits) === 0n;
  };
}
