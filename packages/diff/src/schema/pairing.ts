// Pairs the occurrences of a keyword in the conjuncts of two schemas.
import { canonical } from '../values/formatting.ts';

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
