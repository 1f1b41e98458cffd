// Splits a multipart body into its parts (RFC 2046, section 5.1.1), in time linear in its length, and parses their headers.

import { malformedBody } from '../../errors/problem.ts';
import { parseMediaType } from '../../operations/mediaType.ts';

export interface ReceivedPart {
  /** By lower-case name, as Latin-1; several of one name are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Can be read until the next part is requested. */
  readonly content: AsyncIterable<Buffer>;
}

/** RFC 2046, section 5.1.1. The length limits the work for each byte. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;
/** Limits the memory for the line of a boundary with its padding, as lines of mail (RFC 5322, section 2.1.1). */
const MAX_LINE_BYTES = 998;
/** Limits the memory for the headers of one part, as Node does for those of a message. */
const MAX_HEAD_BYTES = 16 * 1024;

const LINE = '\r\n';
const HEAD_END = Buffer.from('\r\n\r\n');
const NONE = Buffer.alloc(0);

/** Follows the bytes of each part. */
const END = Symbol('end of a part');
type Piece = Buffer | typeof END;

/** @throws {Problem} 40004 without a boundary that RFC 2046 allows */
export function boundaryOf(contentType: string | undefined): string {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (BOUNDARY.test(boundary)) return boundary;
  throw malformedBody('expected a multipart media type with a boundary of at most 70 characters');
}

/**
 * @param boundary of {@link boundaryOf}
 * @throws {Problem} 40004 for a malformed body
 */
export async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<ReceivedPart, void, undefined> {
  const pieces = piecesOf(body, boundary);
  try {
    for (let head = await headOf(pieces); head !== undefined; head = await headOf(pieces)) {
      const { headers, rest } = head;
      let isAtEnd = head.isAtEnd;
      const next = async () => {
        const { value } = await pieces.next();
        isAtEnd = value === END;
        return value as Buffer;
      };
      const content = async function* () {
        if (rest.length > 0) yield rest;
        while (!isAtEnd) {
          const piece = await next();
          if (!isAtEnd) yield piece;
        }
      };
      yield { headers, content: content() };
      while (!isAtEnd) await next();
    }
  } finally {
    await pieces.return();
  }
}

/** @returns the content of a part @throws the error that `fail` returns, for more than `limit` bytes */
export async function bytesOf(
  content: AsyncIterable<Buffer>,
  limit: number,
  fail: () => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > limit) throw fail();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @yields the bytes of each part, from the line end before its headers */
async function* piecesOf(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Piece, void, undefined> {
  const delimiter = Buffer.from(`${LINE}--${boundary}`);
  // The first boundary needs no line before it.
  let held: Buffer = Buffer.from(LINE);
  let isInPart = false;
  let isLast = false;
  for await (const chunk of body) {
    // After the last boundary, an epilogue is ignored.
    if (isLast) continue;
    const data: Buffer = held.length === 0 ? viewOf(chunk) : Buffer.concat([held, chunk]);
    let start = 0;
    let end = data.length;
    for (let at = data.indexOf(delimiter); at >= 0 && !isLast; ) {
      const line = lineAfter(data, at + delimiter.length);
      if (line.kind === 'open') {
        end = at;
        break;
      }
      if (line.kind !== 'content') {
        if (isInPart && at > start) yield data.subarray(start, at);
        if (isInPart) yield END;
        isInPart = true;
        isLast = line.kind === 'last';
        start = line.end;
      }
      at = data.indexOf(delimiter, at + delimiter.length);
    }

    if (end === data.length) end = startOf(delimiter, data, start);
    held = data.subarray(end);
    if (held.length > delimiter.length + MAX_LINE_BYTES) {
      throw malformedBody(`expected at most ${MAX_LINE_BYTES} bytes after a boundary`);
    }
    if (isInPart && !isLast && end > start) yield data.subarray(start, end);
  }
  if (isLast) return;
  if (!/^--[ \t]*\r?$/.test(held.subarray(delimiter.length).toString('latin1'))) {
    throw malformedBody('expected the last boundary of the multipart body');
  }
  if (isInPart) yield END;
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

interface DelimiterLine {
  /** `content`: no boundary, but a longer text that starts as one; `open`: decided by the bytes that follow. */
  readonly kind: 'boundary' | 'last' | 'content' | 'open';
  /** Of the line, without its line end, which may start the next boundary. */
  readonly end: number;
}

/** @param from the index after the characters of the boundary */
function lineAfter(data: Buffer, from: number): DelimiterLine {
  const isLast = data[from] === DASH && data[from + 1] === DASH;
  let end = isLast ? from + 2 : from;
  while (data[end] === SPACE || data[end] === TAB) end++;
  const isDash = data[from] === DASH && from + 1 === data.length;
  const isReturn = data[end] === CARRIAGE_RETURN && end + 1 === data.length;
  if (end === data.length || isDash || isReturn) return { kind: 'open', end };
  const isLine = data[end] === CARRIAGE_RETURN && data[end + 1] === LINE_FEED;
  return { kind: !isLine ? 'content' : isLast ? 'last' : 'boundary', end };
}

/** @returns the index from which the data may be the start of a delimiter, else the length of the data */
function startOf(delimiter: Buffer, data: Buffer, from: number): number {
  const first = Math.max(from, data.length - delimiter.length + 1);
  const at = data.subarray(first).lastIndexOf(CARRIAGE_RETURN);
  if (at < 0) return data.length;
  const tail = data.subarray(first + at);
  return tail.equals(delimiter.subarray(0, tail.length)) ? first + at : data.length;
}

interface Head {
  readonly headers: Record<string, string>;
  /** The first bytes of the content. */
  readonly rest: Buffer;
  /** True for a part that has been read. */
  readonly isAtEnd: boolean;
}

/** @returns undefined after the last part */
async function headOf(pieces: AsyncGenerator<Piece, void, undefined>): Promise<Head | undefined> {
  const read: Buffer[] = [];
  let length = 0;
  let tail = NONE;
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return undefined;
    if (value === END) {
      // A part without a body: the line end of its headers is that of the empty line.
      if (tail.subarray(-LINE.length).toString() !== LINE) throw headNotEnded();
      return { headers: headersIn(Buffer.concat(read)), rest: NONE, isAtEnd: true };
    }
    read.push(value);
    const seen = Buffer.concat([tail, value]);
    const at = seen.indexOf(HEAD_END);
    const end = length - tail.length + at;
    length += value.length;
    if (Math.min(length, at < 0 ? length : end) > MAX_HEAD_BYTES) {
      throw malformedBody(`expected at most ${MAX_HEAD_BYTES} bytes of headers in a part`);
    }
    if (at >= 0) {
      const all = Buffer.concat(read);
      const rest = all.subarray(end + HEAD_END.length);
      return { headers: headersIn(all.subarray(0, end)), rest, isAtEnd: false };
    }
    tail = seen.subarray(-HEAD_END.length + 1);
  }
}

function headNotEnded() {
  return malformedBody('expected an empty line after the headers of a part');
}

export interface PartHeaders {
  readonly name: string;
  /** Safe as the name of a file; undefined without one. */
  readonly fileName: string | undefined;
  /** By lower-case name. */
  readonly all: Readonly<Record<string, string>>;
}

const FORM_DATA = /^[ \t]*form-data[ \t]*(?=;|$)/i;
const PARAMETER = /;[ \t]*(?:([\w!#$&^.+*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?/gy;
const LINE_BREAK = /[\r\n]/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * @returns by lower-case name, as Latin-1; several of one name are joined
 * @throws {Problem} 40004 for a line without a name
 */
function headersIn(head: Buffer): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  let last: string | undefined;
  for (const line of head.toString('latin1').split('\r\n')) {
    if (line === '') continue;
    // A folded line (RFC 5322, section 2.2.3).
    if (last !== undefined && /^[ \t]/.test(line)) {
      headers[last] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (colon < 0 || !NAME.test(name))
      throw malformedBody('expected a name and a colon in each header of a part');
    last = name.toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[last] = headers[last] === undefined ? value : `${headers[last]}, ${value}`;
  }
  return headers;
}

/**
 * @param headers by lower-case name, as Latin-1
 * @throws {Problem} 40004 without `Content-Disposition: form-data` or without a name
 */
export function partHeadersOf(headers: Readonly<Record<string, string>>): PartHeaders {
  const all: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) all[name] = utf8(value);
  const parameters = parametersOf(all['content-disposition'] ?? '');
  const name = parameters.get('name');
  const fileName = extendedValue(parameters.get('filename*')) ?? parameters.get('filename');
  if (name === undefined || LINE_BREAK.test(name) || LINE_BREAK.test(fileName ?? '')) {
    throw malformedBody('expected Content-Disposition: form-data with a name in each part');
  }
  return { name, fileName: fileName === undefined ? undefined : safeFileName(fileName), all };
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const [head] = FORM_DATA.exec(disposition) ?? [];
  if (head === undefined) return parameters;
  PARAMETER.lastIndex = head.length;
  while (PARAMETER.lastIndex < disposition.length) {
    const found = PARAMETER.exec(disposition);
    if (found === null) break;
    const [, name, quoted, token = ''] = found;
    // Browsers do not escape a backslash.
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? token.trim();
    if (name !== undefined) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** `UTF-8''%e2%82%ac` (RFC 8187). */
function extendedValue(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? [];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Controls, which no file name has, and marks that reverse text: `exe.gpj` would be read as `jpg.exe`. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** @returns a name without folders, controls and marks of direction; `file` if none is left, also for `..` */
export function safeFileName(path: string): string {
  const printed = path.replace(UNSAFE, '');
  const name = printed.slice(Math.max(printed.lastIndexOf('/'), printed.lastIndexOf('\\')) + 1);
  return ['', '.', '..'].includes(name) ? 'file' : name;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}
