// What the caches of frameworks store of an operation.
import type { AnyReply } from './anyReply.ts';
import type { AnyCall, AnyRequest, Connection } from './connection.ts';
import type { ErrorReply, NoResponse, UndeclaredResponse } from './errors.ts';
import { following, type Next, nextOf, type PageSpec } from './nextPage.ts';
import type { CallOptions } from './options.ts';
import type { CallArguments, FailureOf, ReplyFor, RequestFor, SuccessOf } from './types.ts';
import { unwrap } from './unwrap.ts';

/** The options of a call; the cache passes the signal. */
export type QueryCallOptions = Omit<CallOptions, 'signal'>;

export type QueryArguments<Operation> = CallArguments<Operation, QueryCallOptions>;

/** Some parts of a request. */
export type PartOf<Request> = {
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
export type Cached = (
  connection: Connection,
  request?: AnyRequest,
  options?: QueryCallOptions,
) => unknown;

/** @returns the body of a success, or the headers of one without content */
export async function dataOf(reply: Promise<AnyReply>, part: 'body' | 'headers'): Promise<unknown> {
  const received = await reply;
  unwrap(received);
  return received[part] ?? null;
}

/** @throws {ErrorReply} and the errors of the call */
export async function pageOf(
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
