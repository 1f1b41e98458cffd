// What a handler gets and gives, derived from the types that openapi-typescript generates.
// Types only: a handler that the contract does not know, or the other way round, does not compile.
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { mocked } from '../mock/mocked.ts';
import type { BodyValue } from '../request/body/mediaKinds.ts';
import type { Principal } from '../request/exchange.ts';

/** What a handler gets: validated, and typed as the contract says (an int64 is a bigint). */
export interface RequestOf<Operation> {
  readonly path: ParametersIn<Operation, 'path'>;
  readonly query: ParametersIn<Operation, 'query'>;
  readonly header: ParametersIn<Operation, 'header'>;
  readonly cookie: ParametersIn<Operation, 'cookie'>;
  readonly body: BodyOf<Operation>;
  /** The media type that the body came in; undefined where there is none. */
  readonly mediaType: string | undefined;
  /** The caller; undefined for an anonymous one. With several schemes, that of the first. */
  readonly principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of their scheme. */
  readonly principals: Readonly<Record<string, Principal>>;
}

/** What a handler gives: one of the declared statuses with its body and its declared headers. */
export type ReplyOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: ReplyWith<StatusOf<Status>, Responses[Status]> }[keyof Responses]
  : never;

/** One operation, implemented. It throws a Problem for a declared error and catches nothing. */
export type HandlerOf<Operation, Services> = (
  request: RequestOf<Operation>,
  services: Services,
) => ReplyOf<Operation> | Promise<ReplyOf<Operation>>;

/** Every operation of a contract, implemented or marked `mocked`: none is missing or unknown. */
export type HandlersOf<Operations, Services> = {
  readonly [Id in keyof Operations]: HandlerOf<Operations[Id], Services> | typeof mocked;
};

type ParametersIn<Operation, Where extends string> = Operation extends {
  parameters: { [Key in Where]?: infer Parameters };
}
  ? Exclude<Parameters, undefined> extends never
    ? Record<never, never>
    : Exclude<Parameters, undefined>
  : Record<never, never>;

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? BodyIn<Content>
  : Operation extends { requestBody?: { content: infer Content } }
    ? BodyIn<Content> | undefined
    : undefined;

/** The body in each of the media types. */
type BodyIn<Content> = {
  [Type in keyof Content]: BodyValue<Type, Content[Type], ReadableStream<Uint8Array>>;
}[keyof Content];

/** What may leave where the contract declares bytes. */
type Bytes = Blob | Uint8Array | Readable | ReadableStream<Uint8Array>;

type StatusOf<Status> = Status extends number ? Status : number;

type ReplyWith<Status, Response> = { readonly status: Status } & ContentOf<Response> &
  HeadersOf<Response>;

type ContentOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? { readonly body?: undefined }
    : {
        [Type in keyof Content]: {
          readonly type?: Type;
          readonly body: BodyValue<Type, Content[Type], Content[Type] | Bytes>;
        };
      }[keyof Content]
  : { readonly body?: undefined };

type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? Record<never, never> extends Declared<Headers>
    ? { readonly headers?: Declared<Headers> }
    : { readonly headers: Declared<Headers> }
  : { readonly headers?: Record<never, never> };

/** The declared headers, without the index signature that openapi-typescript adds. */
type Declared<Headers> = {
  [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name];
};
