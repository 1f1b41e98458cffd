// The types of requests and responses for a client, derived from the types of openapi-typescript.

import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BodyValue } from '@stubwright/contract';
import type { Declared } from '../pipeline/handlerTypes.ts';

/**
 * The request of a client, with the names of {@link RequestOf}. Properties with a default may be
 * omitted, `readOnly` ones are absent. A file is a Blob or bytes.
 */
export type CallOf<Operation> =
  IsAny<Operation> extends true
    ? UntypedCall
    : Parameters<'path', In<Operation, 'path'>> &
        Parameters<'query', In<Operation, 'query'>> &
        Parameters<'cookie', In<Operation, 'cookie'>> &
        HeaderParameters<In<Operation, 'header'>> &
        BodyOf<Operation>;

/** The response of an operation, discriminated by `status`, and by `type` if it has several. */
export type ReceivedOf<Operation> =
  IsAny<Operation> extends true
    ? AnyReceived
    : Operation extends { responses: infer Responses }
      ? {
          [Status in keyof Responses]: {
            readonly status: StatusOf<Status, keyof Responses>;
            /** The declared headers, with the types of their schemas. */
            readonly headers: HeadersOf<Responses[Status]>;
            /** The whole response: all headers, and the body as bytes. */
            readonly response: Response;
          } & ContentOf<Responses[Status]>;
        }[keyof Responses]
      : never;

/** The request is optional if all of its parts are. */
export type ArgumentsOf<Operation> =
  Record<never, never> extends CallOf<Operation>
    ? [request?: CallOf<Operation>]
    : [request: CallOf<Operation>];

/** Without generated types. */
export interface UntypedCall {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly mediaType?: string;
}

interface AnyReceived {
  readonly status: number;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  readonly headers: Readonly<Record<string, any>>;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  readonly body: any;
  readonly response: Response;
}

type IsAny<T> = 0 extends 1 & T ? true : false;

type In<Operation, Where extends string> = Operation extends {
  parameters: { [Key in Where]?: infer Values };
}
  ? Exclude<Values, undefined>
  : never;

/** `never` for an operation without such parameters. */
type Parameters<Where extends string, Values> = [Values] extends [never]
  ? { readonly [Key in Where]?: Record<never, never> }
  : Record<never, never> extends Values
    ? { readonly [Key in Where]?: Values }
    : { readonly [Key in Where]: Values };

/** Undeclared headers are sent too; undefined removes a header of the client. */
type HeaderParameters<Values> = [Values] extends [never]
  ? { readonly header?: Readonly<Record<string, unknown>> }
  : Record<never, never> extends Values
    ? { readonly header?: Values & Readonly<Record<string, unknown>> }
    : { readonly header: Values & Readonly<Record<string, unknown>> };

type NoBody = { readonly body?: undefined; readonly mediaType?: undefined };

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? BodyIn<Content>
  : Operation extends { requestBody?: { content: infer Content } }
    ? BodyIn<Content> | NoBody
    : NoBody;

type BodyIn<Content> = {
  [Type in keyof Content]: {
    /** By default JSON, else the first declared media type. */
    readonly mediaType?: Concrete<Type>;
    readonly body:
      | BodyValue<Type, Content[Type], 'request', Bytes | string, Blob | Uint8Array>
      | FormOf<Type>;
  };
}[keyof Content];

type Bytes = Blob | Uint8Array | ReadableStream<Uint8Array> | Readable;

type FormOf<Type> = Type extends `multipart/${string}` ? FormData : never;

/** A media type in the media type range of a contract. */
type Concrete<Type> = Type extends `${infer Start}*` ? `${Start}${string}` : Type;

/** The status codes of the IANA registry: a range or `default` excludes the codes that are declared. */
interface Statuses {
  1: 100 | 101 | 102 | 103;
  2: 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
  3: 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308;
  4:
    | (
        | 400
        | 401
        | 402
        | 403
        | 404
        | 405
        | 406
        | 407
        | 408
        | 409
        | 410
        | 411
        | 412
        | 413
        | 414
        | 415
      )
    | (416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451);
  5: 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
}

type StatusOf<Status, Declared> = Status extends number
  ? Status
  : Status extends `${infer Digit extends keyof Statuses}${'XX' | 'xx'}`
    ? Exclude<Statuses[Digit], Declared>
    : Exclude<Statuses[keyof Statuses], Declared | RangeOf<Declared>>;

type RangeOf<Declared> = Declared extends `${infer Digit extends keyof Statuses}${'XX' | 'xx'}`
  ? Statuses[Digit]
  : never;

type ContentOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? NoContent
    : {
        [Type in keyof Content]: {
          readonly type: Concrete<Type>;
          readonly body: Type extends '*/*' | 'application/*'
            ? unknown
            : BodyValue<Type, Content[Type], 'response', Uint8Array>;
        };
      }[keyof Content]
  : NoContent;

type NoContent = { readonly type: undefined; readonly body: undefined };

type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? Readonly<Declared<Headers>>
  : Record<never, never>;
