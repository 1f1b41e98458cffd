// Fetches the page that a request selects, and writes it as the contract declares it.
import type { Exchange } from '../request/exchange.ts';
import { pageAfter } from './pageAfter.ts';
import { type PageValue, pageUrls } from './pageLinks.ts';
import { type PagePlan, pagePlanOf } from './pagePlan.ts';
import {
  type AnySource,
  expectAtMost,
  type FetchedPage,
  integerIn,
  type PageParts,
  pageViolation,
  sizeOf,
} from './pageSource.ts';

/** The part of a reply that a page fills. */
export interface AnyPageReply {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws as `page` */
export async function replyWithPage(
  exchange: Exchange,
  parts: PageParts,
  source: AnySource,
): Promise<AnyPageReply> {
  const plan = pagePlanOf(exchange.operation!, parts.definition);
  const { kind } = plan.pagination;
  const isNumbered = kind === 'page' || kind === 'offset';
  const { rows, values } = await (isNumbered ? pageAt : pageAfter)(exchange, plan, source, parts);
  const urls = pageUrls(exchange, plan.parameter, plan.credentials, source.origin);
  const items = source.item === undefined ? rows : rows.map((row) => source.item!(row as never));
  const next = kind === 'link' && values.next !== undefined ? urls.of(values.next) : values.next;
  return {
    body: bodyOf(plan, items, next),
    ...(plan.linkHeader !== undefined && { headers: { [plan.linkHeader]: urls.header(values) } }),
  };
}

/**
 * The page of the items that a stateful mock keeps.
 *
 * @param rows in the order of their positions
 * @throws {Problem} as `page`
 */
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

/** A page with a number, or at an offset. */
async function pageAt(
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

type Properties = Record<string, unknown>;

/** @param next undefined on the last page */
function bodyOf(
  { items, next, more, nextType, end }: PagePlan,
  page: FetchedPage['rows'] | readonly unknown[],
  nextValue: PageValue,
): unknown {
  if (items.length === 0) return page;
  const body: Properties = {};
  put(body, items, page);
  if (more !== undefined) put(body, more, nextValue !== undefined);
  if (next !== undefined) {
    put(body, next, nextValue === undefined ? end : likeDeclared(nextValue, nextType));
  }
  return body;
}

/** Sets a property within objects; undefined leaves it out. */
function put(body: Properties, path: readonly string[], value: unknown): void {
  const holder = path.slice(0, -1).reduce<Properties>((inner, name) => {
    inner[name] ??= {};
    return inner[name] as Properties;
  }, body);
  if (value !== undefined) holder[path.at(-1)!] = value;
}

function likeDeclared(value: string | number, type: PagePlan['nextType']): unknown {
  if (typeof value === 'string') return value;
  return type === 'string' ? String(value) : type === 'bigint' ? BigInt(value) : value;
}
