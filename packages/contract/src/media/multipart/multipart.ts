// Parses multipart/form-data (RFC 7578): values and small files into memory, files into temporary files.
import { openAsBlob } from 'node:fs';
import { malformedBody } from '../../errors/problem.ts';
import type { MediaType } from '../../operations/mediaType.ts';
import type { BodyAllocation, BodySource } from '../bodySource.ts';
import { newForm } from '../form.ts';
import type { Pair } from '../styles/parameterText.ts';
import { type PartHeaders, partHeadersOf, safeFileName } from './partHeaders.ts';
import type { PartReaders } from './partReader.ts';
import { boundaryOf, bytesOf, partsOf, type ReceivedPart } from './parts.ts';
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
