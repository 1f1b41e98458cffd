// The types of bodies, derived from the types of openapi-typescript by direction and media type.
import type { ReadableStream } from 'node:stream/web';

declare const DEFAULTS: unique symbol;
declare const READ_ONLY: unique symbol;
declare const WRITE_ONLY: unique symbol;

type Named<Names extends string> = { readonly [Name in Names]: true };

/** In a generated type: the properties that the engine sets to their default in a request. */
export interface Defaults<Names extends string> {
  readonly [DEFAULTS]?: Named<Names>;
}

/** In a generated type: the properties that requests do not have. */
export interface ReadOnly<Names extends string> {
  readonly [READ_ONLY]?: Named<Names>;
}

/** In a generated type: the properties that responses do not have. */
export interface WriteOnly<Names extends string> {
  readonly [WRITE_ONLY]?: Named<Names>;
}

/** `received`: a validated request, in which properties with a default are present. */
export type ValueKind = 'received' | 'request' | 'response';

interface HiddenMarks {
  received: typeof READ_ONLY;
  request: typeof READ_ONLY;
  response: typeof WRITE_ONLY;
}

/** A patch has no defaults. */
type DefaultsMark = typeof DEFAULTS;

type Mark = typeof DEFAULTS | typeof READ_ONLY | typeof WRITE_ONLY;

type Primitive = string | number | bigint | boolean | null | undefined;

type MarkedBy<Value, Of extends Mark> = Of extends keyof Value
  ? keyof NonNullable<Value[Of]>
  : never;

/**
 * A value without the properties that are hidden in its direction. A file is the type `File`, also as an
 * item, and in the properties of an object `Inner`.
 */
export type ValueOf<Value, Kind extends ValueKind, File = string, Inner = string> =
  // Also for `any`.
  unknown extends Value
    ? Value
    : [Value] extends [Primitive]
      ? // With the name of the type, in messages.
        Value
      : Value extends Blob
        ? File
        : Value extends readonly unknown[]
          ? number extends Value['length']
            ? // Unlike a mapped type, read on demand: a schema may be an array of itself.
              ValueOf<Value[number], Kind, File, Inner>[]
            : { [At in keyof Value]: ValueOf<Value[At], Kind, File, Inner> }
          : Value extends object
            ? keyof Value & Mark extends never
              ? { [Name in keyof Value]: ValueOf<Value[Name], Kind, Inner> }
              : MarkedValue<Value, Kind, Inner>
            : Value;

type MarkedValue<Value, Kind extends ValueKind, Inner> = {
  [Name in keyof Value as Exclude<
    Name,
    Mark | MarkedBy<Value, HiddenMarks[Kind]> | Present<Value, Kind>
  >]: ValueOf<Value[Name], Kind, Inner>;
} & {
  [Name in Present<Value, Kind>]: ValueOf<Exclude<Value[Name], undefined>, Kind, Inner>;
};

/** The properties that a default makes present. */
type Present<Value, Kind extends ValueKind> = Kind extends 'received'
  ? MarkedBy<Value, typeof DEFAULTS> & keyof Value
  : never;

type FormData = 'multipart/form-data' | `multipart/form-data;${string}`;

/** Media types whose bodies are values of the schema, and whose files are strings. */
type ValueType =
  | WithParameters<'application/json' | `${string}+json`>
  | `text/${string}`
  | 'application/x-www-form-urlencoded';

type WithParameters<Type extends string> = Type | `${Type};${string}` | `${Type} ${string}`;

/** Media types whose bodies are values for object and array schemas, else bytes. */
type XmlType = `application/xml${string}` | `${string}+xml${string}`;

/** Media types whose bodies are sequences, if their schema is an array. */
export type SequenceType =
  | `text/event-stream${string}`
  | `application/${'jsonl' | 'x-jsonlines' | 'x-ndjson' | 'ndjson'}${string}`;

/** What is received is read once; what is sent may be any iterable. */
type Sequence<Item, Kind extends ValueKind> = Kind extends 'received'
  ? AsyncIterable<Item>
  : AsyncIterable<Item> | Iterable<Item>;

/** The type of a body; `Bytes` for media types without a value. `File` is the type of a file in a form. */
export type BodyValue<
  Type,
  Value,
  Kind extends ValueKind,
  Bytes,
  File = Blob,
> = Type extends SequenceType
  ? NonNullable<Value> extends readonly (infer Item)[]
    ? [Item] extends [Blob]
      ? WholeValue<Type, Value, Kind, Bytes, File>
      : Sequence<ValueOf<Item, Kind>, Kind>
    : WholeValue<Type, Value, Kind, Bytes, File>
  : WholeValue<Type, Value, Kind, Bytes, File>;

type WholeValue<Type, Value, Kind extends ValueKind, Bytes, File> = Type extends FormData
  ? ValueOf<Value, Kind, string, File>
  : Type extends ValueType
    ? ValueOf<Value, Kind>
    : Type extends XmlType
      ? NonNullable<Value> extends Blob
        ? Bytes
        : NonNullable<Value> extends object
          ? ValueOf<Value, Kind>
          : Bytes
      : Bytes;

/** The body of a request; undefined for an operation without one. */
export type BodyOf<Operation, Kind extends ValueKind> = Operation extends {
  requestBody: { content: infer Content };
}
  ? BodyIn<Content, Kind>
  : Operation extends { requestBody?: { content: infer Content } }
    ? BodyIn<Content, Kind> | undefined
    : undefined;

/** A body of one of the media types of `content`; bytes are a stream. */
export type BodyIn<Content, Kind extends ValueKind> = {
  [Type in keyof Content]: BodyValue<Type, Content[Type], Kind, ReadableStream<Uint8Array>>;
}[keyof Content];

/** An operation of a JSON Patch (RFC 6902, section 4). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** A JSON Patch (RFC 6902). */
export type JsonPatch = readonly JsonPatchOperation[];

/**
 * A JSON Merge Patch (RFC 7396) of a resource: each property may be absent, and null removes an optional
 * one. Arrays are replaced.
 */
export type MergePatch<Value> = unknown extends Value
  ? Value
  : Value extends readonly unknown[] | Blob
    ? Value
    : Value extends object
      ? {
          [Name in Exclude<keyof Value, DefaultsMark>]?: MergePatch<
            Exclude<Value[Name], null | undefined> | Removed<Value, Name>
          >;
        }
      : Value;

/** No patch sets null: it removes. */
type Removed<Value, Name extends keyof Value> =
  Record<never, never> extends Pick<Value, Name> ? null : never;
