// Generates sample arrays.
import type { Schema } from '@stubwright/contract';
import { same } from './keywords.ts';
import type { PartSampler } from './partSampler.ts';
import type { Variant } from './variants.ts';

/** Maximum number of attempts for a unique item. */
const TRIES = 200;
/** No samples of a larger `minItems` or `minContains`. */
const MAX_ITEMS = 5_000;

/** @yields arrays with few items */
export function* arrays(variant: Variant, sampler: PartSampler): Generator<unknown[]> {
  const nodes = variant.map(({ keywords }) => keywords);
  if (variant.some(({ keywords }) => countsOf(keywords).some((count) => count > MAX_ITEMS))) return;
  const containing = variant.flatMap((each) => contained(each));
  const min = Math.max(0, containing.length, ...nodes.map(({ minItems = 0 }) => Number(minItems)));
  const max = Math.min(...nodes.map(({ maxItems = Infinity }) => Number(maxItems)));
  const wanted = Math.max(min, ...variant.map((each) => each.list('prefixItems').length), 1);
  const first = Math.min(wanted, max);
  const counts = sampler.isLean ? [min, min + 1, first] : [first, min, min + 1, min + 2];
  for (const count of new Set(counts)) {
    // Items of `contains` are first, or last if `prefixItems` excludes them.
    for (const offset of new Set([0, count - containing.length])) {
      if (count > max || offset < 0) continue;
      const value = filled(variant, sampler, count, (at) => containing[at - offset]);
      if (value !== undefined) yield value;
    }
  }
}

function filled(
  variant: Variant,
  sampler: PartSampler,
  count: number,
  containedAt: (at: number) => Schema | undefined,
): unknown[] | undefined {
  const isUnique = variant.some(({ keywords }) => keywords.uniqueItems === true);
  const items: unknown[] = [];
  while (items.length < count) {
    const at = items.length;
    const required = variant.map((each) => schemasOf(each, at));
    if (required.includes(undefined)) return undefined;
    const contained = containedAt(at);
    const schemas = [...required.flatMap((each) => each ?? []), ...(contained ? [contained] : [])];
    const item = isUnique ? uniqueItem(items, schemas, sampler) : sampler.first(schemas, at);
    if (item === undefined) return sampler.isIncomplete ? items : undefined;
    items.push(item);
  }
  return items;
}

function uniqueItem(
  items: readonly unknown[],
  schemas: readonly Schema[],
  sampler: PartSampler,
): unknown {
  let tries = 0;
  for (let salt = 0; tries < TRIES; salt++) {
    const before = tries;
    for (const item of sampler.each(
      schemas,
      salt === 0 ? items.length : `${items.length} ${salt}`,
    )) {
      if (!items.some((each) => same(each, item))) return item;
      if (++tries >= TRIES) break;
    }
    if (tries === before) break;
  }
  return undefined;
}

function countsOf({ minItems = 0, minContains = 0 }: Schema['keywords']): number[] {
  return [Number(minItems), Number(minContains)];
}

/** @returns the schema of `contains`, `minContains` times */
function contained(schema: Schema): Schema[] {
  const contains = schema.child('contains');
  if (contains === undefined) return [];
  const length = Number(schema.keywords.minContains ?? 1);
  return Array.from({ length }, () => contains);
}

/** @returns the subschemas of an item; undefined if the item is not allowed */
function schemasOf(schema: Schema, at: number): Schema[] | undefined {
  const prefix = schema.list('prefixItems')[at];
  const item = prefix ?? schema.child('items') ?? schema.child('unevaluatedItems');
  if (item === undefined) return [];
  return item.isNever ? undefined : [item];
}
