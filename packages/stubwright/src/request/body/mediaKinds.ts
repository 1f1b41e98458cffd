// The table of media types: how a body of each kind is read, serialized, sampled and typed.
import { Readable } from 'node:stream';
import type { LocatedNode } from '../../document/definition.ts';
import { parseJsonText, stringifyJson, toText } from '../../json/json.ts';
import { declaredPart, NotSerializable, serializerOf, type Writer } from '../../response/writer.ts';
import type { Schema } from '../../schema/model.ts';
import type { Validators } from '../../schema/validator.ts';
import type { Exchange } from '../exchange.ts';
import { scalar } from '../parameters/parameterText.ts';
import type { Shape } from '../parameters/shape.ts';
import { readXml } from '../xml/readXml.ts';
import { writeXml } from '../xml/writeXml.ts';
import { type FormFields, formFieldsOf, readForm } from './form.ts';
import { jsonTypesOf, mayBeOfType } from './jsonType.ts';
import { isJson, isJsonMediaType, isXml } from './mediaType.ts';
import { formDataOf, formTextOf } from './writeForm.ts';

/** Media types whose bodies handlers exchange as values of the schema. */
type ValueType =
  | `application/json${string}`
  | `text/json${string}`
  | `${string}+json${string}`
  | `text/${string}`
  | 'application/x-www-form-urlencoded'
  | `multipart/${string}`;

/** Those that are values where the schema is an object or an array, else bytes. */
type XmlType = `application/xml${string}` | `${string}+xml${string}`;

/** The body of one media type as handlers exchange it; `Bytes` stands for bodies without a value. */
export type BodyValue<Type, Value, Bytes> = Type extends ValueType
  ? Value
  : Type extends XmlType
    ? NonNullable<Value> extends object
      ? Value
      : Bytes
    : Bytes;

/** One entry of a `content` map. */
export interface MediaContent extends FormFields {
  readonly schema: Schema | undefined;
  readonly validators: Validators;
}

/** A request body that has been read. */
export interface ReadBody {
  readonly value?: unknown;
  /** Why the body is not valid, where this is clear before it is parsed. */
  readonly error?: string;
  /** True for a stream, which is not validated. */
  readonly isStream?: boolean;
  /** Removes temporary files. */
  readonly release?: () => Promise<void>;
}

type MaybePromise<T> = T | Promise<T>;

/** @returns undefined for an empty body @throws {Problem} 40001, 40004 or 41300 */
export type Reader = (exchange: Exchange) => MaybePromise<ReadBody | undefined>;

/** Media types that are read, written and sampled in the same way. */
export interface MediaKind {
  /** @param type in lower case, without parameters @param shape of the schema */
  includes(type: string, shape: Shape): boolean;
  /** Compiles the reader of request bodies. */
  reader(content: MediaContent): Reader;
  /** True where no bytes are a value; else they are no body. */
  readsEmpty(isRequired: boolean): boolean;
  /** Compiles the serializer of valid response bodies, which throws NotSerializable. */
  serializer(content: MediaContent): Writer;
  /** True where a response body may be bytes, which are sent without validation. */
  readonly takesBytes: boolean;
  /** Encodes a sample, which need not be valid. @throws {NotSerializable} */
  encode(value: unknown, content: MediaContent): string | FormData;
  /** True for a sample that a mock can send. */
  canSend(value: unknown, content: MediaContent): boolean;
}

const json: MediaKind = {
  includes: isJson,
  reader({ schema }) {
    const types = schema && jsonTypesOf(schema);
    return wholeReader((text) => {
      if (text === '') return undefined;
      // A body of the wrong type is not worth parsing.
      const isParsed = types === undefined || mayBeOfType(text, types);
      if (!isParsed) return { error: `expected ${[...types].join(' or ')}` };
      return { value: parseJsonText(text) };
    });
  },
  readsEmpty: () => false,
  serializer: ({ schema, validators }) =>
    schema === undefined ? stringifyJson : serializerOf(validators, schema),
  takesBytes: false,
  encode: (value) => stringifyJson(value),
  canSend: () => true,
};

/** XML whose schema is an object or an array; other XML is text or opaque. */
const xml: MediaKind = {
  includes: (type, { readings }) => isXml(type) && readings.some(({ kind }) => kind !== 'scalar'),
  reader:
    ({ shape }) =>
    async ({ body }) => {
      const bytes = await body.readBody();
      return bytes.length === 0 ? undefined : { value: await readXml(bytes, shape) };
    },
  readsEmpty: () => false,
  serializer({ schema, shape, validators }) {
    const declared = declaredPart(validators, schema!);
    return (value) => writeXml(declared(value), schema!, shape);
  },
  takesBytes: false,
  encode: (value, { schema, shape }) => writeXml(value, schema!, shape),
  canSend(value, content) {
    try {
      xml.encode(value, content);
      return true;
    } catch {
      return false;
    }
  },
};

/** What the other kinds do with the bodies of responses: they take scalars and bytes. */
const scalarResponse: Pick<MediaKind, 'serializer' | 'takesBytes' | 'canSend'> = {
  serializer: () => (value) => {
    if (isScalar(value)) return String(value);
    throw new NotSerializable('expected text or bytes');
  },
  takesBytes: true,
  canSend: isScalar,
};

const text: MediaKind = {
  ...scalarResponse,
  // A form whose schema is a string is opaque text.
  includes: (type, { kind, types }) =>
    type.startsWith('text/') || (isForm(type) && kind === 'scalar' && types.size > 0),
  reader: ({ shape }) => wholeReader((text) => ({ value: scalar(text, shape) })),
  readsEmpty: () => true,
  encode: encodeText,
};

const form: MediaKind = {
  ...scalarResponse,
  includes: isForm,
  reader: (content) => wholeReader((text) => ({ value: readForm(text, content) })),
  // A client may leave out the fields of an optional form, and still name its type.
  readsEmpty: (isRequired) => isRequired,
  encode: formTextOf,
};

const multipart: MediaKind = {
  ...scalarResponse,
  includes: (type) => type === 'multipart/form-data',
  reader:
    (content) =>
    async ({ headers, body }) => {
      const { readMultipart } = await import('./multipart.ts');
      const type = headers['content-type']!;
      const { form: value, release } = await readMultipart(() => body.stream(), type, content);
      return { value, release };
    },
  readsEmpty: () => false,
  encode: formDataOf,
};

/** Bytes, for every media type that no other kind includes. */
export const opaque: MediaKind = {
  ...scalarResponse,
  includes: () => true,
  reader:
    () =>
    ({ body }) => ({ value: Readable.toWeb(body.stream()), isStream: true }),
  readsEmpty: () => true,
  encode: encodeText,
};

/** The first that includes a media type reads and writes it. */
const KINDS: readonly MediaKind[] = [json, xml, text, form, multipart, opaque];

/** @param type in lower case, without parameters */
export function mediaKindOf(type: string, { shape }: MediaContent): MediaKind {
  return KINDS.find((each) => each.includes(type, shape))!;
}

/** @param location an entry of a `content` map */
export function mediaContentOf(location: LocatedNode, validators: Validators): MediaContent {
  const { node, pointer } = location;
  const schema = node.schema === undefined ? undefined : validators.model.at(`${pointer}/schema`);
  return { ...formFieldsOf(location, validators), schema, validators };
}

/** @returns of the keys of a `content` map JSON before all others; undefined where there is none */
export function preferredKey(keys: readonly string[]): string | undefined {
  return keys.find(isJsonMediaType) ?? keys[0];
}

function wholeReader(parse: (text: string) => ReadBody | undefined): Reader {
  return ({ body }) => body.readBody().then((bytes) => parse(toText(bytes)));
}

function isForm(type: string): boolean {
  return type === 'application/x-www-form-urlencoded';
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' && value !== undefined;
}

function encodeText(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}
