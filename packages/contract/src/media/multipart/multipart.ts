// Parses multipart/form-data (RFC 7578): values and small files into memory, files into temporary files.

import { openAsBlob } from 'node:fs';
import { escapeToken } from '../../document/node.ts';
import { contractViolation, malformedBody } from '../../errors/problem.ts';
import { toText } from '../../json/json.ts';
import type { Encoding } from '../../operations/describedValues.ts';
import {
  FORM_TYPE,
  isJson,
  isUtf8,
  isXml,
  type MediaType,
  matchMediaType,
  parseMediaType,
} from '../../operations/mediaType.ts';
import { Coercions } from '../../schema/coercion.ts';
import { describeViolation } from '../../schema/validator.ts';
import type { BodyAllocation, BodySource } from '../bodySource.ts';
import {
  type MediaContent,
  multipartStyleOf,
  newForm,
  readField,
  readForm,
  StyledParts,
} from '../form.ts';
import { DeclaredHeaders } from '../styles/parameters.ts';
import type { Pair } from '../styles/parameterText.ts';
import type { Shape } from '../styles/shape.ts';
import { readXml } from '../xml/readXml.ts';
import {
  boundaryOf,
  bytesOf,
  type PartHeaders,
  partHeadersOf,
  partsOf,
  type ReceivedPart,
  safeFileName,
} from './parts.ts';
import { UploadFolder } from './uploadFolder.ts';

/** Limits the number of entries and temporary files. */
const MAX_PARTS = 1000;
/** Memory of a field and of a file beyond their bytes, measured with 20,000 of one byte. */
const FIELD_OVERHEAD_BYTES = 256;
const FILE_OVERHEAD_BYTES = 2048;
/** A larger file is written to a temporary file, in pieces of at least this size. */
const PIECE_BYTES = 256 * 1024;
/** Values are in memory. */
const MAX_VALUE_BYTES = 1024 * 1024;
/** Of a part without Content-Type (RFC 7578, section 4.4). */
const DEFAULT_TYPE = 'text/plain';

interface Multipart {
  /** A file is a File, in memory or backed by a temporary file. */
  readonly form: Record<string, unknown>;
  /** Removes the temporary files, and releases the memory of the body. */
  release(): Promise<void>;
}

/** A part of the form, in its order. */
interface Part {
  readonly name: string;
  readonly value: unknown;
  /** True for the text of a property with a style. */
  readonly isStyled: boolean;
}

/** What all parts of a form share. */
interface Form {
  readonly readers: PartReaders;
  readonly folder: UploadFolder;
  readonly allocation: BodyAllocation | undefined;
}

/**
 * @throws {Problem} 40004 for a malformed form, 50300 without memory or space for temporary files
 */
export async function readMultipart(
  body: Pick<BodySource, 'stream' | 'allocate'>,
  contentType: string,
  readers: PartReaders,
): Promise<Multipart> {
  const boundary = boundaryOf(contentType);
  const allocation = body.allocate?.();
  const folder = new UploadFolder();
  // The temporary files count until they are removed.
  const release = () => folder.remove().finally(() => allocation?.release());
  const parts: Part[] = [];
  try {
    for await (const received of partsOf(body.stream(allocation), boundary)) {
      if (parts.length === MAX_PARTS) throw malformedBody(`expected at most ${MAX_PARTS} parts`);
      parts.push(await readPart(received, { readers, folder, allocation }));
    }
    return { form: formOf(parts, readers), release };
  } catch (error) {
    // A file that is left does not change the response.
    await release().catch(() => {});
    throw error;
  }
}

async function readPart({ headers: written, content }: ReceivedPart, form: Form): Promise<Part> {
  const headers = partHeadersOf(written);
  const { name, fileName } = headers;
  const isStyled = form.readers.styled.includes(name);
  const reader = form.readers.of(name);
  const type = reader.mediaType(headers);
  if (!isStyled && reader.isFile(type, fileName)) {
    return { name, value: await readFile(content, headers, type, form), isStyled };
  }
  form.allocation?.add(FIELD_OVERHEAD_BYTES);
  const bytes = await bytesOf(content, MAX_VALUE_BYTES, () =>
    malformedBody(`form field ${name.slice(0, 100)} is larger than ${MAX_VALUE_BYTES} bytes`),
  );
  const value = isStyled ? reader.text(bytes, type) : await reader.read(bytes, type);
  return { name, value, isStyled };
}

async function readFile(
  content: AsyncIterable<Buffer>,
  { name, fileName }: PartHeaders,
  type: MediaType | undefined,
  { folder, allocation }: Form,
): Promise<File> {
  allocation?.add(FILE_OVERHEAD_BYTES);
  let chunks: Buffer[] = [];
  let bytes = 0;
  let path: string | undefined;
  for await (const chunk of content) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    path = await folder.append(path, Buffer.concat(chunks));
    chunks = [];
    bytes = 0;
  }
  if (path !== undefined) await folder.append(path, Buffer.concat(chunks));
  const pieces = path === undefined ? chunks : [await openAsBlob(path)];
  return new File(pieces, fileName ?? safeFileName(name), { type: type?.type ?? DEFAULT_TYPE });
}

function formOf(entries: readonly Part[], { shape, styled }: PartReaders): Record<string, unknown> {
  const form = newForm();
  const pairs: Pair[] = [];
  for (const { name, value, isStyled } of entries) {
    if (isStyled) {
      pairs.push([name, String(value)]);
      continue;
    }
    const values = Array.isArray(value) ? value : [value];
    const previous = form[name];
    if (Array.isArray(previous)) previous.push(...values);
    else if (previous !== undefined) form[name] = [previous, ...values];
    else form[name] = shape.property(name).kind === 'array' ? values : value;
  }
  for (const [name, value] of styled.read(pairs)) form[name] = value;
  return form;
}

/** Characters of a client's text in a message. */
const MAX_SHOWN = 100;
const OCTETS = 'application/octet-stream';

/** The readers of the parts of one form, by the name of the property. */
export class PartReaders {
  readonly #content: MediaContent;
  readonly #readers = new Map<string, PartReader>();
  readonly styled: StyledParts;

  constructor(content: MediaContent) {
    this.#content = content;
    this.styled = new StyledParts(content);
  }

  /** Of the form. */
  get shape(): Shape {
    return this.#content.shape;
  }

  of(name: string): PartReader {
    const { encodings, shape } = this.#content;
    const known = this.#readers.get(name);
    if (known !== undefined) return known;
    const reader = new PartReader(name, this.#content);
    // A client may send any name.
    if (encodings.has(name) || shape.names.has(name)) this.#readers.set(name, reader);
    return reader;
  }
}

const NO_ENCODINGS: ReadonlyMap<string, Encoding> = new Map();

function isText(type: string): boolean {
  return type.startsWith('text/') || isJson(type) || isXml(type) || type === FORM_TYPE;
}

class PartReader {
  readonly #name: string;
  readonly #content: MediaContent;
  readonly #encoding: Encoding | undefined;
  readonly #shape: Shape;
  /** The media types and ranges of the Encoding Object; empty without `contentType`. */
  readonly #types: readonly string[];
  readonly #headers: DeclaredHeaders | undefined;

  constructor(name: string, content: MediaContent) {
    this.#name = name;
    this.#content = content;
    this.#encoding = content.encodings.get(name);
    const property = content.shape.property(name);
    // An array has one part per item.
    this.#shape = property.kind === 'array' ? property.items() : property;
    const isStyled = multipartStyleOf(content, name) !== undefined;
    this.#types = isStyled ? [] : (this.#encoding?.contentTypes ?? []);
    this.#headers = this.#declaredHeaders();
  }

  #declaredHeaders(): DeclaredHeaders | undefined {
    const { headers } = this.#encoding ?? {};
    if (headers === undefined || headers.size === 0) return undefined;
    const { validators } = this.#content;
    return new DeclaredHeaders(headers, validators, new Coercions(validators));
  }

  /**
   * @returns the media type of the part: its header, else the declared one; undefined if neither is there
   * @throws {Problem} 40000 for headers that the Encoding Object does not allow
   */
  mediaType({ all }: PartHeaders): MediaType | undefined {
    const text = all['content-type'];
    const [declared] = this.#types.filter((type) => !type.includes('*'));
    const sent = parseMediaType(text ?? declared);
    const isAllowed =
      sent === undefined
        ? text === undefined
        : this.#types.length === 0 || matchMediaType(sent, this.#types) !== undefined;
    if (!isAllowed) {
      const expected = `Content-Type ${this.#types.join(', ') || 'a media type'}`;
      const got = text?.slice(0, MAX_SHOWN);
      throw this.#violation('contentType', `expected ${expected}, got ${got}`, expected);
    }
    const [violation] = this.#headers?.read(all).violations ?? [];
    if (violation !== undefined) throw this.#violation('headers', describeViolation(violation));
    return sent;
  }

  #violation(rule: string, message: string, expected = message.replace(/^expected /, '')) {
    const name = this.#name.slice(0, MAX_SHOWN);
    const pointer = `/${escapeToken(name)}`;
    return contractViolation(`form field ${name} ${message}`, [
      { in: 'body', pointer, rule, expected },
    ]);
  }

  /** True if the value of the part is a file. */
  isFile(type: MediaType | undefined, fileName: string | undefined): boolean {
    const { isBinary, allowsBinary, types } = this.#shape;
    if (isBinary) return true;
    const isSentAsFile = fileName !== undefined || type?.type === OCTETS;
    if (types.size === 0) return isSentAsFile || !isText(type?.type ?? 'text/plain');
    return isSentAsFile && allowsBinary;
  }

  /** @throws {Problem} 40001 or 40004 for a malformed value */
  read(bytes: Buffer, mediaType: MediaType | undefined): unknown {
    const type = mediaType?.type ?? '';
    const { kind } = this.#shape;
    if (isXml(type) && kind !== 'scalar') return readXml(bytes, this.#shape);
    const text = this.text(bytes, mediaType);
    if (type === FORM_TYPE && kind === 'object') {
      const encodings = this.#encoding?.encodings ?? NO_ENCODINGS;
      return readForm(text, { shape: this.#shape, encodings });
    }
    return readField(text, isJson(type), this.#content.shape.property(this.#name));
  }

  /** @throws {Problem} 40004 for bytes that are not text */
  text(bytes: Buffer, mediaType: MediaType | undefined): string {
    if (mediaType === undefined || isUtf8(mediaType)) return toText(bytes);
    try {
      return new TextDecoder(mediaType.charset, { fatal: true }).decode(bytes);
    } catch {
      throw malformedBody(`form field ${this.#name.slice(0, MAX_SHOWN)} expected UTF-8`);
    }
  }
}
