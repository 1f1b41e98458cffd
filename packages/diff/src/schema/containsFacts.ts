// Whether an array can have the facts of a combination about how many of its items match a schema.
import { isObject } from '@stubwright/contract';
import { type AreDisjoint, type ItemFact, lengthsIn, type Range } from './itemFacts.ts';

/** How many items of an array match a schema. */
interface Count {
  readonly schema: unknown;
  readonly min: number;
  /** May be infinite. */
  readonly max: number;
}

/** @returns false only if no array of these lengths has all facts */
export function areCountsPossible(
  facts: readonly ItemFact[],
  range: Range,
  areDisjoint: AreDisjoint,
): boolean {
  const { min: minItems, max: maxItems } = lengthsIn(range);
  const known = facts.flatMap((fact) => countOf(fact) ?? []);
  const required = known.filter(({ truth }) => truth);
  const areUnique = facts.some(({ keywords, truth }) => truth && keywords['uniqueItems'] === true);
  const bounds = { required, maxItems, areUnique, areDisjoint };
  if (leastMatches({}, bounds) > maxItems) return false;
  const listed = facts.flatMap(({ keywords: { items, prefixItems }, truth }) =>
    truth && prefixItems === undefined && isObject(items) ? [items] : [],
  );
  if (listed.some((items) => mostMatches(items, bounds) < minItems)) return false;
  return known.every(({ schema, min, max, truth }) => {
    const [least, most] = [leastMatches(schema, bounds), mostMatches(schema, bounds)];
    if (least > most) return false;
    return truth || least < min || most > max;
  });
}

type CountFact = Count & { readonly truth: boolean };

/** @returns undefined for a fact about positions or of other keywords; the opposite of a minimum is a maximum */
function countOf(fact: ItemFact): CountFact | undefined {
  const count = writtenCount(fact);
  if (count === undefined || count.truth) return count;
  const { schema, min, max } = count;
  if (max === Infinity) return { schema, min: 0, max: min - 1, truth: true };
  return min === 0 ? { schema, min: max + 1, max: Infinity, truth: true } : count;
}

function writtenCount({ keywords, truth }: ItemFact): CountFact | undefined {
  const { contains, minContains = 1, maxContains = Infinity, items, prefixItems } = keywords;
  if (contains !== undefined) {
    return { schema: contains, min: Number(minContains), max: Number(maxContains), truth };
  }
  if (items === undefined || Array.isArray(items) || prefixItems !== undefined) return undefined;
  // No item violates its schema.
  const isNegated = isObject(items) && Object.keys(items).join() === 'not';
  return { schema: isNegated ? items['not'] : { not: items }, min: 0, max: 0, truth };
}

interface Bounds {
  /** The counts that every array of the combination has. */
  readonly required: readonly Count[];
  readonly maxItems: number;
  readonly areUnique: boolean;
  readonly areDisjoint: AreDisjoint;
}

/** Items that match schemas without a common value are different items. */
function leastMatches(schema: unknown, { required, areDisjoint }: Bounds): number {
  const inside = required.filter(
    (each) => each.min > 0 && isInside(each.schema, schema, areDisjoint),
  );
  const apart: Count[] = [];
  for (const each of inside.sort((one, other) => other.min - one.min)) {
    if (apart.every((other) => areDisjoint([each.schema, other.schema]))) apart.push(each);
  }
  return apart.reduce((sum, { min }) => sum + min, 0);
}

function mostMatches(schema: unknown, bounds: Bounds): number {
  const { required, maxItems, areUnique, areDisjoint } = bounds;
  const around = required.filter(
    ({ schema: each, max }) => max < Infinity && isInside(schema, each, areDisjoint),
  );
  const values = areUnique ? valuesOf(schema) : undefined;
  const possible = values?.filter((value) => {
    const excluding = required.filter(({ max }) => max === 0);
    return !excluding.some((each) => isInside({ enum: [value] }, each.schema, areDisjoint));
  });
  return Math.min(maxItems, possible?.length ?? Infinity, ...around.map(({ max }) => max));
}

function isInside(inner: unknown, outer: unknown, areDisjoint: AreDisjoint): boolean {
  return areDisjoint([inner, { not: outer }]);
}

/** @returns the values that a schema lists */
function valuesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}
