// The page of the items that a stateful mock keeps.
import type { Exchange } from '../request/exchange.ts';
import type { PageParts } from './pageSource.ts';
import { type AnyPageReply, replyWithPage } from './replyWithPage.ts';

/** @param rows in the order of their positions @throws {Problem} as `page` */
export function mockedPage(
  exchange: Exchange,
  parts: PageParts,
  rows: readonly { readonly position: number }[],
): Promise<AnyPageReply> {
  return replyWithPage(exchange, parts, {
    order: ['position'],
    fetch({ after, offset, limit }) {
      const last = after?.[0];
      const rest =
        last === undefined
          ? rows.slice(offset)
          : rows.filter((each) => each.position > Number(last));
      return rest.slice(0, limit) as never;
    },
  });
}
