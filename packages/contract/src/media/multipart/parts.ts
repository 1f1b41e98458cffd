// Splits a multipart body into its parts (RFC 2046, section 5.1.1), in time linear in its length.
import { malformedBody } from '../../errors/problem.ts';
import { parseMediaType } from '../../operations/mediaType.ts';
import { headersIn } from './partHeaders.ts';

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
