// The number of items that `contains` demands of an array whose items all match it.
import type { Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import { isTrivial } from './trivial.ts';

/** How many items of an array match `contains`. */
interface ContainsCount {
  readonly min: number;
  /** May be infinite. */
  readonly max: number;
  /** True if every item matches. */
  readonly isOfAll: boolean;
}

/** @returns undefined without `contains` */
export function containsCount(schema: Schema): ContainsCount | undefined {
  const contained = schema.child('contains');
  if (contained === undefined) return undefined;
  const { minContains: min = 1, maxContains: max = Number.POSITIVE_INFINITY } = schema.keywords;
  const items = schema.child('items');
  const isLikeItems =
    items !== undefined &&
    schema.list('prefixItems').length === 0 &&
    canonical(items.written) === canonical(contained.written);
  return { min: Number(min), max: Number(max), isOfAll: isTrivial(contained) || isLikeItems };
}

/** @returns the numbers of items that `contains` compares */
export function countsIn(schema: Schema): number[] {
  const { min, max } = containsCount(schema) ?? { min: 0, max: 0 };
  return [min, max].filter((number) => number > 0 && Number.isFinite(number));
}
