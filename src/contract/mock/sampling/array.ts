// Sample arrays: how many items, and an item of all that is asked of each.
import type { Place } from '../../definition/definition.ts';
import type { Parts } from './parts.ts';
import type { Variant } from './variants.ts';
import { named, part, same } from './words.ts';

/** So often another item is looked for where an equal one is there already. */
const TRIES = 200;

/** @yields arrays of few items, but of enough */
export function* arrays(variant: Variant, parts: Parts): Generator<unknown[]> {
  const nodes = variant.map(({ node }) => node);
  const containing = variant.flatMap((place) => contained(place));
  const min = Math.max(0, containing.length, ...nodes.map(({ minItems = 0 }) => Number(minItems)));
  const max = Math.min(...nodes.map(({ maxItems = Infinity }) => Number(maxItems)));
  const wanted = Math.max(min, ...variant.map((place) => prefixOf(place).length), 1);
  const first = Math.min(wanted, max);
  const counts = parts.isLean ? [min, min + 1, first] : [first, min, min + 1, min + 2];
  for (const count of new Set(counts)) {
    // What must be contained stands first, or last where the first places ask for other things.
    for (const offset of new Set([0, count - containing.length])) {
      if (count > max || offset < 0) continue;
      const value = filled(variant, parts, count, (at) => containing[at - offset]);
      if (value !== undefined) yield value;
    }
  }
}

function filled(
  variant: Variant,
  parts: Parts,
  count: number,
  containedAt: (at: number) => Place | undefined,
): unknown[] | undefined {
  const isUnique = variant.some(({ node }) => node.uniqueItems === true);
  const items: unknown[] = [];
  while (items.length < count) {
    const at = items.length;
    const asked = variant.map((place) => askedBy(place, at));
    if (asked.includes(undefined)) return undefined;
    const contained = containedAt(at);
    const schemas = [...asked.flatMap((each) => each ?? []), ...(contained ? [contained] : [])];
    const item = isUnique ? another(items, schemas, parts) : parts.first(schemas, at);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function another(items: readonly unknown[], schemas: readonly Place[], parts: Parts): unknown {
  let tries = 0;
  for (let salt = 0; tries < TRIES; salt++) {
    const before = tries;
    for (const item of parts.each(schemas, salt === 0 ? items.length : `${items.length} ${salt}`)) {
      if (!items.some((each) => same(each, item))) return item;
      if (++tries >= TRIES) break;
    }
    if (tries === before) break;
  }
  return undefined;
}

/** @returns the schema of `contains`, as often as it must be met */
function contained(place: Place): Place[] {
  if (place.node.contains === undefined) return [];
  const length = Number(place.node.minContains ?? 1);
  return Array.from({ length }, () => part(place, 'contains'));
}

function prefixOf(place: Place): Place[] {
  const word = Array.isArray(place.node.items) ? 'items' : 'prefixItems';
  return named(place, word).map(([, each]) => each);
}

/** @returns what one schema asks of an item; undefined where there may be none */
function askedBy(place: Place, at: number): Place[] | undefined {
  const { node } = place;
  const prefix = prefixOf(place)[at];
  if (prefix !== undefined) return [prefix];
  const word = node.items === undefined || Array.isArray(node.items) ? 'unevaluatedItems' : 'items';
  if (node[word] === undefined) return [];
  return node[word] === false ? undefined : [part(place, word)];
}
