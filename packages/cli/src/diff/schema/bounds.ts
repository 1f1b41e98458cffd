// Compares bounds of numbers and lengths.
import { became, kebabCase } from '../formatting.ts';
import type { Finding } from './finding.ts';
import { type Bound, isStricter, type Type, type View } from './view.ts';

/** Keyword, type, and the values that the keyword disallows. */
const LENGTHS: readonly (readonly [string, Type, string])[] = [
  ['minLength', 'string', 'a string shorter than'],
  ['maxLength', 'string', 'a string longer than'],
  ['minItems', 'array', 'an array shorter than'],
  ['maxItems', 'array', 'an array longer than'],
  ['minProperties', 'object', 'an object with fewer properties than'],
  ['maxProperties', 'object', 'an object with more properties than'],
];

export function boundFindings(before: View, after: View): Finding[] {
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

function rangeFindings(side: 'minimum' | 'maximum', before: View, after: View): Finding[] {
  if (!areNumbers(before, after)) return [];
  const was = before.bound(side);
  const is = after.bound(side);
  const isNarrower = is !== undefined && (was === undefined || isStricter(is, was, side));
  const isWider = was !== undefined && (is === undefined || isStricter(was, is, side));
  if (!isNarrower && !isWider) return [];
  const keywords =
    side === 'minimum' ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum'];
  return [
    {
      rule: `${side}-${isNarrower ? 'narrowed' : 'widened'}`,
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(side, boundValue(was), boundValue(is)),
      values: outside((isNarrower ? is : was)!, side),
      before: before.at(...keywords),
      after: after.at(...keywords),
    },
  ];
}

function boundValue(bound: Bound | undefined): unknown {
  return bound?.isExclusive ? { exclusive: bound.value } : bound?.value;
}

function outside({ value, isExclusive }: Bound, side: 'minimum' | 'maximum'): string {
  const beyond = side === 'minimum' ? 'below' : 'above';
  return `a number ${beyond} ${value}${isExclusive ? ` or ${value} itself` : ''}`;
}

function stepFindings(before: View, after: View): Finding[] {
  if (!areNumbers(before, after)) return [];
  const [was] = before.all('multipleOf') as (number | bigint)[];
  const [is] = after.all('multipleOf') as (number | bigint)[];
  if (was === is) return [];
  const at = { before: before.at('multipleOf'), after: after.at('multipleOf') };
  const what = became('multipleOf', was, is);
  const others = (step: unknown) => `a number that is not a multiple of ${step}`;
  if (was === undefined || isMultiple(is, was)) {
    return [{ rule: 'multiple-of-narrowed', kind: 'narrower', what, values: others(is), ...at }];
  }
  if (is === undefined || isMultiple(was, is)) {
    return [{ rule: 'multiple-of-widened', kind: 'wider', what, values: others(was), ...at }];
  }
  const rule = 'multiple-of-changed';
  return [{ rule, kind: 'other', what, lost: others(is), gained: others(was), ...at }];
}

function isMultiple(value: number | bigint | undefined, step: number | bigint): boolean {
  return value !== undefined && Number.isInteger(Number(value) / Number(step));
}

function lengthFindings(keyword: string, values: string, before: View, after: View): Finding[] {
  const isMinimum = keyword.startsWith('min');
  const was = strictest(before, keyword, isMinimum);
  const is = strictest(after, keyword, isMinimum);
  if (was === is) return [];
  const isNarrower = isMinimum === is > was;
  return [
    {
      rule: `${kebabCase(keyword)}-${isNarrower ? 'narrowed' : 'widened'}`,
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(keyword, ...([was, is].map(orUndefined) as [unknown, unknown])),
      values: `${values} ${isNarrower ? is : was}`,
      before: before.at(keyword),
      after: after.at(keyword),
    },
  ];
}

/** @returns the strictest value; 0 for an absent minimum, infinity for an absent maximum */
function strictest(view: View, keyword: string, isMinimum: boolean): number {
  const all = view.all(keyword).map(Number);
  return isMinimum ? Math.max(0, ...all) : Math.min(Number.POSITIVE_INFINITY, ...all);
}

function orUndefined(length: number): number | undefined {
  return length === 0 || length === Number.POSITIVE_INFINITY ? undefined : length;
}

function uniqueFindings(before: View, after: View): Finding[] {
  if (!before.has('array') || !after.has('array')) return [];
  const was = before.all('uniqueItems').includes(true);
  const is = after.all('uniqueItems').includes(true);
  if (was === is) return [];
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
