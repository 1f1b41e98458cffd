// Divides names by the patterns of two contracts: within a region the same patterns apply to every name.
import { hasNoString } from './language.ts';

/** The names that match all of `patterns` and none of `excluded`. */
export interface NameRegion {
  readonly patterns: readonly string[];
  readonly excluded: readonly string[];
}

/** Beyond this number of pairs of patterns, each pattern is a region. */
const MAX_PAIRS = 64;

/** @returns the regions of the names that match a pattern */
export function regionsOf(before: readonly string[], after: readonly string[]): NameRegion[] {
  const arePaired = before.length * after.length <= MAX_PAIRS;
  const regions = new Map<string, NameRegion>();
  const add = (region: NameRegion) =>
    regions.set(JSON.stringify([region.patterns, region.excluded]), region);
  for (const [own, others] of [
    [before, after],
    [after, before],
  ] as const) {
    for (const pattern of own) {
      if (others.includes(pattern) || !arePaired) add({ patterns: [pattern], excluded: [] });
      else for (const each of divided(pattern, others)) add(each);
    }
  }
  return [...regions.values()];
}

/** @returns the parts of a pattern that others match, and the rest */
function divided(pattern: string, others: readonly string[]): NameRegion[] {
  const overlapping = others.filter(
    (each) => !isEmpty({ patterns: [pattern, each], excluded: [] }),
  );
  const rest = { patterns: [pattern], excluded: overlapping };
  const parts = overlapping.map((each) => ({ patterns: [pattern, each].sort(), excluded: [] }));
  return isEmpty(rest) ? parts : [...parts, rest];
}

/** @returns true if a pattern matches every name of a region */
export function matchesAll({ patterns, excluded }: NameRegion, pattern: string): boolean {
  if (patterns.includes(pattern)) return true;
  if (excluded.includes(pattern)) return false;
  return isEmpty({ patterns, excluded: [...excluded, pattern] });
}

function isEmpty({ patterns, excluded }: NameRegion): boolean {
  return hasNoString({ patterns, min: 0, max: Number.POSITIVE_INFINITY }, excluded);
}
