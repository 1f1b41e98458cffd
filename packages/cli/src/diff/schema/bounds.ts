// Bounds of numbers and of lengths: what became stronger, what weaker.
import { became } from '../words.ts';
import type { Finding } from './finding.ts';
import { type Bound, isStronger, type Type, type View } from './view.ts';

/** Word -> the values that it rules out, beside a number. */
const LENGTHS: readonly (readonly [string, Type, string])[] = [
  ['minLength', 'string', 'a text shorter than'],
  ['maxLength', 'string', 'a text longer than'],
  ['minItems', 'array', 'a list shorter than'],
  ['maxItems', 'array', 'a list longer than'],
  ['minProperties', 'object', 'an object with fewer fields than'],
  ['maxProperties', 'object', 'an object with more fields than'],
];

export function boundFindings(before: View, after: View): Finding[] {
  return [
    ...rangeFindings('minimum', before, after),
    ...rangeFindings('maximum', before, after),
    ...stepFindings(before, after),
    ...LENGTHS.flatMap(([word, type, values]) =>
      before.has(type) && after.has(type) ? lengthFindings(word, values, before, after) : [],
    ),
    ...uniqueFindings(before, after),
  ];
}

function areNumbers(before: View, after: View): boolean {
  return before.has('integer', 'fraction') && after.has('integer', 'fraction');
}

function rangeFindings(side: 'minimum' | 'maximum', before: View, after: View): Finding[] {
  if (!areNumbers(before, after)) return [];
  const was = before.bound(side);
  const is = after.bound(side);
  const isNarrower = is !== undefined && (was === undefined || isStronger(is, was, side));
  const isWider = was !== undefined && (is === undefined || isStronger(was, is, side));
  if (!isNarrower && !isWider) return [];
  const words =
    side === 'minimum' ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum'];
  return [
    {
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(side, written(was), written(is)),
      values: outside((isNarrower ? is : was)!, side),
      before: before.at(...words),
      after: after.at(...words),
    },
  ];
}

function written(bound: Bound | undefined): unknown {
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
  const others = (step: unknown) => `a number that is no multiple of ${step}`;
  if (was === undefined || isMultiple(is, was)) {
    return [{ kind: 'narrower', what, values: others(is), ...at }];
  }
  if (is === undefined || isMultiple(was, is)) {
    return [{ kind: 'wider', what, values: others(was), ...at }];
  }
  return [{ kind: 'other', what, lost: others(is), gained: others(was), ...at }];
}

function isMultiple(value: number | bigint | undefined, step: number | bigint): boolean {
  return value !== undefined && Number.isInteger(Number(value) / Number(step));
}

function lengthFindings(word: string, values: string, before: View, after: View): Finding[] {
  const isLeast = word.startsWith('min');
  const was = strictest(before, word, isLeast);
  const is = strictest(after, word, isLeast);
  if (was === is) return [];
  const isNarrower = isLeast === is > was;
  return [
    {
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(word, ...([was, is].map(orNothing) as [unknown, unknown])),
      values: `${values} ${isNarrower ? is : was}`,
      before: before.at(word),
      after: after.at(word),
    },
  ];
}

/** No least is 0, no most is infinity. */
function strictest(view: View, word: string, isLeast: boolean): number {
  const all = view.all(word).map(Number);
  return isLeast ? Math.max(0, ...all) : Math.min(Number.POSITIVE_INFINITY, ...all);
}

function orNothing(length: number): number | undefined {
  return length === 0 || length === Number.POSITIVE_INFINITY ? undefined : length;
}

function uniqueFindings(before: View, after: View): Finding[] {
  if (!before.has('array') || !after.has('array')) return [];
  const was = before.all('uniqueItems').includes(true);
  const is = after.all('uniqueItems').includes(true);
  if (was === is) return [];
  return [
    {
      kind: is ? 'narrower' : 'wider',
      what: is ? 'uniqueItems was set' : 'uniqueItems was removed',
      values: 'a list that holds a value twice',
      before: before.at('uniqueItems'),
      after: after.at('uniqueItems'),
    },
  ];
}
