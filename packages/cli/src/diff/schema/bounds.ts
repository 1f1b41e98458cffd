// Compares bounds of numbers and lengths.
import { became, kebabCase } from '../formatting.ts';
import { type Bound, isStricter } from './bound.ts';
import { isMultiple } from './decimal.ts';
import type { SchemaFinding } from './finding.ts';
import { type Length, lengthOf } from './lengths.ts';
import type { Type } from './types.ts';
import type { View } from './view.ts';

/** Keyword, type, and the values that the keyword disallows. */
const LENGTHS: readonly (readonly [Length, Type, string])[] = [
  ['minLength', 'string', 'a string shorter than'],
  ['maxLength', 'string', 'a string longer than'],
  ['minItems', 'array', 'an array shorter than'],
  ['maxItems', 'array', 'an array longer than'],
  ['minProperties', 'object', 'an object with fewer properties than'],
  ['maxProperties', 'object', 'an object with more properties than'],
];

export function boundFindings(before: View, after: View): SchemaFinding[] {
  return [
    ...rangeFindings('minimum', before, after),
    ...rangeFindings('maximum', before, after),
    ...stepFindings(before, after),
    ...LENGTHS.flatMap(([keyword, type, values]) =>
      before.has(type) && after.has(type) ? lengthFindings(keyword, values, before, after) : [],
    ),
    ...uniqueFindings(before, after),
  ];
}

function areNumbers(before: View, after: View): boolean {
  return before.has('integer', 'nonInteger') && after.has('integer', 'nonInteger');
}

/** The range that a format implies is compared with the formats. */
function rangeFindings(side: 'minimum' | 'maximum', before: View, after: View): SchemaFinding[] {
  if (!areNumbers(before, after)) return [];
  const was = before.explicitBound(side);
  const is = after.explicitBound(side);
  if (compareBounds(was, is, side) === 0) return [];
  const effect = compareBounds(before.bound(side), after.bound(side), side);
  if (effect === 0) return [];
  const isNarrower = effect > 0;
  return [
    {
      rule: `${side}-${isNarrower ? 'narrowed' : 'widened'}`,
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(side, boundValue(was), boundValue(is)),
      values: outside((isNarrower ? after : before).bound(side)!, side),
      before: before.at(...RANGE_KEYWORDS[side]),
      after: after.at(...RANGE_KEYWORDS[side]),
    },
  ];
}

const RANGE_KEYWORDS = {
  minimum: ['minimum', 'exclusiveMinimum'],
  maximum: ['maximum', 'exclusiveMaximum'],
} as const;

/** @returns 1 if the second bound is stricter, -1 if the first is, otherwise 0 */
export function compareBounds(
  was: Bound | undefined,
  is: Bound | undefined,
  side: 'minimum' | 'maximum',
): number {
  if (is !== undefined && (was === undefined || isStricter(is, was, side))) return 1;
  return was !== undefined && (is === undefined || isStricter(was, is, side)) ? -1 : 0;
}

function boundValue(bound: Bound | undefined): unknown {
  return bound?.isExclusive ? { exclusive: bound.value } : bound?.value;
}

function outside({ value, isExclusive }: Bound, side: 'minimum' | 'maximum'): string {
  const beyond = side === 'minimum' ? 'below' : 'above';
  return `a number ${beyond} ${value}${isExclusive ? ` or ${value} itself` : ''}`;
}

function stepFindings(before: View, after: View): SchemaFinding[] {
  if (!areNumbers(before, after)) return [];
  const areIntegers = !before.has('nonInteger') || !after.has('nonInteger');
  const [was, is] = [before.step(areIntegers), after.step(areIntegers)];
  const at = { before: before.at('multipleOf'), after: after.at('multipleOf') };
  const [old, now] = [before, after].map((view) => {
    const steps = view.all('multipleOf');
    return steps.length < 2 ? steps[0] : steps;
  });
  const what = became('multipleOf', old, now);
  const others = (step: unknown) =>
    `a number that is not a multiple of ${[step].flat().join(' and ')}`;
  const isSubset = is !== undefined && (was === undefined || isMultiple(is, was));
  const isSuperset = was !== undefined && (is === undefined || isMultiple(was, is));
  if (was === is || (isSubset && isSuperset)) return [];
  if (isSubset) {
    return [{ rule: 'multiple-of-narrowed', kind: 'narrower', what, values: others(now), ...at }];
  }
  if (isSuperset) {
    return [{ rule: 'multiple-of-widened', kind: 'wider', what, values: others(old), ...at }];
  }
  const rule = 'multiple-of-changed';
  return [{ rule, kind: 'other', what, lost: others(now), gained: others(old), ...at }];
}

function lengthFindings(
  keyword: Length,
  values: string,
  before: View,
  after: View,
): SchemaFinding[] {
  const isMinimum = keyword.startsWith('min');
  const [was, is] = [lengthOf(before, keyword), lengthOf(after, keyword)];
  if (was.explicit === is.explicit || was.effective === is.effective) return [];
  const isNarrower = isMinimum === is.effective > was.effective;
  return [
    {
      rule: `${kebabCase(keyword)}-${isNarrower ? 'narrowed' : 'widened'}`,
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(keyword, orUndefined(was.explicit), orUndefined(is.explicit)),
      values: `${values} ${isNarrower ? is.effective : was.effective}`,
      before: before.at(keyword),
      after: after.at(keyword),
    },
  ];
}

function orUndefined(length: number): number | undefined {
  return length === 0 || length === Number.POSITIVE_INFINITY ? undefined : length;
}

function uniqueFindings(before: View, after: View): SchemaFinding[] {
  if (!before.has('array') || !after.has('array')) return [];
  const [was, is] = [before, after].map((view) => view.all('uniqueItems').includes(true));
  const longest = Math.min(...[before, after].map((view) => lengthOf(view, 'maxItems').effective));
  if (was === is || longest < 2) return [];
  return [
    {
      rule: is ? 'unique-items-set' : 'unique-items-removed',
      kind: is ? 'narrower' : 'wider',
      what: is ? 'uniqueItems was set' : 'uniqueItems was removed',
      values: 'an array that contains a value twice',
      before: before.at('uniqueItems'),
      after: after.at('uniqueItems'),
    },
  ];
}
