// Whether the items of an array satisfy its schema, as far as a combination decides it.
import type { Schema } from '@stubwright/contract';
import type { Assignment } from './assignment.ts';
import { withinBound } from './domain.ts';
import { containsCount } from './itemCounts.ts';
import { isLocal, OPAQUE, opaqueIn } from './modelled.ts';
import { and, not, type Truth } from './truth.ts';
import { restOfItems } from './unevaluated.ts';

/** @returns the truths of the keywords of items and of their number */
export function itemTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const restricted = opaqueIn(schema, OPAQUE.items);
  const rest = restOfItems(schema);
  return [
    ...(restricted === undefined ? [] : [() => assignment.fact(at, restricted)]),
    ...(rest === undefined ? [] : [() => assignment.fact(at, rest)]),
    ...containsTruths(schema, at, assignment),
  ];
}

function containsTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const count = containsCount(schema);
  if (count === undefined) return [];
  const { min, max, isOfAll } = count;
  const within = (keyword: 'minItems' | 'maxItems', limit: number) => () => {
    const values = assignment.valuesAt(at);
    return values && withinBound(keyword, limit, values);
  };
  const longEnough = min > 0 ? [within('minItems', min)] : [];
  if (isOfAll) return [...longEnough, ...(max < Infinity ? [within('maxItems', max)] : [])];
  if (max < min) return [() => false];
  if (min === 0 && max === Infinity) return [];
  const { written } = schema.child('contains')!;
  const opaque = opaqueIn(schema, OPAQUE.contains)!;
  // Without an item that matches, no item matches.
  const isNone = () => assignment.fact(at, { items: { not: written }, names: [] });
  const isMatched = () => {
    if (!isLocal(written)) return assignment.fact(at, opaque);
    if (max === 0) return isNone();
    return min === 1 && max === Infinity ? not(isNone()) : assignment.fact(at, opaque);
  };
  return [() => and([...longEnough, isMatched])];
}
