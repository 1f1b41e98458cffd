// Sets of numbers: those between two bounds, or the multiples of a step between them. Inclusion is exact.
import { type Bound, isWithin, multipleInside } from './bound.ts';
import { type Decimal, isLess, isMultiple, toDecimal } from './multiples.ts';

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
  return isWithin(
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
      : isWithin(first, other.minimum, 'minimum')) &&
    (last === undefined ? other.maximum === undefined : isWithin(last, other.maximum, 'maximum'));
  if (!isInside) return false;
  // Of one multiple only, the step says nothing.
  const isSingle = first !== undefined && last !== undefined && !isLess(first, last);
  return other.step === undefined || isMultiple(isSingle ? first : step, other.step);
}

function has({ minimum, maximum, step }: NumberSet, number: Decimal): boolean {
  return (
    isWithin(number, minimum, 'minimum') &&
    isWithin(number, maximum, 'maximum') &&
    (step === undefined || isMultiple(number, step))
  );
}
