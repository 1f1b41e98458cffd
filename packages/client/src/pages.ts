// Iterates over the pages of an operation, and over their items.

import type { AnyReply } from './anyReply.ts';
import type { AnyCall, AnyRequest, Connection } from './connection.ts';
import { following, type Next, nextOf, type PageSpec, pageItems } from './nextPage.ts';
import type { OperationFunction, OperationMethod } from './operation.ts';
import { type CallOptions, expectIntegers } from './options.ts';
import type { CallArguments, ReplyFor, SuccessOf } from './types.ts';
import { unwrap } from './unwrap.ts';

export type { PageSpec };

export interface PageOptions extends CallOptions {
  /** The maximum number of items of `items`, of pages of `pages`: by default all. */
  readonly limit?: number | undefined;
}

type PageArguments<Operation> = CallArguments<Operation, PageOptions>;

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
      for (const item of pageItems(body, spec)) {
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
