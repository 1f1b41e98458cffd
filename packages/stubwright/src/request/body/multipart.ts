// Parses multipart/form-data (RFC 7578): files into temporary files, text fields into memory.
import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { malformedBody, Problem } from '../../errors/problem.ts';
import { type FormFields, newForm, readField } from './form.ts';
import { parseMediaType } from './mediaType.ts';

/** Limits the number of entries and temporary files. */
const MAX_PARTS = 1000;
/** Text fields are in memory. */
const MAX_FIELD_BYTES = 1024 * 1024;
/** RFC 2046, section 5.1.1. Limits the time of the search for boundaries. */
const MAX_BOUNDARY_LENGTH = 70;

export interface Multipart {
  /** A file is a File, backed by a temporary file. */
  readonly form: Record<string, unknown>;
  /** Removes the temporary files. */
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
  readonly folder: string;
  readonly pending: Promise<void>[];
  /** Aborted by the first error, which ends all pending operations. */
  readonly failure: AbortController;
}

/**
 * @param open opens the stream of the body
 * @throws {Problem} 40004 for a malformed form
 */
export async function readMultipart(
  open: () => Readable,
  contentType: string,
  fields: FormFields,
): Promise<Multipart> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  const parts: Parts = { entries: [], folder, pending: [], failure: new AbortController() };
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    const { signal } = parts.failure;
    await pipeline(open(), parserOf(contentType, fields, parts), { signal });
    await Promise.all(parts.pending);
  } catch (error) {
    parts.failure.abort(error);
    await Promise.allSettled(parts.pending);
    await release();
    const first: unknown = parts.failure.signal.reason;
    throw isBusboyError(first) ? malformedBody('expected multipart/form-data') : first;
  }
  return { form: formOf(parts.entries, fields), release };
}

function parserOf(contentType: string, fields: FormFields, parts: Parts): Parser {
  const parser = newParser(contentType);
  parser.on('field', (name, text, _nameCut, isCut, _encoding, type) => {
    const read = async () => {
      if (isCut) throw malformedBody(`form field ${name} is larger than ${MAX_FIELD_BYTES} bytes`);
      parts.entries.push({ name, value: readField(name, text, type, fields) });
    };
    track(parts, read());
  });
  parser.on('file', (name, file, fileName, _encoding, type) => {
    const part: Part = { name, value: undefined };
    parts.entries.push(part);
    track(parts, saveFile(part, file, fileName, type, parts));
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

async function saveFile(
  part: Part,
  file: Readable,
  fileName: string,
  type: string,
  { folder, failure }: Parts,
): Promise<void> {
  const path = join(folder, randomUUID());
  await pipeline(file, createWriteStream(path), { signal: failure.signal });
  const blob = await openAsBlob(path, { type });
  part.value = new File([blob], fileName ?? part.name, { type });
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
