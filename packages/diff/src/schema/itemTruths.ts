// Whether the items of an array satisfy its schema, as far as a combination of implication.ts decides it.
import type { Schema } from '@stubwright/contract';
import { type Choice, withinBound } from './domain.ts';
import type { Assignment } from './implication.ts';
import { containsCount } from './itemCounts.ts';
import { isLocal, OPAQUE, opaqueIn } from './modelled.ts';
import { and, type Truth } from './truth.ts';

interface Items {
  readonly assignment: Assignment;
  /** The values at the location. */
  readonly values: Choice | undefined;
}

/** @returns the truths of the keywords of items and of their number */
export function itemTruths(schema: Schema, at: string, items: Items): (() => Truth)[] {
  const restricted = opaqueIn(schema, OPAQUE.items);
  return [
    ...(restricted === undefined ? [] : [() => items.assignment.fact(at, restricted)]),
    ...containsTruths(schema, at, items),
  ];
}

function containsTruths(
  schema: Schema,
  at: string,
  { assignment, values }: Items,
): (() => Truth)[] {
  const count = containsCount(schema);
  if (count === undefined) return [];
  const { min, max, isOfAll } = count;
  const within = (keyword: 'minItems' | 'maxItems', limit: number) => () =>
    values && withinBound(keyword, limit, values);
  const longEnough = min > 0 ? [within('minItems', min)] : [];
  if (isOfAll) return [...longEnough, ...(max < Infinity ? [within('maxItems', max)] : [])];
  if (max < min) return [() => false];
  if (min === 0 && max === Infinity) return [];
  const { written } = schema.child('contains')!;
  // No item that matches is the same as items that do not match.
  const fact =
    max === 0 && isLocal(written)
      ? { items: { not: written }, names: [] }
      : opaqueIn(schema, OPAQUE.contains)!;
  return [() => and([...longEnough, () => assignment.fact(at, fact)])];
}
