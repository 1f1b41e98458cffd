// Iterates over the pages of an operation, and over their items.
import type { AnyReply } from './anyReply.ts';
import type { Connection } from './connection.ts';
import { expectIntegers } from './numericOptions.ts';
import type { OperationFunction, OperationMethod } from './operation.ts';
import type { CallOptions, OutgoingRequest, ReadOptions } from './options.ts';
import { withQuery } from './send.ts';
import type { ReplyFor, RequestArguments, SuccessOf } from './types.ts';
import { unwrap } from './unwrap.ts';

/** How an operation returns a list in pages: `x-pagination` of the contract. */
export interface PageSpec {
  readonly kind: 'cursor' | 'page' | 'offset' | 'link';
  /** The query parameter that selects a page. */
  readonly parameter?: string;
  /** The first page or item, by default 1 and 0. */
  readonly start?: number;
  /** The names of the properties that contain the items, from the outside. */
  readonly items: readonly string[];
  /** Those of the next cursor or URL. */
  readonly next?: readonly string[];
  /** Those of a boolean: false for the last page. */
  readonly more?: readonly string[];
}

export interface PageOptions extends CallOptions {
  /** The maximum number of items of `items`, of pages of `pages`: by default all. */
  readonly limit?: number | undefined;
}

type PageArguments<Operation> =
  RequestArguments<Operation> extends [request: infer Request, options?: ReadOptions<undefined>]
    ? [request: Request, options?: PageOptions]
    : [request?: RequestArguments<Operation>[0], options?: PageOptions];

/** The successes of an operation. */
export type PageOf<Operation> = SuccessOf<ReplyFor<Operation>>;

/** The items of a page. @typeParam Path the names of the properties that contain them */
export type ItemOf<Operation, Path extends readonly string[]> = ItemIn<PageOf<Operation>, Path>;

type ItemIn<Page, Path extends readonly string[]> = Page extends { body: infer Body }
  ? ItemsAt<Body, Path> extends infer Items
    ? Items extends readonly (infer Item)[]
      ? Item
      : never
    : never
  : never;

type ItemsAt<Value, Path extends readonly string[]> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends readonly string[],
]
  ? Value extends { [Key in Name]?: infer Inner }
    ? ItemsAt<NonNullable<Inner>, Rest>
    : never
  : Value;

/** An operation with pages. */
export interface PagedFunction<Operation, Path extends readonly string[]>
  extends OperationFunction<Operation> {
  /** Adds `pages` and `items` to a method of the connection. */
  asMethod(
    connection: Connection,
    method: OperationMethod<Operation>,
  ): PagedMethod<Operation, Path>;
  /** The successes; another reply is an `ErrorReply`. */
  pages(
    connection: Connection,
    ...args: PageArguments<Operation>
  ): AsyncGenerator<PageOf<Operation>, void, undefined>;
  /** The items of all pages. */
  items(
    connection: Connection,
    ...args: PageArguments<Operation>
  ): AsyncGenerator<ItemOf<Operation, Path>, void, undefined>;
}

/** An operation with pages as a method. */
export interface PagedMethod<Operation, Path extends readonly string[]>
  extends OperationMethod<Operation> {
  pages(...args: PageArguments<Operation>): AsyncGenerator<PageOf<Operation>, void, undefined>;
  items(
    ...args: PageArguments<Operation>
  ): AsyncGenerator<ItemOf<Operation, Path>, void, undefined>;
}

interface AnyRequest {
  readonly query?: object;
}

type AnyCall = (
  connection: Connection,
  request: AnyRequest,
  options: ReadOptions,
) => Promise<AnyReply>;

/** @param spec the description of the pages @returns the operation with `pages` and `items` */
export function paged<Operation, Path extends readonly string[]>(
  operation: OperationFunction<Operation>,
  spec: PageSpec & { readonly items: Path },
): PagedFunction<Operation, Path> {
  const call: AnyCall = operation as never;
  const { operationId } = operation;
  const pages: AnyPages = async function* (connection, request = {}, options = {}) {
    const { limit = Infinity, ...others } = options;
    expectIntegers({ limit: options.limit }, 0);
    let count = 0;
    let next: Next | undefined = { query: request.query ?? {} };
    while (next !== undefined && count++ < limit) {
      const { url, query }: Next = next;
      const own = url === undefined ? connection : following(connection, url);
      const reply = await call(own, { ...request, query }, others);
      unwrap(reply);
      yield reply;
      next = nextOf(operationId, spec, reply, next);
    }
  };
  const items: AnyPages = async function* (connection, request, options = {}) {
    const { limit = Infinity, ...others } = options;
    expectIntegers({ limit: options.limit }, 0);
    if (limit === 0) return;
    let count = 0;
    for await (const { body } of pages(connection, request, others)) {
      for (const item of itemsOf(body, spec)) {
        yield item as AnyReply;
        if (++count === limit) return;
      }
    }
  };
  const asMethod = (connection: Connection, method: object) =>
    Object.assign(method, {
      pages: (...args: PageArgs) => pages(connection, ...args),
      items: (...args: PageArgs) => items(connection, ...args),
    });
  const own: AnyCall = (...args) => call(...args);
  return Object.assign(own, { operationId, pages, items, asMethod }) as never;
}

type PageArgs = [request?: AnyRequest, options?: PageOptions];
type AnyPages = (
  connection: Connection,
  ...args: PageArgs
) => AsyncGenerator<AnyReply, void, undefined>;

/** The parameters of the next page, or its URL. */
interface Next {
  readonly query: object;
  readonly url?: string;
  /** The cursor, or the URL. */
  readonly cursor?: unknown;
}

/** @throws {Error} for a page that is its own next one */
function nextOf(
  operationId: string,
  spec: PageSpec,
  { body, response }: AnyReply,
  { query, cursor: before }: Next,
): Next | undefined {
  const { kind, parameter = '', next, more } = spec;
  if (more !== undefined && !valueAt(body, more)) return undefined;
  if (kind === 'page' || kind === 'offset') {
    const { length } = itemsOf(body, spec);
    if (length === 0 && (kind === 'offset' || more === undefined)) return undefined;
    const { [parameter]: own } = query as Readonly<Record<string, unknown>>;
    const current = own ?? spec.start ?? (kind === 'page' ? 1 : 0);
    const step = kind === 'page' ? 1 : length;
    const following = typeof current === 'bigint' ? current + BigInt(step) : Number(current) + step;
    return { query: { ...query, [parameter]: following } };
  }
  const cursor = next === undefined ? linkIn(response.headers) : valueAt(body, next);
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  if (cursor === before) {
    throw new Error(`${operationId}: expected another cursor than ${cursor} for the next page`);
  }
  if (kind === 'link') return { query: {}, url: String(cursor), cursor };
  return { query: { ...query, [parameter]: cursor }, cursor };
}

function itemsOf(body: unknown, { items }: PageSpec): readonly unknown[] {
  const found = valueAt(body, items);
  return Array.isArray(found) ? found : [];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}

const LINK = /<([^<>]*)>((?:[^,"]|"(?:[^"\\]|\\.)*")*)/g;
const LINK_PARAMETER = /;\s*([\w*-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** @returns the target of `rel="next"` (RFC 8288) */
function linkIn(headers: Headers): string | undefined {
  for (const [, target, parameters = ''] of (headers.get('Link') ?? '').matchAll(LINK)) {
    const all = [...parameters.matchAll(LINK_PARAMETER)];
    const [, , quoted, plain] = all.find(([, name]) => name!.toLowerCase() === 'rel') ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target;
  }
  return undefined;
}

function following(connection: Connection, target: string): Connection {
  const before = (request: OutgoingRequest) => {
    request.url = followedUrl(request.url, target);
  };
  const { middleware = [] } = connection.options;
  const options = { ...connection.options, middleware: [{ before }, ...middleware] };
  return { ...connection, options };
}

/**
 * With the credentials in the query of the request. Another origin would receive the others: of its URL,
 * which a proxy may have changed, only the query is used.
 */
function followedUrl(written: string, target: string): string {
  const own = new URL(written, Object(globalThis).location?.href);
  const next = new URL(target, own);
  const url = next.origin === own.origin ? next : new URL(next.search, own);
  url.hash = '';
  const missing: string[] = [];
  own.searchParams.forEach((value, name) => {
    if (url.searchParams.has(name)) return;
    missing.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  });
  return withQuery(url.href, missing);
}
