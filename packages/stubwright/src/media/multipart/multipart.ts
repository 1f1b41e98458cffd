// Parses multipart/form-data (RFC 7578): values and small files into memory, files into temporary files.
import { addAbortSignal, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Dicer } from '@fastify/busboy';
import { malformedBody, Problem } from '../../errors/problem.ts';
import type { BodyAllocation } from '../bodyMemory.ts';
import type { BodySource } from '../bodySource.ts';
import { newForm } from '../form.ts';
import { type MediaType, parseMediaType } from '../mediaType.ts';
import type { Pair } from '../styles/pairs.ts';
import { type PartHeaders, partHeadersOf } from './partHeaders.ts';
import type { PartReaders } from './partReader.ts';
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
/** RFC 2046, section 5.1.1. Limits the time of the search for boundaries. */
const MAX_BOUNDARY_LENGTH = 70;

export interface Multipart {
  /** A file is a File, in memory or backed by a temporary file. */
  readonly form: Record<string, unknown>;
  /** Removes the temporary files, and releases the memory of the body. */
  release(): Promise<void>;
}

/** A part of the form, in its order. */
interface Part {
  readonly name: string;
  /** Undefined until the part is read. */
  value: unknown;
  /** True for the text of a property with a style. */
  readonly isStyled: boolean;
}

interface Parts {
  readonly readers: PartReaders;
  readonly entries: Part[];
  readonly folder: UploadFolder;
  readonly allocation: BodyAllocation | undefined;
  readonly pending: Promise<void>[];
  /** Aborted by the first error, which ends all pending operations. */
  readonly failure: AbortController;
}

/**
 * @throws {Problem} 40004 for a malformed form, 50300 without memory or space for temporary files
 */
export async function readMultipart(
  body: Pick<BodySource, 'stream' | 'allocate'>,
  contentType: string,
  readers: PartReaders,
): Promise<Multipart> {
  const allocation = body.allocate?.();
  const folder = new UploadFolder();
  const failure = new AbortController();
  const parts: Parts = { readers, entries: [], folder, allocation, pending: [], failure };
  // The temporary files count until they are removed.
  const release = () => folder.remove().finally(() => allocation?.release());
  let form: Record<string, unknown>;
  try {
    const { signal } = failure;
    await pipeline(body.stream(allocation), new PartParser(contentType, parts), { signal });
    await Promise.all(parts.pending);
    form = formOf(parts.entries, readers);
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(parts.pending);
    // A file that is left does not change the response.
    await release().catch(() => {});
    const first: unknown = failure.signal.reason;
    throw isDicerError(first) ? malformedBody('expected multipart/form-data') : first;
  }
  return { form, release };
}

/**
 * Dicer finishes with the last boundary, where `pipe` stops reading the body, and may wait forever for a part
 * that has ended. This stream reads all of the body, waits while a part is full, and fails if the last
 * boundary is missing.
 */
class PartParser extends Writable {
  readonly #parser: Dicer;
  readonly #parts: Parts;
  #count = 0;
  #complete = 0;
  /** True while the content of a part is not consumed. */
  #isFull = false;
  /** Continues a write. */
  #resume: (() => void) | undefined;

  constructor(contentType: string, parts: Parts) {
    super();
    this.#parts = parts;
    // `partHwm`, which its types omit: Dicer itself never waits.
    const config = { boundary: boundaryOf(contentType), partHwm: Number.MAX_SAFE_INTEGER };
    this.#parser = new Dicer(config);
    this.#parser.on('error', (error) => parts.failure.abort(error));
    this.#parser.on('part', (stream) => this.#add(stream));
  }

  #add(stream: Readable): void {
    // The parser emits the same error.
    stream.on('error', () => {});
    if (++this.#count > MAX_PARTS) {
      this.#parts.failure.abort(malformedBody(`expected at most ${MAX_PARTS} parts`));
      return;
    }
    stream.on('header', (headers: object) => {
      this.#complete++;
      const content = this.#contentOf(stream);
      track(this.#parts, readPart(content, headers as Record<string, string[]>, this.#parts));
    });
  }

  #contentOf(stream: Readable): Readable {
    const release = () => {
      this.#isFull = false;
      this.#resume?.();
      this.#resume = undefined;
    };
    const content = new Readable({ read: release });
    // An ended stream is not read again.
    content.on('end', release).on('error', () => {});
    stream.on('data', (chunk) => {
      if (!content.push(chunk)) this.#isFull = true;
    });
    stream.on('end', () => content.push(null));
    return content;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: () => void): void {
    this.#parser.write(chunk, encoding, () => {
      if (this.#isFull) this.#resume = done;
      else done();
    });
  }

  override _final(done: (error: Error | null) => void): void {
    const incomplete = () => malformedBody('expected an empty line after the headers of a part');
    // Dicer emits the error of a missing boundary after it has ended.
    this.#parser.end(() =>
      setImmediate(() => done(this.#complete < this.#count ? incomplete() : null)),
    );
  }
}

function boundaryOf(contentType: string): string {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (boundary === '') throw malformedBody('expected multipart/form-data with a boundary');
  if (boundary.length > MAX_BOUNDARY_LENGTH) {
    throw malformedBody(`expected a boundary of at most ${MAX_BOUNDARY_LENGTH} characters`);
  }
  return boundary;
}

async function readPart(
  stream: Readable,
  written: Readonly<Record<string, readonly string[]>>,
  parts: Parts,
): Promise<void> {
  const headers = partHeadersOf(written);
  const { name, fileName } = headers;
  const isStyled = parts.readers.styled.includes(name);
  const part: Part = { name, value: undefined, isStyled };
  parts.entries.push(part);
  const reader = parts.readers.of(name);
  const type = reader.mediaType(headers);
  if (!isStyled && reader.isFile(type, fileName)) {
    part.value = await readFile(stream, headers, type, parts);
    return;
  }
  parts.allocation?.add(FIELD_OVERHEAD_BYTES);
  const bytes = await readValue(stream, name, parts);
  part.value = isStyled ? reader.text(bytes, type) : await reader.read(bytes, type);
}

async function readValue(stream: Readable, name: string, { failure }: Parts): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of addAbortSignal(failure.signal, stream)) {
    bytes += chunk.length;
    if (bytes > MAX_VALUE_BYTES) {
      throw malformedBody(
        `form field ${name.slice(0, 100)} is larger than ${MAX_VALUE_BYTES} bytes`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readFile(
  file: Readable,
  { name, fileName }: PartHeaders,
  type: MediaType | undefined,
  { folder, allocation, failure }: Parts,
): Promise<File> {
  allocation?.add(FILE_OVERHEAD_BYTES);
  let chunks: Buffer[] = [];
  let bytes = 0;
  let path: string | undefined;
  for await (const chunk of addAbortSignal(failure.signal, file)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    path = await folder.append(path, Buffer.concat(chunks));
    chunks = [];
    bytes = 0;
  }
  if (path !== undefined) await folder.append(path, Buffer.concat(chunks));
  const content = path === undefined ? chunks : [await folder.blob(path)];
  return new File(content, fileName ?? name, { type: type?.type ?? DEFAULT_TYPE });
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

function track({ pending, failure }: Parts, part: Promise<void>): void {
  pending.push(part);
  part.catch((error) => failure.abort(error));
}

/** Dicer emits plain Errors, which are identified by their message. */
function isDicerError(error: unknown): boolean {
  const isOther = error instanceof Problem || !(error instanceof Error);
  return !isOther && /multipart|boundary|Unexpected end/i.test(error.message);
}
