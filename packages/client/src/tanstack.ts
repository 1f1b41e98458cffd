// Options for TanStack Query 5, with any of its frameworks.
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
  type QueryFailure,
  type Variables,
} from './queries.ts';
import { type QueryKey, queryKeyOf } from './queryKey.ts';
import type { ReplyFor, RequestFor, SuccessOf } from './types.ts';
import { unwrap } from './unwrap.ts';

/** Absent: from its type TanStack Query infers the type of errors. */
interface Fails<Failure> {
  readonly retry?: (failureCount: number, error: Failure) => boolean;
}

export interface QueryOptions<Data, Failure> extends Fails<Failure> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

export interface InfiniteQueryOptions<Data, Failure> extends Fails<Failure> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: {
    readonly pageParam: PageParam;
    readonly signal: AbortSignal;
  }) => Promise<Page<Data>>;
  readonly initialPageParam: PageParam;
  readonly getNextPageParam: (lastPage: Page<Data>) => PageParam | null;
}

export interface MutationOptions<Data, Failure, Request> extends Fails<Failure> {
  readonly mutationKey: QueryKey;
  readonly mutationFn: (request: Request) => Promise<Data>;
}

/** An operation that reads. */
export interface Query<Operation, Data = QueryData<Operation>> {
  /** Of the queries that have these parts of a request: all of the operation without it. */
  queryKey(request?: PartOf<RequestFor<Operation>>): QueryKey;
  queryOptions(
    connection: Connection,
    ...args: QueryArguments<Operation>
  ): QueryOptions<Data, QueryFailure<Operation>>;
}

/** An operation that reads the headers of a resource. */
export type HeadQuery<Operation> = Query<Operation, HeadData<Operation>>;

/** An operation with pages. */
export interface PagedQuery<Operation> extends Query<Operation> {
  infiniteQueryOptions(
    connection: Connection,
    ...args: QueryArguments<Operation>
  ): InfiniteQueryOptions<QueryData<Operation>, QueryFailure<Operation>>;
}

/** An operation that writes. */
export interface Mutation<Operation> {
  mutationOptions(
    connection: Connection,
    options?: QueryCallOptions,
  ): MutationOptions<
    SuccessOf<ReplyFor<Operation>>['body'],
    QueryFailure<Operation>,
    Variables<Operation>
  >;
}

/** @param scope the first part of its keys @param part `headers` for HEAD */
export function query<Operation, Data>(
  scope: string,
  operation: OperationFunction<Operation>,
  part: 'body' | 'headers' = 'body',
): Query<Operation, Data> {
  const call: AnyCall = operation as never;
  const queryKey = (request?: object) => queryKeyOf(scope, operation.operationId, request);
  const queryOptions: Cached = (connection, request = {}, options = {}) => ({
    queryKey: queryKey(request),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      dataOf(call(connection, request, { ...options, signal }), part),
  });
  return { queryKey, queryOptions } as never;
}

/** @param scope the first part of its keys @param spec the description of the pages */
export function pagedQuery<Operation>(
  scope: string,
  operation: OperationFunction<Operation>,
  spec: PageSpec,
): PagedQuery<Operation> {
  const call: AnyCall = operation as never;
  const { operationId: id } = operation;
  const infiniteQueryOptions: Cached = (connection, request = {}, options = {}) => ({
    // With another key than the query of one page.
    queryKey: [...queryKeyOf(scope, id), queryKeyOf(scope, id, request)[2] ?? {}, 'pages'],
    queryFn: ({ pageParam, signal }: { pageParam: PageParam; signal: AbortSignal }) =>
      pageOf(
        call,
        { ...spec, id },
        { connection, request, options: { ...options, signal }, page: pageParam },
      ),
    initialPageParam: { query: request.query ?? {} },
    getNextPageParam: ({ next }: Page<unknown>) => next,
  });
  return { ...query(scope, operation), infiniteQueryOptions } as never;
}

/** @param scope the first part of its key */
export function mutation<Operation>(
  scope: string,
  operation: OperationFunction<Operation>,
): Mutation<Operation> {
  const call: AnyCall = operation as never;
  const mutationOptions = (connection: Connection, options: QueryCallOptions = {}) => ({
    mutationKey: queryKeyOf(scope, operation.operationId),
    mutationFn: (request: object = {}) => unwrap(call(connection, request, options)),
  });
  return { mutationOptions } as never;
}
