// Exact decimals, for bounds and for `multipleOf`.

import { decimalsOf, type Numeric, unitsOf } from '@stubwright/contract';

/** `units` times 10^-`digits`. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

export const ONE: Decimal = { units: 1n, digits: 0 };

/** Numbers below this one have a text without exponent. */
const MAX_PLAIN = 1e21;

/**
 * By the digits that the contract has for the number. Its reader makes a number of an integer only if a double has
 * its exact value: -9223372036854775808, whose shortest text is -9223372036854776000.
 */
export function toDecimal(value: Numeric): Decimal {
  const isPlain = Number.isInteger(value) && Math.abs(value as number) < MAX_PLAIN;
  if (typeof value === 'bigint' || isPlain) return { units: BigInt(value), digits: 0 };
  const digits = decimalsOf(value);
  return { units: unitsOf(value, digits), digits };
}

/** @returns undefined for a decimal that no number or bigint has exactly */
export function numericOf(decimal: Decimal): Numeric | undefined {
  const { units, digits } = decimal;
  const size = 10n ** BigInt(digits);
  if (units % size === 0n) {
    const integer = units / size;
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  }
  const rounded = Number(`${units}e-${digits}`);
  const [a, b] = scaled(toDecimal(rounded), decimal);
  return a === b ? rounded : undefined;
}

export function isLess(one: Decimal, other: Decimal): boolean {
  const [a, b] = scaled(one, other);
  return a < b;
}

/** @param other positive */
export function isMultiple(one: Decimal, other: Decimal): boolean {
  const [a, b] = scaled(one, other);
  return a % b === 0n;
}

/** @returns the multiple of a positive step from a number on, up or down */
export function multipleFrom(
  start: Decimal,
  step: Decimal,
  { isDown, isExclusive }: { readonly isDown: boolean; readonly isExclusive: boolean },
): Decimal {
  const [from, size, digits] = scaled(start, step);
  const below = from - (((from % size) + size) % size);
  const isOnStep = below === from;
  if (isDown) return { units: isOnStep && isExclusive ? below - size : below, digits };
  return { units: isOnStep && !isExclusive ? below : below + size, digits };
}

export function leastCommonMultiple(one: Decimal, other: Decimal): Decimal {
  const [a, b, digits] = scaled(one, other);
  return { units: (a / greatestCommonDivisor(a, b)) * b, digits };
}

function scaled(one: Decimal, other: Decimal): [bigint, bigint, number] {
  const digits = Math.max(one.digits, other.digits);
  const inUnits = (decimal: Decimal) => decimal.units * 10n ** BigInt(digits - decimal.digits);
  return [inUnits(one), inUnits(other), digits];
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
