// The table of media types: how bodies of each kind are parsed, serialized and sampled.

import { Readable } from 'node:stream';
import { isObject, isPrimitive } from '../document/node.ts';
import { chain, type MaybePromise } from '../errors/thrown.ts';
import { NotSerializable, parseJsonBody, stringifyJson, toText, writeJson } from '../json/json.ts';
import type { Content } from '../operations/describedValues.ts';
import {
  FORM_TYPE,
  isEventStream,
  isJson,
  isSequential,
  isXml,
  parseMediaType,
} from '../operations/mediaType.ts';
import { commonTypes, isBinary, type Schema } from '../schema/model.ts';
import type { Validators } from '../schema/validator.ts';
import type { Message } from './bodySource.ts';
import { bodyScalar, type MediaContent, mediaContentOf, readForm } from './form.ts';
import { declaredPart, serializerOf, type Writer } from './jsonWriter.ts';
import type { PartReaders } from './multipart/multipart.ts';
import { EventItems, type ItemCodec, jsonLines } from './sequences.ts';
import { encodeText, formDataOf, formTextOf, multipartOf } from './writeForm.ts';
import { readXml } from './xml/readXml.ts';
import { writeXml } from './xml/writeXml.ts';

/** A parsed request body. */
export interface ReadBody {
  readonly value?: unknown;
  /** The error of a body that is known to be invalid without parsing. */
  readonly error?: string;
  /** True for a stream, which is not validated. */
  readonly isStream?: boolean;
  /** True for a stream of items, which are validated when they are read. */
  readonly isSequence?: boolean;
  /** Removes temporary files. */
  readonly release?: () => Promise<void>;
}

/** @returns undefined for an empty body @throws {Problem} 40001, 40004 or 41300 */
export type Reader = (message: Message) => MaybePromise<ReadBody | undefined>;

/** @returns a stream, and its media type with parameters */
export type Streamer = (value: unknown) => { readonly type: string; readonly body: ReadableStream };

type KindName = 'sequence' | 'json' | 'xml' | 'text' | 'form' | 'multipart' | 'opaque';

/** A group of media types with the same parser and serializer. */
export interface MediaKind {
  readonly name: KindName;
  /** @param type in lower case, without parameters */
  includes(type: string, content: Pick<MediaContent, 'shape' | 'item'>): boolean;
  /** Compiles the parser of bodies. */
  reader(content: MediaContent): Reader;
  /** True if an empty body is a value; false if it counts as a missing body. */
  readsEmpty(isRequired: boolean): boolean;
  /** Compiles the serializer of response bodies, of plain data; it throws NotSerializable. */
  serializer(content: MediaContent): Writer;
  /** Compiles the serializer of valid response bodies that determine their media type. */
  streamer?(content: MediaContent): Streamer;
  /** Compiles the items of bodies that are sequences. @param type in lower case, without parameters */
  itemCodec?(type: string, content: MediaContent): ItemCodec;
  /** True if a response body may be bytes, which are not validated. */
  readonly acceptsBytes: boolean;
  /** Encodes a sample, which may be invalid. @throws {NotSerializable} */
  encode(value: unknown, content: MediaContent): string | FormData;
  /** True if a mock can send the sample. */
  canSend(value: unknown, content: MediaContent): boolean;
}

const json: MediaKind = {
  name: 'json',
  includes: isJson,
  reader({ schema }) {
    const types = schema && jsonTypesOf(schema);
    return wholeReader((text, bytes) => {
      if (text === '') return undefined;
      // Skips parsing a body of the wrong type.
      const isParsed = types === undefined || mayBeOfType(text, types);
      if (!isParsed) return { error: `expected ${[...types].join(' or ')}` };
      return { value: parseJsonBody(bytes, text) };
    });
  },
  readsEmpty: () => false,
  serializer: ({ schema, validators }) =>
    schema === undefined ? writeJson : serializerOf(validators, schema),
  acceptsBytes: false,
  encode: (value) => stringifyJson(value),
  canSend: () => true,
};

/** @returns a writer of the declared properties */
function ofDeclared<Text>(
  { schema, validators }: MediaContent,
  write: (value: unknown) => Text,
): (value: unknown) => Text {
  const declared = schema && declaredPart(validators, schema);
  return (value) => write(declared ? declared(value) : value);
}

/** XML with an object or array schema; other XML is text or opaque. */
const xml: MediaKind = {
  name: 'xml',
  includes: (type, { shape }) =>
    isXml(type) && shape.readings.some(({ kind }) => kind !== 'scalar'),
  reader:
    ({ shape }) =>
    async ({ body }) => {
      const bytes = await body.readBody();
      return bytes.length === 0 ? undefined : { value: await readXml(bytes, shape) };
    },
  readsEmpty: () => false,
  serializer: (content) => ofDeclared(content, (value) => writeXml(value, content)),
  acceptsBytes: false,
  encode: writeXml,
  canSend(value, content) {
    try {
      xml.encode(value, content);
      return true;
    } catch {
      return false;
    }
  },
};

/** Response bodies of the other kinds: scalars and bytes. */
const scalarResponse: Pick<MediaKind, 'serializer' | 'acceptsBytes' | 'canSend'> = {
  serializer: () => (value) => {
    if (isPrimitive(value)) return String(value);
    throw new NotSerializable('expected text or bytes');
  },
  acceptsBytes: true,
  canSend: isPrimitive,
};

const text: MediaKind = {
  ...scalarResponse,
  name: 'text',
  // A form whose schema is a string is opaque text.
  includes: (type, { shape: { kind, types } }) =>
    type.startsWith('text/') || (type === FORM_TYPE && kind === 'scalar' && types.size > 0),
  reader: ({ shape }) => wholeReader((text) => ({ value: bodyScalar(text, shape) })),
  readsEmpty: () => true,
  encode: encodeText,
};

const form: MediaKind = {
  ...scalarResponse,
  name: 'form',
  includes: (type) => type === FORM_TYPE,
  reader: (content) => wholeReader((text) => ({ value: readForm(text, content) })),
  // An empty optional form counts as missing, even with a Content-Type.
  readsEmpty: (isRequired) => isRequired,
  serializer: (content) =>
    content.schema === undefined
      ? scalarResponse.serializer(content)
      : ofDeclared(content, (value) => formTextOf(value, content)),
  encode: formTextOf,
  canSend: isObject,
};

const multipart: MediaKind = {
  ...scalarResponse,
  name: 'multipart',
  includes: (type) => type === 'multipart/form-data',
  reader(content) {
    let readers: PartReaders | undefined;
    return async ({ headers, body }) => {
      const { readMultipart } = await import('./multipart/multipart.ts');
      readers ??= new (await import('./multipart/multipart.ts')).PartReaders(content);
      const type = headers['content-type']!;
      const { form: value, release } = await readMultipart(body, type, readers);
      return { value, release };
    };
  },
  readsEmpty: () => false,
  streamer: (content) =>
    ofDeclared(content, (value) => {
      const written = multipartOf(formDataOf(value, content));
      return { type: written.type, body: written.stream() };
    }),
  encode: formDataOf,
};

/** Items one after another, each validated by itself. */
const sequence: MediaKind = {
  ...scalarResponse,
  name: 'sequence',
  // Items that are files are not read.
  includes: (type, { item }) => item !== undefined && isSequential(type) && !isBinary(item),
  // The items are read while the body arrives: see RequestBody.
  reader:
    () =>
    ({ body }) => ({ value: body.stream(), isStream: true }),
  readsEmpty: () => true,
  serializer: () => () => {
    throw new NotSerializable('expected an iterable of items, or bytes');
  },
  itemCodec(type, { item, validators }) {
    return isEventStream(type) ? new EventItems(item!, validators) : jsonLines(item!, validators);
  },
  encode: encodeText,
};

/** Bytes, for all other media types. */
export const opaque: MediaKind = {
  ...scalarResponse,
  name: 'opaque',
  includes: () => true,
  reader:
    () =>
    ({ body }) => ({ value: Readable.toWeb(body.stream()), isStream: true }),
  readsEmpty: () => true,
  encode: encodeText,
};

/** In order of precedence. */
const KINDS: readonly MediaKind[] = [sequence, json, xml, text, form, multipart, opaque];

/** @param type in lower case, without parameters */
export function mediaKindOf(type: string, content: MediaContent): MediaKind {
  return KINDS.find((mediaKind) => mediaKind.includes(type, content))!;
}

/** A content in one of its media types. */
interface ContentMedia {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly media: MediaContent;
  readonly kind: MediaKind;
  /** Of the items of a sequence; undefined for another body. */
  readonly codec: ItemCodec | undefined;
}

/** @param mediaType may have parameters */
export function contentMedia(
  content: Content,
  mediaType: string | undefined,
  validators: Validators,
): ContentMedia {
  const type = parseMediaType(mediaType)?.type ?? '';
  const media = mediaContentOf(content, validators);
  const kind = mediaKindOf(type, media);
  return {
    ...{ type, media, kind },
    get codec() {
      return kind.itemCodec?.(type, media);
    },
  };
}

function wholeReader(parse: (text: string, bytes: Buffer) => ReadBody | undefined): Reader {
  return ({ body }) => chain(body.readBody(), (bytes) => parse(toText(bytes), bytes));
}

const TYPES: Readonly<Record<string, string>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** @returns false if the first character is valid JSON but excludes all types */
function mayBeOfType(text: string, types: ReadonlySet<string>): boolean {
  let at = 0;
  while (text.charCodeAt(at) <= 0x20) at++;
  const first = text.charAt(at);
  const type = TYPES[first];
  if (type !== undefined) return types.has(type);
  return !/[-0-9]/.test(first) || types.has('number') || types.has('integer');
}

/** @returns the types of all valid values; undefined if no `type` applies to all of them */
function jsonTypesOf({ conjuncts }: Schema): ReadonlySet<string> | undefined {
  const types = commonTypes(conjuncts);
  const isNullable = conjuncts.some((conjunct) => conjunct.isNullable);
  return types && new Set([...types, ...(isNullable ? ['null'] : [])]);
}
