// A page with a number, or at an offset.
import type { Exchange } from '../request/exchange.ts';
import type { PagePlan } from './pagePlan.ts';
import {
  type AnySource,
  expectAtMost,
  type FetchedPage,
  integerIn,
  pageViolation,
  sizeOf,
} from './pageSource.ts';

/** @throws as `page` */
export async function pageAt(
  exchange: Exchange,
  plan: PagePlan,
  { fetch }: AnySource,
): Promise<FetchedPage> {
  const { parameter, start, operationId } = plan;
  const isPage = plan.pagination.kind === 'page';
  const at = integerIn(exchange.parameters.query[parameter] ?? start, parameter, start);
  const size = sizeOf(exchange, plan);
  const offset = isPage ? (at - start) * size : at - start;
  if (!Number.isSafeInteger(offset + size)) throw pageViolation(parameter, 'a smaller integer');
  const all = await fetch({ after: undefined, offset, limit: size + 1 });
  expectAtMost(all, size + 1, operationId);
  const step = isPage ? 1 : size;
  const next = all.length > size ? at + step : undefined;
  const prev = at > start ? Math.max(start, at - step) : undefined;
  return { rows: all.slice(0, size), values: { first: start, prev, next } };
}
