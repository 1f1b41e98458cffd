// The list that a request selects from the items of a collection.

import {
  type Pagination,
  pageRulesOf,
  unescapeToken,
  valueAt,
  withValueAt,
} from '@stubwright/contract';
import type { MockedExchange, SelectPage } from '../mocked.ts';
import { plainName } from '../replies/exchangeValues.ts';
import {
  type Item,
  isPlainObject,
  type ListShape,
  listIn,
  type PositionedItem,
  type Properties,
  withTotal,
} from './items.ts';

interface SelectedList {
  readonly shape: ListShape;
  readonly items: readonly Item[];
  /** The number of items that the filters select. */
  readonly total: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * @param sample a valid body
 * @param selectPage undefined to select by the usual names
 * @returns undefined for a body without one list
 * @throws {Problem} 40005 and 40000 for a page that does not exist
 */
export async function selectedList(
  sample: unknown,
  kept: readonly PositionedItem[],
  exchange: MockedExchange,
  selectPage: SelectPage | undefined,
): Promise<SelectedList | undefined> {
  const pagination = pageRulesOf(exchange.operation!)?.pagination;
  const { query } = exchange.parameters;
  if (pagination?.parameter === undefined || selectPage === undefined) {
    const shape = listIn(sample);
    const all = filtered(kept, query);
    const items = pageIn(all, query).map(({ item }) => item);
    return shape && { shape, items, total: all.length };
  }
  const { parameter, size = parameter, items } = pagination;
  const { [parameter]: _, [size]: __, ...filters } = query;
  const all = filtered(kept, filters);
  const page = await selectPage(exchange, all);
  const rows = valueAt(page.body, items) as readonly PositionedItem[];
  return {
    shape: pageShape(sample, page.body, pagination),
    items: rows.map(({ item }) => item),
    total: all.length,
    headers: page.headers,
  };
}

/** The sample with the items, the next page and the total of another body. */
function pageShape(sample: unknown, page: unknown, { items, next, more }: Pagination): ListShape {
  const list = valueAt(sample, items);
  const pointers = [next, more].filter((pointer) => pointer !== undefined);
  const outer = pointers.reduce<unknown>(
    (body, pointer) => withOrWithout(body, pointer, valueAt(page, pointer)),
    sample,
  );
  return {
    items: Array.isArray(list) ? list : [],
    with: (others, total) =>
      withValueAt(isPlainObject(outer) ? withTotal(outer, total) : outer, items, others),
  };
}

/** The `next` of a sample is no cursor of the mock: it must not stay on the last page. */
function withOrWithout(body: unknown, pointer: string, value: unknown): unknown {
  if (value !== undefined) return withValueAt(body, pointer, value);
  const at = pointer.lastIndexOf('/');
  const parent = valueAt(body, pointer.slice(0, at));
  if (!isPlainObject(parent)) return body;
  const name = unescapeToken(pointer.slice(at + 1));
  const { [name]: _, ...others } = parent;
  return withValueAt(body, pointer.slice(0, at), others);
}

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
    filters.every(([name, value]) => [value].flat().some((value) => isSame(value, body[name]))),
  );
}

/** A contract may declare a property as an integer and its filter as a string. */
function isSame(one: unknown, other: unknown): boolean {
  return other !== null && typeof other !== 'object' && String(one) === String(other);
}
