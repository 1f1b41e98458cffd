// Parses multipart/form-data (RFC 7578): text fields and small files into memory, files into temporary files.
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { malformedBody, Problem } from '../../errors/problem.ts';
import type { BodySource } from '../exchange.ts';
import type { BodyAllocation } from './bodyMemory.ts';
import { type FormFields, newForm, readField } from './form.ts';
import { parseMediaType } from './mediaType.ts';
import { UploadFolder } from './uploadFolder.ts';

/** Limits the number of entries and temporary files. */
const MAX_PARTS = 1000;
/** Memory of a field and of a file beyond their bytes, measured with 20,000 of one byte. */
const FIELD_OVERHEAD_BYTES = 256;
const FILE_OVERHEAD_BYTES = 2048;
/** A larger file is written to a temporary file, in pieces of at least this size. */
const PIECE_BYTES = 256 * 1024;
/** Text fields are in memory. */
const MAX_FIELD_BYTES = 1024 * 1024;
/** RFC 2046, section 5.1.1. Limits the time of the search for boundaries. */
const MAX_BOUNDARY_LENGTH = 70;

export interface Multipart {
  /** A file is a File, in memory or backed by a temporary file. */
  readonly form: Record<string, unknown>;
  /** Removes the temporary files, and releases the memory of the body. */
  release(): Promise<void>;
}

type Parser = InstanceType<typeof Busboy>;

/** A part of the form, in its order. */
interface Part {
  readonly name: string;
  /** Undefined until the file is written. */
  value: unknown;
}

interface Parts {
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
  fields: FormFields,
): Promise<Multipart> {
  const allocation = body.allocate?.();
  const folder = new UploadFolder();
  const failure = new AbortController();
  const parts: Parts = { entries: [], folder, allocation, pending: [], failure };
  // The temporary files count until they are removed.
  const release = () => folder.remove().finally(() => allocation?.release());
  try {
    const { signal } = failure;
    await pipeline(body.stream(allocation), parserOf(contentType, fields, parts), { signal });
    await Promise.all(parts.pending);
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(parts.pending);
    // A file that is left does not change the response.
    await release().catch(() => {});
    const first: unknown = failure.signal.reason;
    throw isBusboyError(first) ? malformedBody('expected multipart/form-data') : first;
  }
  return { form: formOf(parts.entries, fields), release };
}

function parserOf(contentType: string, fields: FormFields, parts: Parts): Parser {
  const parser = newParser(contentType);
  parser.on('field', (name, text, _nameCut, isCut, _encoding, type) => {
    const read = async () => {
      parts.allocation?.add(FIELD_OVERHEAD_BYTES);
      if (isCut) throw malformedBody(`form field ${name} is larger than ${MAX_FIELD_BYTES} bytes`);
      parts.entries.push({ name, value: readField(name, text, type, fields) });
    };
    track(parts, read());
  });
  parser.on('file', (name, file, fileName, _encoding, type) => {
    const part: Part = { name, value: undefined };
    parts.entries.push(part);
    track(parts, readFile(part, file, fileName, type, parts));
  });
  parser.on('partsLimit', () => {
    parser.destroy(malformedBody(`expected at most ${MAX_PARTS} parts`));
  });
  return parser;
}

function newParser(contentType: string): Parser {
  const limits = { parts: MAX_PARTS, fieldSize: MAX_FIELD_BYTES };
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (boundary.length > MAX_BOUNDARY_LENGTH) {
    throw malformedBody(`expected a boundary of at most ${MAX_BOUNDARY_LENGTH} characters`);
  }
  try {
    const headers: BusboyHeaders = { 'content-type': contentType };
    return new Busboy({ headers, limits });
  } catch {
    throw malformedBody('expected multipart/form-data with a boundary');
  }
}

async function readFile(
  part: Part,
  file: Readable,
  fileName: string,
  type: string,
  { folder, allocation, failure }: Parts,
): Promise<void> {
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
  part.value = new File(content, fileName ?? part.name, { type });
}

function formOf(entries: readonly Part[], { shape }: FormFields): Record<string, unknown> {
  const form = newForm();
  for (const { name, value } of entries) {
    const values = Array.isArray(value) ? value : [value];
    const previous = form[name];
    if (Array.isArray(previous)) previous.push(...values);
    else if (previous !== undefined) form[name] = [previous, ...values];
    else form[name] = shape.property(name).kind === 'array' ? values : value;
  }
  return form;
}

function track({ pending, failure }: Parts, part: Promise<void>): void {
  pending.push(part);
  part.catch((error) => failure.abort(error));
}

/** Busboy throws plain Errors, which are identified by their message. */
function isBusboyError(error: unknown): boolean {
  const isOther = error instanceof Problem || !(error instanceof Error);
  return !isOther && /multipart|boundary|Unexpected end|Malformed/i.test(error.message);
}
