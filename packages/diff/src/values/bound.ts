// Bounds of numbers.
import { type Decimal, isLess, multipleFrom, numericOf, toDecimal } from './multiples.ts';

export interface Bound {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
}

export type BoundSide = 'minimum' | 'maximum';

/** @returns the first multiple of `step` inside a bound: for integers above 0 it is 1 */
export function steppedBound(bound: Bound, side: BoundSide, step: Decimal): Bound {
  const value = numericOf(multipleInside(bound, side, step));
  return value === undefined ? bound : { value, isExclusive: false };
}

/** @returns the multiple of `step` nearest to a bound that satisfies it */
export function multipleInside(bound: Bound, side: BoundSide, step: Decimal): Decimal {
  const { isExclusive } = bound;
  return multipleFrom(toDecimal(bound.value), step, { isDown: side === 'maximum', isExclusive });
}

/** Compares bigint and number by value, without rounding. */
export function isStricter(one: Bound, other: Bound, side: BoundSide): boolean {
  if (one.value < other.value) return side === 'maximum';
  if (one.value > other.value) return side === 'minimum';
  return one.isExclusive && !other.isExclusive;
}

/** True if a number satisfies a bound. */
export function isWithin(number: Decimal, bound: Bound | undefined, side: BoundSide): boolean {
  if (bound === undefined) return true;
  const limit = toDecimal(bound.value);
  const [low, high] = side === 'minimum' ? [limit, number] : [number, limit];
  return bound.isExclusive ? isLess(low, high) : !isLess(high, low);
}
