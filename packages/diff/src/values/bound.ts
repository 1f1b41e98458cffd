// Bounds of numbers.
import { type Decimal, integerOf } from './multiples.ts';

export interface Bound {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
}

/** @returns the first multiple of `step` inside a bound: for integers above 0 it is 1 */
export function integerBound(bound: Bound, side: 'minimum' | 'maximum', step: Decimal): Bound {
  const { value, isExclusive } = bound;
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return bound;
  const toward = side === 'minimum' ? 1n : -1n;
  const inside = BigInt(
    typeof value === 'bigint' ? value : side === 'minimum' ? Math.ceil(value) : Math.floor(value),
  );
  const start = isExclusive && Number(inside) === Number(value) ? inside + toward : inside;
  const size = integerOf(step);
  const rest = ((start % size) + size) % size;
  const next = rest === 0n ? start : side === 'minimum' ? start + size - rest : start - rest;
  const asNumber = Number(next);
  return { value: Number.isSafeInteger(asNumber) ? asNumber : next, isExclusive: false };
}

/** Compares bigint and number by value, without rounding. */
export function isStricter(one: Bound, other: Bound, side: 'minimum' | 'maximum'): boolean {
  if (one.value < other.value) return side === 'maximum';
  if (one.value > other.value) return side === 'minimum';
  return one.isExclusive && !other.isExclusive;
}
