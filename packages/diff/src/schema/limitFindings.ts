// Compares bounds of numbers and lengths.

import { type Bound, type BoundSide, isStricter } from '../values/bound.ts';
import { kebabCase } from '../values/formatting.ts';
import { isMultiple } from '../values/multiples.ts';
import { isSubset } from '../values/numberSet.ts';
import type { Type } from '../values/types.ts';
import { type Length, lengthOf } from './lengths.ts';
import { findingOf, type SchemaFinding } from './schemaFinding.ts';
import type { View } from './view.ts';

const LENGTHS = [
  ['minLength', 'string'],
  ['maxLength', 'string'],
  ['minItems', 'array'],
  ['maxItems', 'array'],
  ['minProperties', 'object'],
  ['maxProperties', 'object'],
] as const satisfies readonly (readonly [Length, Type])[];

export function boundFindings(before: View, after: View): SchemaFinding[] {
  return [
    ...numberFindings(before, after),
    ...LENGTHS.flatMap(([keyword, type]) =>
      before.has(type) && after.has(type) ? lengthFindings(keyword, before, after) : [],
    ),
    ...uniqueFindings(before, after),
  ];
}

/** The numbers that only one of the views allows; the range that a format implies is compared with the formats. */
function numberFindings(before: View, after: View): SchemaFinding[] {
  if (![before, after].every((view) => view.has('integer', 'nonInteger'))) return [];
  const areIntegers = !before.has('nonInteger') || !after.has('nonInteger');
  const [was, is] = [before.numbers({ areIntegers }), after.numbers({ areIntegers })];
  const change = { isNarrower: !isSubset(was, is), isWider: !isSubset(is, was) };
  if (!change.isNarrower && !change.isWider) return [];
  return [
    ...rangeFindings('minimum', before, after, change),
    ...rangeFindings('maximum', before, after, change),
    ...stepFindings(before, after, { ...change, areIntegers }),
  ].map((rangeFinding) => ({ ...rangeFinding, isDecided: true }));
}

interface NumberChange {
  readonly isNarrower: boolean;
  readonly isWider: boolean;
}

function rangeFindings(
  side: BoundSide,
  before: View,
  after: View,
  change: NumberChange,
): SchemaFinding[] {
  const was = before.explicitBound(side);
  const is = after.explicitBound(side);
  if (compareBounds(was, is, side) === 0) return [];
  const effect = compareBounds(before.bound(side), after.bound(side), side);
  const isNarrower = effect > 0;
  if (effect === 0 || !(isNarrower ? change.isNarrower : change.isWider)) return [];
  const limit = (isNarrower ? after : before).bound(side)!;
  const at = {
    before: before.at(...RANGE_KEYWORDS[side]),
    after: after.at(...RANGE_KEYWORDS[side]),
  };
  return [findingOf(`${side}-${isNarrower ? 'narrowed' : 'widened'}`, { was, is, limit }, at)];
}

const RANGE_KEYWORDS = {
  minimum: ['minimum', 'exclusiveMinimum'],
  maximum: ['maximum', 'exclusiveMaximum'],
} as const;

/** @returns 1 if the second bound is stricter, -1 if the first is, otherwise 0 */
export function compareBounds(
  was: Bound | undefined,
  is: Bound | undefined,
  side: BoundSide,
): number {
  if (is !== undefined && (was === undefined || isStricter(is, was, side))) return 1;
  return was !== undefined && (is === undefined || isStricter(was, is, side)) ? -1 : 0;
}

function stepFindings(
  before: View,
  after: View,
  { isNarrower, isWider, areIntegers }: NumberChange & { readonly areIntegers: boolean },
): SchemaFinding[] {
  const [was, is] = [before.step({ areIntegers }), after.step({ areIntegers })];
  const isFiner = is !== undefined && (was === undefined || isMultiple(is, was));
  const isCoarser = was !== undefined && (is === undefined || isMultiple(was, is));
  if (was === is || (isFiner && isCoarser)) return [];
  const at = { before: before.at('multipleOf'), after: after.at('multipleOf') };
  const steps = { was: before.all('multipleOf'), is: after.all('multipleOf') };
  if (isFiner) return isNarrower ? [findingOf('multiple-of-narrowed', steps, at)] : [];
  if (isCoarser) return isWider ? [findingOf('multiple-of-widened', steps, at)] : [];
  const kind = isNarrower ? (isWider ? 'changed' : 'narrowed') : 'widened';
  return [findingOf(`multiple-of-${kind}`, steps, at)];
}

function lengthFindings(keyword: Length, before: View, after: View): SchemaFinding[] {
  const isMinimum = keyword.startsWith('min');
  const absent = isMinimum ? 0 : Number.POSITIVE_INFINITY;
  const written = (length: number) => (length === absent ? undefined : length);
  const [was, is] = [lengthOf(before, keyword), lengthOf(after, keyword)];
  if (was.explicit === is.explicit || was.effective === is.effective) return [];
  const isNarrower = isMinimum === is.effective > was.effective;
  const facts = {
    was: written(was.explicit),
    is: written(is.explicit),
    limit: (isNarrower ? is : was).effective,
  };
  const at = { before: before.at(keyword), after: after.at(keyword) };
  return [findingOf(`${kebabCase(keyword)}-${isNarrower ? 'narrowed' : 'widened'}`, facts, at)];
}

function uniqueFindings(before: View, after: View): SchemaFinding[] {
  if (!before.has('array') || !after.has('array')) return [];
  const [was, is] = [before, after].map((view) => view.all('uniqueItems').includes(true));
  const longest = Math.min(...[before, after].map((view) => lengthOf(view, 'maxItems').effective));
  if (was === is || longest < 2) return [];
  const at = { before: before.at('uniqueItems'), after: after.at('uniqueItems') };
  return [findingOf(is ? 'unique-items-set' : 'unique-items-removed', {}, at)];
}
