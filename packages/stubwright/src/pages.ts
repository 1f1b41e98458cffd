// Pages of lists, as `x-pagination` describes them: cursors, pages, offsets and links.

import { type AnySource, replyWithPage } from './pages/replyWithPage.ts';
import type {
  CursorOperation,
  CursorSource,
  OffsetOperation,
  OffsetSource,
  OrderOf,
  PageItem,
  PageReply,
} from './pageTypes.ts';
import { originOfRequest, type RequestOf } from './pipeline/handlerRequest.ts';

export type { KeyValue } from './pages/cursors.ts';
export type {
  AfterOf,
  CursorSource,
  OffsetSource,
  OrderOf,
  PageItem,
  PageReply,
} from './pageTypes.ts';

/**
 * Fetches the page that a request selects, as `x-pagination` of its operation describes it. Pages of a
 * cursor start after the last row of the page before, whatever was inserted or deleted meanwhile.
 *
 * @param request of a handler
 * @returns body and, where the contract declares it, the header `Link`
 * @throws {Problem} 40005 for a cursor that is forged, expired, or of another list; 40000 for a page, an
 *   offset or a size that is too small
 * @throws {RangeError | TypeError} for `maxAgeSeconds` that is not an integer from 1
 * @throws {Error} without `cursorSecrets` of the API, for rows that are not in a unique order, and for more
 *   rows than `limit`
 * @example
 * const reply = await page(request, {
 *   order: ['-placedAt', '-id'],
 *   fetch: ({ after, limit }) => orders.before(after, limit),
 * });
 * return { status: 200, ...reply };
 */
export function page<
  Operation extends CursorOperation,
  Row = PageItem<Operation>,
  const Order extends OrderOf<Row> = OrderOf<Row>,
>(
  request: RequestOf<Operation>,
  source: CursorSource<Operation, Row, Order>,
): Promise<PageReply<Operation>>;
/** Of pages that have a number, or start at an item. */
export function page<Operation extends OffsetOperation, Row = PageItem<Operation>>(
  request: RequestOf<Operation>,
  source: OffsetSource<Operation, Row>,
): Promise<PageReply<Operation>>;
export async function page(request: object, source: object): Promise<unknown> {
  const { exchange, parts } = originOfRequest(request);
  return replyWithPage(exchange, parts, source as AnySource);
}
