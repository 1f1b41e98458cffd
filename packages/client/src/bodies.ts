// Serializes request bodies by media type.
import { toJson } from './json.ts';
import { isJsonType } from './mediaTypes.ts';
import { definedEntries, parameterTexts, plainValue, type Style } from './styles.ts';

/** A serialized body. */
export interface SentBody {
  readonly body: NonNullable<RequestInit['body']>;
  /** Undefined if fetch sets the media type. */
  readonly type: string | undefined;
}

/** @param type the media type of the body, without a range */
export type BodyWriter = (value: unknown, type: string) => SentBody;

/** How a form serializes a property (Encoding Object). */
export interface FieldSpec extends Style {
  /** The first media type that names a type. */
  readonly type?: string;
  /** True for a required property whose schema allows null, which a field cannot represent. */
  readonly required?: boolean;
  /** Serializes an object or array, by default as JSON. */
  readonly write?: (value: unknown) => string;
}

/** By name of the property. */
export type FieldSpecs = Readonly<Record<string, FieldSpec>>;

const OCTETS = 'application/octet-stream';

export function sendJson(value: unknown, type: string): SentBody {
  return { body: toJson(value), type };
}

/** Text, and bytes of any media type. */
export function sendText(value: unknown, type: string): SentBody {
  return { body: isBytes(value) ? value : textOf(value), type };
}

/** @returns a writer of application/x-www-form-urlencoded */
export function sendForm(fields: FieldSpecs = {}): BodyWriter {
  return (value, type) => ({ body: isBytes(value) ? value : formText(value, fields), type });
}

/** Serializes an object; by default arrays repeat the name, and objects are JSON. */
export function formText(value: unknown, fields: FieldSpecs = {}): string {
  const pairs = fieldsOf(value, fields).flatMap(([name, field]) => {
    const { type, ...style } = fields[name] ?? {};
    if (style.style !== undefined) return styledField(name, style, field);
    const isList = Array.isArray(field) && !isJsonType(type);
    return parameterTexts({ in: 'query', name }, isList ? field.map(itemText) : textOf(field));
  });
  return pairs.join('&');
}

/** A null is omitted, as in other parameters, unless it is JSON. @throws {TypeError} for one that is required */
function fieldsOf(value: unknown, fields: FieldSpecs): [name: string, value: unknown][] {
  return definedEntries(value as object).filter(([name, value]) => {
    if (value !== null || isJsonType(fields[name]?.type)) return true;
    if (fields[name]?.required) throw new TypeError(`expected the property ${name}, got null`);
    return false;
  });
}

/** @returns a writer of multipart/form-data (RFC 7578); files are Blobs, bytes or streams */
export function sendMultipart(fields: FieldSpecs = {}): BodyWriter {
  return (value, type) => {
    if (value instanceof FormData) return { body: value, type: undefined };
    if (isBytes(value)) return { body: value, type };
    const boundary = newBoundary();
    const pieces: Piece[] = [];
    for (const [name, field] of fieldsOf(value, fields)) {
      for (const part of partsOf(name, field, fields[name] ?? {})) {
        pieces.push(`--${boundary}\r\n`, ...part, '\r\n');
      }
    }
    pieces.push(`--${boundary}--\r\n`);
    return { body: joined(pieces), type: `multipart/form-data; boundary=${boundary}` };
  };
}

/** A part of a form with its headers. */
export class PartWithHeaders {
  readonly value: unknown;
  /** The lines of the headers. */
  readonly head: string;

  constructor(value: unknown, head: string) {
    this.value = value;
    this.head = head;
  }
}

/**
 * Adds headers to a property of a `multipart/form-data` body: those of its Encoding Object. The parts of an
 * array have the headers each.
 *
 * @returns a value for such a body only; it has the type of the property
 * @throws {TypeError} for text that a header cannot contain
 * @example
 * await client.addPhoto({ body: { photo: withPartHeaders(file, { 'X-Rotation': 90 }) } });
 */
export function withPartHeaders<Value>(
  value: Value,
  headers: Readonly<Record<string, string | number | bigint | boolean>>,
): Value {
  const lines = Object.entries(headers).map(([name, header]) => `${name}: ${header}\r\n`);
  const isHeader = (line: string) => /^[\w!#$%&'*+.^`|~-]+: [^\0-\x08\n-\x1f\x7f]*\r\n$/.test(line);
  if (!lines.every(isHeader)) throw new TypeError('expected a header of one line in each part');
  return new PartWithHeaders(value, lines.join('')) as Value;
}

/** RFC 2046, section 5.1.1. */
function newBoundary(): string {
  return `part-${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
}

type Piece = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

function partsOf(name: string, value: unknown, field: FieldSpec): Piece[][] {
  if (value instanceof PartWithHeaders) {
    const parts = partsOf(name, value.value, field);
    return parts.map((pieces) => [value.head, ...pieces]);
  }
  if (Array.isArray(value) && field.style === undefined) {
    return value.flatMap((each) => {
      if (!Array.isArray(each)) return partsOf(name, each, field);
      if (isJsonType(field.type)) return [partOf(name, each, field)];
      throw new TypeError(`${name}: expected no array in an array without a JSON contentType`);
    });
  }
  const { type, ...style } = field;
  if (style.style === undefined) return [partOf(name, value, field)];
  return styledField(name, style, value).map((text) => {
    const equals = text.indexOf('=');
    const part = decodeURIComponent(text.slice(0, equals));
    return [partHead(part), text.slice(equals + 1)];
  });
}

function partOf(name: string, value: unknown, { type, write }: FieldSpec): Piece[] {
  if (isFile(value)) {
    const own = value instanceof Blob ? value.type : '';
    const fileName = value instanceof Blob && 'name' in value ? String(value.name) : name;
    return [partHead(name, fileName, own || type || OCTETS), value];
  }
  const isStructured = typeof value === 'object' && value !== null;
  const text =
    isStructured && write ? write(value) : isJsonType(type) ? toJson(value) : itemText(value);
  const shown = isStructured && write ? type : undefined;
  return [partHead(name, undefined, shown), text];
}

function partHead(name: string, fileName?: string, type?: string): string {
  const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
  const line = type === undefined ? '' : `\r\nContent-Type: ${type}`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}${line}\r\n\r\n`;
}

/** As browsers do (WHATWG HTML, section 4.10.21.8). */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

function joined(pieces: readonly Piece[]): SentBody['body'] {
  if (!pieces.some((piece) => piece instanceof ReadableStream))
    return new Blob(pieces as BlobPart[]);
  return streamOf(chunksOf(pieces));
}

export function streamOf(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => chunks.return(undefined).then(() => {}),
  });
}

type BlobPart = string | Blob | Uint8Array<ArrayBuffer>;

async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const piece of pieces) {
    const stream = piece instanceof ReadableStream ? piece : new Blob([piece as BlobPart]).stream();
    const reader = (stream as ReadableStream<Uint8Array>).getReader();
    try {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        yield chunk.value;
      }
    } finally {
      await reader.cancel();
    }
  }
}

/** OpenAPI leaves arrays of objects undefined. */
function styledField(name: string, style: Style, value: unknown): string[] {
  const isForm = style.style === 'form' && Array.isArray(value);
  return parameterTexts({ in: 'query', name, ...style }, isForm ? value.map(itemText) : value);
}

/** @throws {TypeError} for null and undefined, which no text represents */
function itemText(value: unknown): string {
  if (value === null || value === undefined)
    throw new TypeError('expected an item other than null');
  return textOf(value);
}

function textOf(value: unknown): string {
  const plain = plainValue(value);
  return typeof plain === 'object' ? toJson(plain) : String(plain);
}

type Bytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

function isFile(value: unknown): value is Bytes {
  return value instanceof Blob || value instanceof Uint8Array || value instanceof ReadableStream;
}

/** True for a body that is sent without serialization. */
export function isBytes(value: unknown): value is Bytes | ArrayBuffer {
  return isFile(value) || value instanceof ArrayBuffer;
}
