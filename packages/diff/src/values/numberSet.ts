// Numbers: exact decimals, bounds, and sets of numbers between two bounds, all or the multiples of a step.
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
function numericOf(decimal: Decimal): Numeric | undefined {
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

function isLess(one: Decimal, other: Decimal): boolean {
  const [a, b] = scaled(one, other);
  return a < b;
}

/** @param other positive */
export function isMultiple(one: Decimal, other: Decimal): boolean {
  const [a, b] = scaled(one, other);
  return a % b === 0n;
}

/** @returns the multiple of a positive step from a number on, up or down */
function multipleFrom(
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
function multipleInside(bound: Bound, side: BoundSide, step: Decimal): Decimal {
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
function satisfiesBound(number: Decimal, bound: Bound | undefined, side: BoundSide): boolean {
  if (bound === undefined) return true;
  const limit = toDecimal(bound.value);
  const [low, high] = side === 'minimum' ? [limit, number] : [number, limit];
  return bound.isExclusive ? isLess(low, high) : !isLess(high, low);
}

export interface NumberSet {
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  /** Positive; undefined for real numbers. */
  readonly step: Decimal | undefined;
}

/** @returns true if every number of one set is in the other */
export function isSubset(one: NumberSet, other: NumberSet): boolean {
  return one.step === undefined
    ? isRangeWithin(one, other)
    : areMultiplesWithin({ ...one, step: one.step }, other);
}

/** No number is both above 0 and below 0. */
export function isEmpty(numbers: NumberSet): boolean {
  const zero = { value: 0, isExclusive: true };
  return (
    isSubset(numbers, { minimum: zero, maximum: undefined, step: undefined }) &&
    isSubset(numbers, { minimum: undefined, maximum: zero, step: undefined })
  );
}

/** Between two different limits there are numbers that are no multiples of a step. */
function isRangeWithin(one: NumberSet, other: NumberSet): boolean {
  const { minimum, maximum } = one;
  const [low, high] = [minimum, maximum].map((bound) => bound && toDecimal(bound.value));
  if (low !== undefined && high !== undefined && !isLess(low, high)) {
    const isEmpty = isLess(high, low) || minimum!.isExclusive || maximum!.isExclusive;
    return isEmpty || has(other, low);
  }
  return (
    other.step === undefined &&
    isBoundImplied(minimum, other.minimum, 'minimum') &&
    isBoundImplied(maximum, other.maximum, 'maximum')
  );
}

function isBoundImplied(
  own: Bound | undefined,
  other: Bound | undefined,
  side: 'minimum' | 'maximum',
): boolean {
  if (other === undefined) return true;
  if (own === undefined) return false;
  return satisfiesBound(
    toDecimal(own.value),
    { ...other, isExclusive: other.isExclusive && !own.isExclusive },
    side,
  );
}

function areMultiplesWithin(
  one: NumberSet & { readonly step: Decimal },
  other: NumberSet,
): boolean {
  const { minimum, maximum, step } = one;
  const first = minimum && multipleInside(minimum, 'minimum', step);
  const last = maximum && multipleInside(maximum, 'maximum', step);
  if (first !== undefined && last !== undefined && isLess(last, first)) return true;
  const isInside =
    (first === undefined
      ? other.minimum === undefined
      : satisfiesBound(first, other.minimum, 'minimum')) &&
    (last === undefined
      ? other.maximum === undefined
      : satisfiesBound(last, other.maximum, 'maximum'));
  if (!isInside) return false;
  // Of one multiple only, the step says nothing.
  const isSingle = first !== undefined && last !== undefined && !isLess(first, last);
  return other.step === undefined || isMultiple(isSingle ? first : step, other.step);
}

function has({ minimum, maximum, step }: NumberSet, number: Decimal): boolean {
  return (
    satisfiesBound(number, minimum, 'minimum') &&
    satisfiesBound(number, maximum, 'maximum') &&
    (step === undefined || isMultiple(number, step))
  );
}
