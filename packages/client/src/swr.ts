// Keys and fetchers for SWR 2.
import type { AnyCall, Connection } from './connection.ts';
import type { PageSpec } from './nextPage.ts';
import type { OperationFunction } from './operation.ts';
import {
  type Cached,
  dataOf,
  type HeadData,
  type Page,
  type PageParam,
  type PartOf,
  pageOf,
  type QueryArguments,
  type QueryCallOptions,
  type QueryData,
  type Variables,
} from './queries.ts';
import { type QueryKey, queryKeyOf } from './queryKey.ts';
import type { ReplyFor, RequestFor, SuccessOf } from './types.ts';
import { unwrap } from './unwrap.ts';

/** An operation that reads. */
export interface SwrQuery<Operation, Data = QueryData<Operation>> {
  queryKey(request?: PartOf<RequestFor<Operation>>): QueryKey;
  /** The arguments of `useSWR`. */
  swr(
    connection: Connection,
    ...args: QueryArguments<Operation>
  ): readonly [key: QueryKey, fetcher: () => Promise<Data>];
}

/** An operation that reads the headers of a resource. */
export type HeadSwrQuery<Operation> = SwrQuery<Operation, HeadData<Operation>>;

/** An operation with pages. */
export interface PagedSwrQuery<Operation> extends SwrQuery<Operation> {
  /** The arguments of `useSWRInfinite`. */
  swrInfinite(
    connection: Connection,
    ...args: QueryArguments<Operation>
  ): readonly [
    getKey: (index: number, previous: Page<QueryData<Operation>> | null) => QueryKey | null,
    fetcher: (key: QueryKey) => Promise<Page<QueryData<Operation>>>,
  ];
}

/** An operation that writes. */
export interface SwrMutation<Operation> {
  /** The arguments of `useSWRMutation`. */
  swrMutation(
    connection: Connection,
    options?: QueryCallOptions,
  ): readonly [
    key: QueryKey,
    fetcher: (
      key: QueryKey,
      options: { readonly arg: Variables<Operation> },
    ) => Promise<SuccessOf<ReplyFor<Operation>>['body']>,
  ];
}

/** @param scope the first part of its keys @param part `headers` for HEAD */
export function swrQuery<Operation, Data>(
  scope: string,
  operation: OperationFunction<Operation>,
  part: 'body' | 'headers' = 'body',
): SwrQuery<Operation, Data> {
  const call: AnyCall = operation as never;
  const queryKey = (request?: object) => queryKeyOf(scope, operation.operationId, request);
  const swr: Cached = (connection, request = {}, options = {}) => [
    queryKey(request),
    () => dataOf(call(connection, request, options), part),
  ];
  return { queryKey, swr } as never;
}

/** @param scope the first part of its keys @param spec the description of the pages */
export function pagedSwrQuery<Operation>(
  scope: string,
  operation: OperationFunction<Operation>,
  spec: PageSpec,
): PagedSwrQuery<Operation> {
  const call: AnyCall = operation as never;
  const { operationId: id } = operation;
  const swrInfinite: Cached = (connection, request = {}, options = {}) => [
    (_: number, previous: Page<unknown> | null) => {
      const page = previous === null ? { query: request.query ?? {} } : previous.next;
      // SWR hashes a bigint.
      return page && [...queryKeyOf(scope, id, request), 'pages', page];
    },
    (key: QueryKey) =>
      pageOf(
        call,
        { ...spec, id },
        { connection, request, options, page: key.at(-1) as PageParam },
      ),
  ];
  return { ...swrQuery(scope, operation), swrInfinite } as never;
}

/** @param scope the first part of its key */
export function swrMutation<Operation>(
  scope: string,
  operation: OperationFunction<Operation>,
): SwrMutation<Operation> {
  const call: AnyCall = operation as never;
  const argumentsOf = (connection: Connection, options: QueryCallOptions = {}) => [
    queryKeyOf(scope, operation.operationId),
    (_: QueryKey, { arg: request = {} }: { readonly arg?: object }) =>
      unwrap(call(connection, request, options)),
  ];
  return { swrMutation: argumentsOf } as never;
}
