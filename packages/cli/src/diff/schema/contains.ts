// Compares `contains`, `minContains` and `maxContains`.
import type { Schema } from 'stubwright/contract';
import { abbreviated, became, kebabCase } from '../formatting.ts';
import type { SchemaFinding } from './finding.ts';
import { pairUp } from './pairing.ts';
import type { SubschemaPair } from './subschema.ts';
import { termOf } from './term.ts';
import type { View } from './view.ts';
import { wireOfItem } from './wire.ts';

/** The number of items that match a schema. */
interface Contains {
  readonly schema: Schema;
  readonly min: number;
  readonly max: number;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** @returns one entry per conjunct; `minContains: 0` without `maxContains` allows every array */
export function containsOf({ conjuncts }: View): Contains[] {
  return conjuncts.flatMap(({ schema: holder }) => {
    const schema = holder.child('contains');
    if (schema === undefined) return [];
    const { minContains: min = 1, maxContains: max = UNBOUNDED } = holder.keywords;
    return min === 0 && max === UNBOUNDED ? [] : [{ schema, min, max }];
  });
}

export function containsComparison(
  before: View,
  after: View,
): { findings: SchemaFinding[]; subschemas: SubschemaPair[] } {
  if (!before.has('array') || !after.has('array')) return { findings: [], subschemas: [] };
  const { pairs, removed, added } = pairUp(containsOf(before), containsOf(after), [
    ({ schema, min, max }) => [schema.written, min, String(max)],
    ({ schema }) => schema.written,
  ]);
  return {
    findings: [
      ...pairs.flatMap(([was, is]) => countFindings(was, is, before, after)),
      ...added.map((one) => wholeFinding('narrower', one, before, after)),
      ...removed.map((one) => wholeFinding('wider', one, before, after)),
    ],
    subschemas: pairs.map(([was, is]) => ({
      path: '(contains)',
      before: termOf(was.schema, was.schema.pointer),
      after: termOf(is.schema, is.schema.pointer),
      polarity: polarityOf(was, is),
      wire: wireOfItem(before.wire),
    })),
  };
}

/** More matching items help to reach a minimum and to exceed a maximum. */
function polarityOf(was: Contains, is: Contains): SubschemaPair['polarity'] {
  const hasMaximum = was.max !== UNBOUNDED || is.max !== UNBOUNDED;
  if (!hasMaximum) return 'same';
  return was.min === 0 && is.min === 0 ? 'inverted' : 'unclear';
}

function countFindings(was: Contains, is: Contains, before: View, after: View): SchemaFinding[] {
  const finding = (keyword: 'minContains' | 'maxContains', isNarrower: boolean): SchemaFinding => {
    const property = keyword === 'minContains' ? 'min' : 'max';
    const [old, now] = [was, is].map((each) =>
      each[property] === UNBOUNDED ? undefined : each[property],
    );
    return {
      rule: `${kebabCase(keyword)}-${isNarrower ? 'narrowed' : 'widened'}`,
      kind: isNarrower ? 'narrower' : 'wider',
      what: became(keyword, old, now),
      values: `an array with ${property === 'min' ? 'fewer' : 'more'} than ${isNarrower ? now : old} matching items`,
      before: before.at(keyword),
      after: after.at(keyword),
    };
  };
  return [
    ...(was.min === is.min ? [] : [finding('minContains', is.min > was.min)]),
    ...(was.max === is.max ? [] : [finding('maxContains', is.max < was.max)]),
  ];
}

function wholeFinding(
  kind: 'narrower' | 'wider',
  { schema, min }: Contains,
  before: View,
  after: View,
): SchemaFinding {
  const isAdded = kind === 'narrower';
  const what = `contains ${abbreviated(schema.written)} was ${isAdded ? 'set' : 'removed'}`;
  const values =
    min === 0 ? 'an array with too many matching items' : 'an array without a matching item';
  return {
    rule: isAdded ? 'contains-set' : 'contains-removed',
    kind,
    what,
    values,
    before: isAdded ? before.at('contains') : schema.pointer,
    after: isAdded ? schema.pointer : after.at('contains'),
  };
}
