// The list that a request selects from the items of a collection.
import {
  type Pagination,
  pageRulesOf,
  unescapeToken,
  valueAt,
  withValueAt,
} from '@stubwright/contract';
import type { MockedExchange, SelectPage } from '../exchange.ts';
import { isPlainObject, type ListShape, listIn, withTotal } from './bodyShape.ts';
import type { Item, PositionedItem } from './items.ts';
import { filtered, pageIn } from './selection.ts';

export interface SelectedList {
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
  const pointers = [next, more].filter((each) => each !== undefined);
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
