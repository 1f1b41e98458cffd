// The types of handlers, requests and replies, derived from the types of openapi-typescript.
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BodyValue } from '../media/mediaKinds.ts';
import type { mocked } from '../mock/mocked.ts';
import type { Principal } from '../request/exchange.ts';

declare const DEFAULTS: unique symbol;

/** In a generated type: the properties that the engine sets to their default in a request. */
export interface Defaults<Names extends string> {
  readonly [DEFAULTS]?: { readonly [Name in Names]: true };
}

/** A validated request; an int64 is a bigint. Parameters and properties with a default are present. */
export interface RequestOf<Operation> {
  readonly path: WithDefaults<ParametersIn<Operation, 'path'>>;
  readonly query: WithDefaults<ParametersIn<Operation, 'query'>>;
  readonly header: WithDefaults<ParametersIn<Operation, 'header'>>;
  readonly cookie: WithDefaults<ParametersIn<Operation, 'cookie'>>;
  readonly body: WithDefaults<BodyOf<Operation>>;
  /** The media type of the body; undefined without a body. */
  readonly mediaType: string | undefined;
  /** The principal of the first scheme of the requirement; undefined for an anonymous caller. */
  readonly principal: Principal | undefined;
  /** The principals of the security requirement that passed, by name of the scheme. */
  readonly principals: Readonly<Record<string, Principal>>;
}

/** A declared status with its body and its declared headers. */
export type ReplyOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: ReplyWith<StatusOf<Status>, Responses[Status]> }[keyof Responses]
  : never;

/** The handler of one operation. It throws a Problem for a declared error response. */
export type HandlerOf<Operation, Services> = (
  request: RequestOf<Operation>,
  services: Services,
) => ReplyOf<Operation> | Promise<ReplyOf<Operation>>;

/** A handler or `mocked` for every operation of a contract, by operationId. */
export type HandlersOf<Operations, Services> = {
  readonly [Id in keyof Operations]: HandlerOf<Operations[Id], Services> | typeof mocked;
};

/** The request that a service sends to an operation of `webhooks` or `callbacks`. */
export interface CallbackRequestOf<Operation> {
  readonly path: ParametersIn<Operation, 'path'>;
  readonly query: ParametersIn<Operation, 'query'>;
  readonly header: ParametersIn<Operation, 'header'>;
  readonly cookie: ParametersIn<Operation, 'cookie'>;
  readonly body: BodyOf<Operation>;
}

/** A declared response of an operation of `webhooks` or `callbacks`. */
export type CallbackResponseOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: {
        readonly status: StatusOf<Status>;
        readonly body: Responses[Status] extends { content: infer Content }
          ? BodyIn<Content>
          : undefined;
      } & HeadersOf<Responses[Status]>;
    }[keyof Responses]
  : never;

/** A value after the engine has set the missing properties that have a default. */
type WithDefaults<Value> = Value extends object
  ? Value extends Blob | ReadableStream
    ? Value
    : typeof DEFAULTS extends keyof Value
      ? RequiredProperties<Value, DefaultNames<Value>>
      : { [Name in keyof Value]: WithDefaults<Value[Name]> }
  : Value;

type DefaultNames<Value> = typeof DEFAULTS extends keyof Value
  ? keyof NonNullable<Value[typeof DEFAULTS]>
  : never;

type RequiredProperties<Value, Names> = {
  [Name in keyof Value as Name extends Names | typeof DEFAULTS ? never : Name]: WithDefaults<
    Value[Name]
  >;
} & {
  [Name in keyof Value & Names]-?: WithDefaults<Exclude<Value[Name], undefined>>;
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

type BodyIn<Content> = {
  [Type in keyof Content]: BodyValue<Type, Content[Type], ReadableStream<Uint8Array>>;
}[keyof Content];

/** The types of a binary reply body. */
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

/** The declared headers, without the index signature of openapi-typescript. */
export type Declared<Headers> = {
  [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name];
};
