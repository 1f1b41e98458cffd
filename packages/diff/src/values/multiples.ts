// Exact positive decimals, for `multipleOf`.

import { decimalsOf, type Numeric, unitsOf } from '@stubwright/contract';

/** `units` times 10^-`digits`. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

export const ONE: Decimal = { units: 1n, digits: 0 };

export function toDecimal(value: Numeric): Decimal {
  const digits = decimalsOf(value);
  return { units: unitsOf(value, digits), digits };
}

export function isMultiple(one: Decimal, other: Decimal): boolean {
  const [a, b] = scaled(one, other);
  return a % b === 0n;
}

export function leastCommonMultiple(one: Decimal, other: Decimal): Decimal {
  const [a, b, digits] = scaled(one, other);
  return { units: (a / greatestCommonDivisor(a, b)) * b, digits };
}

/** @returns the value of a decimal that is an integer */
export function integerOf({ units, digits }: Decimal): bigint {
  return units / 10n ** BigInt(digits);
}

function scaled(one: Decimal, other: Decimal): [bigint, bigint, number] {
  const digits = Math.max(one.digits, other.digits);
  const inUnits = (each: Decimal) => each.units * 10n ** BigInt(digits - each.digits);
  return [inUnits(one), inUnits(other), digits];
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
