// Selects the items of a list by the query parameters of a request: filters, then a page.
import { plainName } from '../replies/exchangeValues.ts';
import type { Properties } from './items.ts';

/** Names of query parameters, without case, `_` and `-`. */
const LIMIT = /^(?:limit|perpage|pagesize|size|maxresults|top)$/;
const OFFSET = /^(?:offset|skip)$/;
const PAGE = /^(?:page|pagenumber)$/;

type Query = Readonly<Record<string, unknown>>;

/**
 * @param query the values of the query parameters by name: `limit`, `offset` and `page`, from 1
 * @returns the items of a page
 */
export function pageIn<Item>(all: readonly Item[], query: Query): Item[] {
  const entries = Object.entries(query);
  const numberOf = (names: RegExp) => {
    const [, value] = entries.find(([name]) => names.test(plainName(name))) ?? [];
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return isNumber && value >= 0 ? Number(value) : undefined;
  };
  const limit = numberOf(LIMIT) ?? all.length;
  const page = Math.max(numberOf(PAGE) ?? 1, 1);
  const offset = numberOf(OFFSET) ?? (page - 1) * limit;
  return all.slice(offset, offset + limit);
}

/**
 * Selects the items with the value of each parameter that has the name of a property, or with one of its values.
 *
 * @param query the values of the query parameters by name
 */
export function filtered<Kept extends { readonly item: { readonly body: Properties } }>(
  items: readonly Kept[],
  query: Query,
): Kept[] {
  const filters = Object.entries(query).filter(
    ([name, value]) =>
      value !== undefined && items.some(({ item }) => Object.hasOwn(item.body, name)),
  );
  return items.filter(({ item: { body } }) =>
    filters.every(([name, value]) => [value].flat().some((each) => isSame(each, body[name]))),
  );
}

/** A contract may declare a property as an integer and its filter as a string. */
function isSame(one: unknown, other: unknown): boolean {
  return other !== null && typeof other !== 'object' && String(one) === String(other);
}
