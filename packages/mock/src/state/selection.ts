// Selects the items of a list by the query parameters of a request: filters, then a page.
import type { Properties } from './items.ts';

/** Names of query parameters, without case, `_` and `-`. */
const LIMIT = /^(?:limit|perpage|pagesize|size|maxresults|top)$/;
const OFFSET = /^(?:offset|skip)$/;
const PAGE = /^(?:page|pagenumber)$/;

export interface Selection<Item> {
  readonly page: readonly Item[];
  /** The number of items that the filters select. */
  readonly total: number;
}

/**
 * A parameter with the name of a property selects the items with its value, or with one of its values. `limit`,
 * `offset` and `page`, from 1, select a page.
 *
 * @param query the values of the query parameters by name
 */
export function selected<Item extends { readonly body: Properties }>(
  items: readonly Item[],
  query: Readonly<Record<string, unknown>>,
): Selection<Item> {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const numberOf = (names: RegExp) => {
    const [, value] = entries.find(([name]) => names.test(plain(name))) ?? [];
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return isNumber && value >= 0 ? Number(value) : undefined;
  };
  const filters = entries.filter(([name]) => items.some(({ body }) => Object.hasOwn(body, name)));
  const all = items.filter(({ body }) =>
    filters.every(([name, value]) => [value].flat().some((each) => isSame(each, body[name]))),
  );
  const limit = numberOf(LIMIT) ?? all.length;
  const page = Math.max(numberOf(PAGE) ?? 1, 1);
  const offset = numberOf(OFFSET) ?? (page - 1) * limit;
  return { page: all.slice(offset, offset + limit), total: all.length };
}

/** A contract may declare a property as an integer and its filter as a string. */
function isSame(one: unknown, other: unknown): boolean {
  return other !== null && typeof other !== 'object' && String(one) === String(other);
}

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
