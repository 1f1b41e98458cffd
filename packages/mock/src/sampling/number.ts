// Generates sample numbers, with exact decimal arithmetic on bigints.
import {
  decimalsOf,
  INTEGER_FORMATS,
  type Numeric,
  type Schema,
  unitsOf,
} from '@stubwright/contract';
import { FirstChoice, type Random } from './random.ts';

/** The search range in steps, from the lower bound or zero. */
const WINDOW = 1000n;

/** @yields numbers within bounds, steps and formats; integers beyond the exact range of doubles as bigints */
export function* sampleNumbers(
  schemas: readonly Schema[],
  type: 'integer' | 'number',
  random: Random,
): Generator<Numeric> {
  const nodes = schemas.map(({ keywords }) => keywords);
  const steps = nodes.flatMap(({ multipleOf }) => (multipleOf ? [multipleOf as Numeric] : []));
  const bounds = nodes.flatMap(boundsOf);
  const written = [...steps, ...bounds.map(({ value }) => value)];
  const isWhole =
    type === 'integer' || nodes.some(({ format }) => Object.hasOwn(INTEGER_FORMATS, format));
  const spare = isWhole || steps.length > 0 ? 0 : 1;
  const digits = Math.max(0, ...written.map(decimalsOf)) + spare;
  const one = 10n ** BigInt(digits);
  const step = [...steps.map((each) => unitsOf(each, digits)), ...(isWhole ? [one] : [])].reduce(
    leastCommonMultiple,
    1n,
  );
  const { low, high } = rangeOf(bounds, digits);
  for (const units of multiples(low, high, step, random)) {
    yield decimalOf(units, digits);
  }
}

interface Bound {
  readonly isLower: boolean;
  readonly value: Numeric;
  readonly isExclusive: boolean;
}

function boundsOf({ format, ...keywords }: Schema['keywords']): Bound[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords;
  const [low, high] = INTEGER_FORMATS[format] ?? [];
  return [
    { isLower: true, value: minimum, isExclusive: false },
    { isLower: false, value: maximum, isExclusive: false },
    { isLower: true, value: exclusiveMinimum, isExclusive: true },
    { isLower: false, value: exclusiveMaximum, isExclusive: true },
    { isLower: true, value: low, isExclusive: false },
    { isLower: false, value: high, isExclusive: false },
  ].filter(({ value }) => typeof value === 'number' || typeof value === 'bigint') as Bound[];
}

function rangeOf(bounds: readonly Bound[], digits: number) {
  let low: bigint | undefined;
  let high: bigint | undefined;
  for (const { isLower, value, isExclusive } of bounds) {
    const units = unitsOf(value, digits);
    const off = isExclusive ? 1n : 0n;
    if (isLower) low = low === undefined || units + off > low ? units + off : low;
    else high = high === undefined || units - off < high ? units - off : high;
  }
  return { low, high };
}

/** @yields positive multiples first, then by distance from the bound */
function* multiples(
  low: bigint | undefined,
  high: bigint | undefined,
  step: bigint,
  random: Random,
): Generator<bigint> {
  const first = low === undefined ? undefined : ceiling(low, step);
  const last = high === undefined ? undefined : -ceiling(-high, step);
  const fits = (value: bigint) =>
    (first === undefined || value >= first) && (last === undefined || value <= last);
  // The nearest to zero.
  if (random instanceof FirstChoice) {
    yield* [0n, ...(first === undefined ? [] : [first])].filter(fits);
    if (last !== undefined) yield last;
    return;
  }
  let start = first !== undefined && first > 0n ? first : step;
  if (last !== undefined && last < start) start = last - step * WINDOW;
  if (first !== undefined && start < first) start = first;
  const end = last !== undefined && last < start + step * WINDOW ? last : start + step * WINDOW;
  const count = end < start ? 0 : Number((end - start) / step) + 1;
  for (let at = 0; at < 8 && count > 0; at++) {
    yield start + step * BigInt(random.below(count));
  }
  for (let at = 0n; at <= WINDOW && at < count; at++) yield start + step * at;
  for (const value of [first, last, 0n, -step]) {
    if (value !== undefined && fits(value)) yield value;
  }
}

function ceiling(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return rest > 0n ? value - rest + step : value - rest;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

function decimalOf(units: bigint, digits: number): Numeric {
  if (digits === 0) {
    const value = Number(units);
    return Number.isFinite(value) && BigInt(value) === units ? value : units;
  }
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const value = `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return Number(units < 0n ? `-${value}` : value);
}
