// The types of requests and replies, derived from the types of openapi-typescript.
import type { BodyAs, ReadOptions } from './options.ts';
import type { StreamEvent } from './streams.ts';

declare const DEFAULTS: unique symbol;
declare const READ_ONLY: unique symbol;
declare const WRITE_ONLY: unique symbol;

type Named<Names extends string> = { readonly [Name in Names]: true };

/** In a generated type: the properties that the service sets to their default in a request. */
export interface WithDefaults<Names extends string> {
  readonly [DEFAULTS]?: Named<Names>;
}

/** In a generated type: the properties that requests do not have. */
export interface HiddenInRequests<Names extends string> {
  readonly [READ_ONLY]?: Named<Names>;
}

/** In a generated type: the properties that replies do not have. */
export interface HiddenInReplies<Names extends string> {
  readonly [WRITE_ONLY]?: Named<Names>;
}

/**
 * A JSON Merge Patch (RFC 7396) of a resource: each property may be absent, and null removes an optional
 * one. Arrays are replaced.
 */
export type MergePatchOf<Value> = unknown extends Value
  ? Value
  : Value extends readonly unknown[] | Blob
    ? Value
    : Value extends object
      ? {
          [Name in Exclude<keyof Value, typeof DEFAULTS>]?: MergePatchOf<
            | Exclude<Value[Name], null | undefined>
            | (Record<never, never> extends Pick<Value, Name> ? null : never)
          >;
        }
      : Value;

/** A JSON Patch (RFC 6902). */
export type PatchOperations = readonly (
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }
)[];

/** The arguments of an operation after the connection. */
export type RequestArguments<Operation, As extends BodyAs = undefined> = CallArguments<
  Operation,
  ReadOptions<As>
>;

/** A request, which is optional if all its parts are, and options. */
export type CallArguments<Operation, Options> =
  Record<never, never> extends RequestFor<Operation>
    ? [request?: RequestFor<Operation>, options?: Options]
    : [request: RequestFor<Operation>, options?: Options];

/**
 * The request of an operation. Properties with a default may be omitted, `readOnly` ones are absent. An
 * int64 is a bigint, a file a Blob, bytes or a stream.
 */
export type RequestFor<Operation> = Parameters<'path', In<Operation, 'path'>> &
  Parameters<'query', In<Operation, 'query'>> &
  Parameters<'cookie', In<Operation, 'cookie'>> &
  Parameters<'header', In<Operation, 'header'>> &
  BodyOf<Operation>;

/** A declared response of an operation, discriminated by `status`, and by `type` if it has several. */
export type ReplyFor<Operation, As extends BodyAs = undefined> = [As] extends ['stream']
  ? StreamedReply<ReplyFor<Operation>>
  : Operation extends { responses: infer Responses }
    ? {
        [Status in keyof Responses]: {
          readonly operationId: string;
          readonly status: StatusOf<Status, keyof Responses>;
          /** The declared headers, with the types of their schemas. */
          readonly headers: HeadersOf<Responses[Status]>;
          /** All headers; its body is read. */
          readonly response: Response;
        } & (Status extends EmptyStatus ? NoContent : ContentOf<Responses[Status]>);
      }[keyof Responses]
    : never;

/** The same reply with a stream in place of bytes and text. */
type StreamedReply<Reply> = Reply extends { type: infer Type; body: infer Body }
  ? Omit<Reply, 'body'> & { readonly body: StreamedBody<Type, Body> }
  : never;

type StreamedBody<Type, Body> = Body extends Uint8Array
  ? ReadableStream<Uint8Array>
  : Type extends `text/${'json' | 'event-stream'}${string}`
    ? Body
    : Type extends `text/${string}` | XmlType
      ? ReadableStream<Uint8Array>
      : Body;

/** The replies of an operation that may be a success. */
export type SuccessOf<Reply> = Reply extends { status: infer Status }
  ? [Status & Statuses[2]] extends [never]
    ? never
    : Reply
  : never;

/** The replies of an operation that may not be a success. */
export type FailureOf<Reply> = Reply extends { status: infer Status }
  ? [Exclude<Status, Statuses[2]>] extends [never]
    ? never
    : Reply
  : never;

type In<Operation, Where extends string> = Operation extends {
  parameters: { [Key in Where]?: infer Values };
}
  ? Exclude<Values, undefined>
  : never;

/** `never` for an operation without such parameters. */
type Parameters<Where extends string, Values> = [Values] extends [never]
  ? { readonly [Key in Where]?: Record<never, never> }
  : Record<never, never> extends Values
    ? { readonly [Key in Where]?: ValueOf<Values, 'request'> }
    : { readonly [Key in Where]: ValueOf<Values, 'request'> };

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
    readonly body: Type extends SequenceType
      ? SequenceOf<Content[Type], 'request', BodyValue<Type, Content[Type], 'request', Bytes>>
      : BodyValue<Type, Content[Type], 'request', Bytes | string, File> | FormOf<Type>;
  };
}[keyof Content];

type File = Blob | Uint8Array | ReadableStream<Uint8Array>;
type Bytes = File | ArrayBuffer;

type FormOf<Type> = Type extends `multipart/form-data${string}` ? FormData : never;

/** A media type in the media type range of a contract. */
type Concrete<Type> = Type extends `${infer Start}*` ? `${Start}${string}` : Type;

type ContentOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? NoContent
    : {
        [Type in keyof Content]: {
          readonly type: Concrete<Type>;
          readonly body: ReplyBody<Type, Content[Type]>;
        };
      }[keyof Content]
  : NoContent;

/** RFC 9110, section 15. */
type EmptyStatus = 204 | 205 | 304;

/** An operation of HEAD: its content is that of GET. */
export type HeadOf<Operation> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'responses'> & {
      responses: { [Status in keyof Responses]: Omit<Responses[Status], 'content'> };
    }
  : Operation;

/** An operation whose header is optional: the client adds it. */
export type WithoutHeader<Operation, Name extends string> = Operation extends {
  parameters: { header?: infer Headers };
}
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'header'> & {
        header: Optional<Exclude<Headers, undefined>, Name>;
      };
    }
  : Operation;

type Optional<Values, Name extends string> = Omit<Values, Name> & {
  [Key in keyof Values as Key & Name]?: Values[Key];
};

type NoContent = { readonly type: undefined; readonly body: undefined };

type ReplyBody<Type, Value> = Type extends '*/*' | 'application/*'
  ? ValueOf<Value, 'reply', Uint8Array>
  : Type extends `text/event-stream${string}`
    ? AsyncIterable<EventOf<Value>>
    : Type extends SequenceType
      ? SequenceOf<Value, 'reply', BodyValue<Type, Value, 'reply', Uint8Array>>
      : BodyValue<Type, Value, 'reply', Uint8Array>;

/** The data of an event is text unless its schema has another type or a `contentSchema`. */
type EventOf<Value> = Value extends readonly (infer Item)[]
  ? EventFrom<ValueOf<Item, 'reply'>>
  : StreamEvent;

type EventFrom<Item> = Item extends { data?: infer Data }
  ? Omit<StreamEvent<Exclude<Data, undefined>>, 'event'> & {
      readonly event: Item extends { event?: infer Name } ? Name : string | undefined;
    }
  : StreamEvent;

/** The schema of a sequence is an array of its items. `Whole` is the body without such a schema. */
type SequenceOf<Value, Kind extends ValueKind, Whole> =
  NonNullable<Value> extends readonly (infer Item)[]
    ? [Item] extends [Blob]
      ? Whole
      : Kind extends 'reply'
        ? AsyncIterable<ValueOf<Item, Kind>>
        : AsyncIterable<ValueOf<Item, Kind>> | Iterable<ValueOf<Item, Kind>> | Bytes
    : Whole;

type SequenceType =
  | `text/event-stream${string}`
  | `application/${'jsonl' | 'x-jsonlines' | 'x-ndjson' | 'ndjson'}${string}`;

type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? Readonly<{
      [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name];
    }>
  : Record<never, never>;

/** The status codes of the IANA registry: a range or `default` excludes the codes that are declared. */
interface Statuses {
  1: 100 | 101 | 102 | 103;
  2: 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
  3: 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308;
  4:
    | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414)
    | (415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451);
  5: 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
}

type StatusOf<Status, Declared> = Status extends number
  ? Status
  : Status extends `${infer Digit extends keyof Statuses}${'XX' | 'xx'}`
    ? Exclude<Statuses[Digit], Declared>
    : Exclude<Statuses[keyof Statuses], Declared | RangeOf<Declared> | SuccessBeside<Declared>>;

/** Where a success is declared, `default` describes errors only. */
type SuccessBeside<Declared> = [Extract<Declared, Statuses[2] | '2XX' | '2xx'>] extends [never]
  ? never
  : Statuses[2];

type RangeOf<Declared> = Declared extends `${infer Digit extends keyof Statuses}${'XX' | 'xx'}`
  ? Statuses[Digit]
  : never;

type ValueKind = 'request' | 'reply';

interface HiddenMarks {
  request: typeof READ_ONLY;
  reply: typeof WRITE_ONLY;
}

type Mark = typeof DEFAULTS | typeof READ_ONLY | typeof WRITE_ONLY;

type MarkedBy<Value, Of extends Mark> = Of extends keyof Value
  ? keyof NonNullable<Value[Of]>
  : never;

/** A value of the runtime, such as a Date. */
interface RuntimeValue {
  toJSON(): string;
}

/** A value without the properties that are hidden in its direction. `File` is the type of a file. */
type ValueOf<Value, Kind extends ValueKind, File = string, Inner = string> =
  // Also for `any`.
  unknown extends Value
    ? Value
    : Value extends Blob
      ? File
      : Value extends readonly unknown[]
        ? number extends Value['length']
          ? // Unlike a mapped type, read on demand: a schema may be an array of itself.
            ValueOf<Value[number], Kind, File, Inner>[]
          : { [At in keyof Value]: ValueOf<Value[At], Kind, File, Inner> }
        : Value extends RuntimeValue
          ? Value
          : Value extends object
            ? keyof Value & Mark extends never
              ? { [Name in keyof Value]: ValueOf<Value[Name], Kind, Inner> }
              : {
                  [Name in keyof Value as Exclude<
                    Name,
                    Mark | MarkedBy<Value, HiddenMarks[Kind]>
                  >]: ValueOf<Value[Name], Kind, Inner>;
                }
            : Value;

/** Media types whose bodies are values of the schema, and whose files are strings. */
type ValueType =
  | WithParameters<'application/json' | `${string}+json`>
  | `text/${string}`
  | 'application/x-www-form-urlencoded';

type WithParameters<Type extends string> = Type | `${Type};${string}` | `${Type} ${string}`;

/** Media types whose bodies are text, whatever the schema, or files. */
type XmlType = `${'application' | 'text'}/xml${string}` | `${string}+xml${string}`;

type BodyValue<Type, Value, Kind extends ValueKind, Raw, File = Blob> = Type extends
  | 'multipart/form-data'
  | `multipart/form-data;${string}`
  ? ValueOf<Value, Kind, string, File>
  : Type extends XmlType
    ? NonNullable<Value> extends Blob
      ? Raw
      : Kind extends 'reply'
        ? string
        : Raw
    : Type extends ValueType
      ? ValueOf<Value, Kind>
      : Raw;
