// Options for TanStack Query 5, with any of its frameworks.

import type { AnyReply } from './anyReply.ts';
import type { AnyCall, AnyRequest, Connection } from './connection.ts';
import type { ErrorReply, NoResponse, UndeclaredResponse } from './errors.ts';
import type { KeyedCall } from './idempotency.ts';
import { following, type Next, nextOf, type PageSpec } from './nextPage.ts';
import type { OperationFunction } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { CallArguments, FailureOf, ReplyFor, RequestFor, SuccessOf } from './types.ts';
import { unwrap } from './unwrap.ts';

/** JSON, the same for equal requests: caches hash keys with `JSON.stringify`, and compare them by parts. */
export type QueryKey = readonly unknown[];

/** The options of a call; the cache passes the signal. */
export type QueryCallOptions = Omit<CallOptions, 'signal'>;

type QueryArguments<Operation> = CallArguments<Operation, QueryCallOptions>;

/** Some parts of a request. */
type PartOf<Request> = {
  readonly [Part in keyof Request]?: Request[Part] extends object | undefined
    ? Partial<Request[Part]> | undefined
    : Request[Part];
};

/** The body of a success; null for an empty one, as caches have no `undefined`. */
export type QueryData<Operation> = OrNull<SuccessOf<ReplyFor<Operation>>['body']>;

type OrNull<Body> = undefined extends Body ? Exclude<Body, undefined> | null : Body;

/** The declared headers of a success of HEAD. */
export type HeadData<Operation> = SuccessOf<ReplyFor<Operation>>['headers'];

/** The errors of an operation that returns the body of its success. */
export type QueryFailure<Operation> =
  | ErrorReply<Extract<FailureOf<ReplyFor<Operation>>, AnyReply>>
  | UndeclaredResponse
  | NoResponse;

/** The request of a mutation, which may be absent if all its parts are optional. */
export type Variables<Operation> =
  Record<never, never> extends RequestFor<Operation>
    ? MaybeAbsent<RequestFor<Operation>>
    : RequestFor<Operation>;

// biome-ignore lint/suspicious/noConfusingVoidType: an argument that may be omitted
type MaybeAbsent<Request> = Request | void;

/** Selects a page: the request is the same. */
export interface PageParam extends Next {}

/** A page of an operation. */
export interface Page<Body> {
  readonly body: Body;
  /** Null for the last page. */
  readonly next: PageParam | null;
}

/** A function of an operation, without its types. */
type Cached = (connection: Connection, request?: AnyRequest, options?: QueryCallOptions) => unknown;

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
  /** @param context of one call of `mutate`, as TanStack Query passes it since 5.89: its retries have one idempotency key */
  readonly mutationFn: (request: Request, context?: object) => Promise<Data>;
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

/** An operation whose success declares an `ETag`: its data has it, for `If-Match`. */
export type TaggedQuery<Operation> = Query<Operation, TaggedData<QueryData<Operation>>>;

export interface TaggedData<Body> {
  readonly body: Body;
  /** Null for a response without one. */
  readonly etag: string | null;
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

/** @param scope the first part of its keys @param part `headers` for HEAD, `tagged` for a body with its ETag */
export function query<Operation, Data>(
  scope: string,
  operation: OperationFunction<Operation>,
  part: DataPart = 'body',
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
  const { withKey = (request) => request } = operation as KeyedCall;
  const mutationOptions = (connection: Connection, options: QueryCallOptions = {}) => {
    const sent = new WeakMap<object, AnyRequest>();
    return {
      mutationKey: queryKeyOf(scope, operation.operationId),
      mutationFn(request: AnyRequest = {}, context: object = {}) {
        const keyed = sent.get(context) ?? withKey(request, options);
        sent.set(context, keyed);
        return unwrap(call(connection, keyed, options));
      },
    };
  };
  return { mutationOptions } as never;
}

type DataPart = 'body' | 'headers' | 'tagged';

/** @returns the body of a success, with its ETag if that is asked for, or the headers of one without content */
async function dataOf(reply: Promise<AnyReply>, part: DataPart): Promise<unknown> {
  const received = await reply;
  unwrap(received);
  if (part !== 'tagged') return received[part] ?? null;
  return { body: received.body ?? null, etag: received.response.headers.get('ETag') };
}

/** @throws {ErrorReply} and the errors of the call */
async function pageOf(
  call: AnyCall,
  spec: PageSpec & { readonly id: string },
  { connection, request, options, page }: PageCall,
): Promise<Page<unknown>> {
  const own = page.url === undefined ? connection : following(connection, page.url);
  const reply = await call(own, { ...request, query: page.query }, options);
  return { body: unwrap(reply), next: nextOf(spec.id, spec, reply, page) ?? null };
}

interface PageCall {
  readonly connection: Connection;
  readonly request: AnyRequest;
  readonly options: CallOptions;
  readonly page: PageParam;
}

/** A bigint in a key, or a string that would be the same. */
const BIGINT = /^-?\d+n+$/;

/**
 * A bigint is a string that ends with `n`; a string of that form has one `n` more.
 *
 * @param scope the name of the package
 * @throws {TypeError} for bytes, files, streams, maps and sets
 */
export function queryKeyOf(scope: string, operationId: string, request: object = {}): QueryKey {
  const written = (value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'string') return BIGINT.test(value) ? `${value}n` : value;
    // JSON has null for all of them.
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if ('toJSON' in value && typeof value.toJSON === 'function') return written(value.toJSON());
    if (Array.isArray(value)) return value.map(written);
    const kind = Object.prototype.toString.call(value);
    if (kind !== '[object Object]') {
      throw new TypeError(`${operationId}: got ${kind} in a query key, expected JSON values`);
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : [[name, written(each)]],
      ),
    );
  };
  const key = written(request) as object;
  return Object.keys(key).length === 0 ? [scope, operationId] : [scope, operationId, key];
}
