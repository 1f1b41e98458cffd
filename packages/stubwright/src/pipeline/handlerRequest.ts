// The request of a handler; RequestOf has the exact types.

import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BodyIn, BodyOf, BodyValue, SequenceType, ValueOf } from '@stubwright/contract';
import type { mocked } from '@stubwright/mock/mocked';
import type { ConditionName } from '../conditional/conditions.ts';
import { type Preconditions, preconditionsOf } from '../conditional/preconditions.ts';
import type { ContextRequest, Exchange, Principal, RequestLog } from '../request/exchange.ts';
import type { StepParts } from './step.ts';

/** Where a request of a handler comes from. */
interface RequestOrigin {
  readonly exchange: Exchange;
  readonly parts: StepParts;
}

/** @throws {TypeError} for another object, such as a copy of a request */
export let originOfRequest: (request: object) => RequestOrigin;

export class HandlerRequest {
  // Declared only: a class would first define each as undefined.
  declare readonly path: unknown;
  declare readonly query: unknown;
  declare readonly header: unknown;
  declare readonly cookie: unknown;
  declare readonly mediaType: string | undefined;
  declare readonly principal: Principal | undefined;
  declare readonly principals: Exchange['principals'];
  declare readonly body: unknown;
  readonly #exchange: Exchange;
  readonly #parts: StepParts;

  static {
    originOfRequest = (request) => {
      if (!(#exchange in request)) throw new TypeError('expected the request of a handler');
      return { exchange: request.#exchange, parts: request.#parts };
    };
  }

  constructor(exchange: Exchange, parts: StepParts) {
    const { parameters, parsedBody } = exchange;
    this.path = parameters.path;
    this.query = parameters.query;
    this.header = parameters.header;
    this.cookie = parameters.cookie;
    this.mediaType = parsedBody.mediaType;
    this.principal = exchange.principal;
    this.principals = exchange.principals;
    this.body = parsedBody.coerced();
    this.#exchange = exchange;
    this.#parts = parts;
  }

  get address(): string | undefined {
    return this.#exchange.address;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get lastEventId(): string | undefined {
    return this.#exchange.headers['last-event-id']?.toString();
  }

  get preconditions(): Preconditions | undefined {
    return preconditionsOf(this.#exchange);
  }

  get log(): RequestLog {
    return this.#exchange.log;
  }
}

/**
 * A validated request; an int64 is a bigint. Parameters and properties with a default are present, and
 * `readOnly` properties absent. A file of a form is a Blob, in other media types a string.
 */
export interface RequestOf<Operation> {
  readonly path: ReceivedParameters<Operation, 'path'>;
  readonly query: ReceivedParameters<Operation, 'query'>;
  readonly header: ReceivedParameters<Operation, 'header'>;
  readonly cookie: ReceivedParameters<Operation, 'cookie'>;
  readonly body: BodyOf<Operation, 'received'>;
  /** The media type of the body; undefined without a body. */
  readonly mediaType: string | undefined;
  /** The principal of the first scheme of the requirement; undefined for an anonymous caller. */
  readonly principal: PrincipalOf<Operation>;
  /** The principals of the security requirement that passed, by name of the scheme. */
  readonly principals: PrincipalsOf<Operation>;
  /** The remote IP address of the connection; undefined for a fetch handler. */
  readonly address: ContextRequest['address'];
  /** Unique across restarts; also in the log lines of the request. */
  readonly requestId: ContextRequest['requestId'];
  /** Aborted when the client is gone, when the time limit is over, and when the service stops. */
  readonly signal: ContextRequest['signal'];
  /** The id of the last event that a client has received before it connected again (`Last-Event-ID`). */
  readonly lastEventId: string | undefined;
  /** For an operation that declares `If-Match`, `If-None-Match` or `If-Unmodified-Since`; else undefined. */
  readonly preconditions: PreconditionsOf<Operation>;
  /** A log that adds the `requestId` to each line. */
  readonly log: ContextRequest['log'];
}

/** A declared status with its body, without `writeOnly` properties, and its declared headers. */
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
  readonly body: BodyOf<Operation, 'request'>;
}

/** A declared response of an operation of `webhooks` or `callbacks`. */
export type CallbackResponseOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: {
        readonly status: StatusOf<Status>;
        readonly body: Responses[Status] extends { content: infer Content }
          ? BodyIn<Content, 'response'>
          : undefined;
      } & HeadersOf<Responses[Status]>;
    }[keyof Responses]
  : never;

type PreconditionsOf<Operation> = Lowercase<keyof ParametersIn<Operation, 'header'> & string> &
  Lowercase<Exclude<ConditionName, 'If-Modified-Since'>> extends never
  ? undefined
  : Preconditions;

/** `security` has the names of the schemes of each alternative. */
type PrincipalOf<Operation> = Operation extends { security: infer Security }
  ? Security extends readonly []
    ? undefined
    : Principal
  : Principal | undefined;

type PrincipalsOf<Operation> = Operation extends {
  security: infer Security extends readonly string[];
}
  ? { readonly [Name in Exclude<Security[number], OptionalOf<Security>>]: Principal } & {
      readonly [Name in OptionalOf<Security>]?: Principal;
    }
  : Readonly<Record<string, Principal>>;

/** The schemes that not every alternative has. */
type OptionalOf<Security extends readonly string[], Name = Security[number]> = Name extends string
  ? Security extends readonly (infer Required)[]
    ? Name extends Required
      ? never
      : Name
    : never
  : never;

type ParametersIn<Operation, Where extends string> = Operation extends {
  parameters: { [Key in Where]?: infer Parameters };
}
  ? Exclude<Parameters, undefined> extends never
    ? Record<never, never>
    : Exclude<Parameters, undefined>
  : Record<never, never>;

type ReceivedParameters<Operation, Where extends string> = ValueOf<
  ParametersIn<Operation, Where>,
  'received'
>;

/** The types of a binary reply body. */
type Bytes = Blob | Uint8Array | Readable | ReadableStream<Uint8Array>;

type StatusOf<Status> = Status extends number ? Status : number;

type ReplyWith<Status, Response> = { readonly status: Status } & ContentOf<Response> &
  HeadersOf<`${Status & number}` extends `2${string}` ? WithComputedTag<Response> : Response>;

type ContentOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? { readonly body?: undefined }
    : {
        [Type in keyof Content]: {
          readonly type?: Concrete<Type>;
          readonly body:
            | BodyValue<Type, Content[Type], 'response', Content[Type] | Bytes>
            | (Type extends SequenceType ? Bytes : never);
        };
      }[keyof Content]
  : { readonly body?: undefined };

/** A media type in the media type range of a contract. */
export type Concrete<Type> = Type extends `${infer Start}*` ? `${Start}${string}` : Type;

type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? Record<never, never> extends Declared<Headers>
    ? { readonly headers?: Declared<Headers> }
    : { readonly headers: Declared<Headers> }
  : { readonly headers?: Record<never, never> };

/** The entity tag of a success response is computed unless the handler gives one. */
type WithComputedTag<Response> = Response extends { headers: infer Headers }
  ? Lowercase<keyof Declared<Headers> & string> & 'etag' extends never
    ? Response
    : { headers: Optional<Declared<Headers>, 'etag'> }
  : Response;

type Optional<Headers, Name extends string> = {
  [Key in keyof Headers as Lowercase<Key & string> extends Name ? never : Key]: Headers[Key];
} & {
  [Key in keyof Headers as Lowercase<Key & string> extends Name ? Key : never]?: Headers[Key];
};

/** The declared headers, without the index signature of openapi-typescript. */
export type Declared<Headers> = {
  [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name];
};
