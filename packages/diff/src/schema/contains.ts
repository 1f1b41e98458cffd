// Compares `contains`, `minContains` and `maxContains`; pairs the occurrences of a keyword in two schemas.
import type { Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import {
  findingOf,
  type SchemaFinding,
  type SubschemaComparison,
  type SubschemaPair,
} from './schemaFinding.ts';
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

export function containsComparison(before: View, after: View): SubschemaComparison {
  if (!before.has('array') || !after.has('array')) return { findings: [], subschemas: [] };
  const at = { before: before.at('contains'), after: after.at('contains') };
  const { pairs, removed, added } = pairUp(containsOf(before), containsOf(after), [
    ({ schema, min, max }) => [schema.written, min, String(max)],
    ({ schema }) => schema.written,
  ]);
  return {
    findings: [
      ...pairs.flatMap(([was, is]) => countFindings(was, is, before, after)),
      ...added.map(({ schema: { written, pointer }, min }) =>
        findingOf('contains-set', { written, min }, { ...at, after: pointer }),
      ),
      ...removed.map(({ schema: { written, pointer }, min }) =>
        findingOf('contains-removed', { written, min }, { ...at, before: pointer }),
      ),
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
  if (was.max === UNBOUNDED && is.max === UNBOUNDED) return 'same';
  return was.min === 0 && is.min === 0 ? 'inverted' : 'unclear';
}

function countFindings(was: Contains, is: Contains, before: View, after: View): SchemaFinding[] {
  const written = (count: number) => (count === UNBOUNDED ? undefined : count);
  return (['min', 'max'] as const).flatMap((side): SchemaFinding[] => {
    if (was[side] === is[side]) return [];
    const isNarrower = (side === 'min') === is[side] > was[side];
    const [old, now] = [written(was[side]), written(is[side])];
    const at = { before: before.at(`${side}Contains`), after: after.at(`${side}Contains`) };
    const facts = { was: old, is: now, limit: isNarrower ? now : old };
    return [findingOf(`${side}-contains-${isNarrower ? 'narrowed' : 'widened'}`, facts, at)];
  });
}

interface Pairing<Item> {
  readonly pairs: readonly (readonly [Item, Item])[];
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

/**
 * Pairs items with an equal key, by one key after the other, and the remaining two if one is left on
 * each side.
 */
export function pairUp<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keys: readonly ((item: Item) => unknown)[],
): Pairing<Item> {
  const pairs: [Item, Item][] = [];
  let removed = [...before];
  const added = [...after];
  for (const key of keys) {
    removed = removed.filter((one) => {
      const at = added.findIndex((item) => canonical(key(item)) === canonical(key(one)));
      if (at >= 0) pairs.push([one, ...(added.splice(at, 1) as [Item])]);
      return at < 0;
    });
  }
  if (removed.length !== 1 || added.length !== 1) return { pairs, removed, added };
  return { pairs: [...pairs, [removed[0]!, added[0]!]], removed: [], added: [] };
}
