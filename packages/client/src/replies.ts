// Reads responses by status and media type.

import type { AnyReply } from './anyReply.ts';
import { BrokenConnection, UndeclaredResponse, UnreadableBody } from './errors.ts';
import { type Exact, fromJson } from './json.ts';
import { essenceOf, isJsonType, matchingType } from './mediaTypes.ts';
import type { BodyAs } from './options.ts';
import { formValue, scalarValue, simpleValue, type TextShape } from './textValues.ts';
import { bodyStream, type Streaming } from './timeLimit.ts';

export interface BodyReader {
  (response: Response, reading: Reading): Promise<unknown>;
  readonly isStream?: boolean;
}

/** How a body is read. */
export interface Reading extends Streaming {
  readonly as: BodyAs;
  /** @param body the part that the contract does not declare @returns the error of an item of a stream */
  readonly undeclared: (reason: string, body?: unknown) => Promise<Error>;
}

/** Reads the text of a declared header. */
export type HeaderReader = (text: string, delimiter?: string) => unknown;

/** A declared response. */
export interface ReplySpec {
  /** By media type or media type range; absent for a response without a body. */
  readonly content?: Readonly<Record<string, BodyReader>>;
  /** By name in lower case: the declared name, and how to read it. */
  readonly headers?: Readonly<Record<string, HeaderReader>>;
}

/** By status, range of statuses (`2XX`), or `default`. */
export type ReplySpecs = Readonly<Record<string, ReplySpec>>;

/** @returns a reader of JSON with integers of 64 bits */
export function receiveJson(exact?: Exact): BodyReader {
  return async (response) => jsonOf(await response.text(), exact);
}

/** @throws {UnreadableBody} */
export function jsonOf(text: string, exact: Exact | undefined): unknown {
  try {
    return fromJson(text, exact);
  } catch {
    throw new UnreadableBody('expected JSON', { cause: text });
  }
}

/** @param types as in {@link TextShape} */
export function receiveText(types = 'string'): BodyReader {
  return async (response, reading) => {
    if (reading.as === 'stream') return bodyStream(response, reading);
    return scalarValue(await response.text(), types);
  };
}

/** @returns a reader of a header with `style: simple` */
export function receiveHeader(shape: TextShape, explode?: boolean): HeaderReader {
  return (text, delimiter) => simpleValue(text, shape, explode, delimiter);
}

/** @returns a reader of `Uint8Array` */
export function receiveBytes(): BodyReader {
  return async (response, reading) => {
    if (reading.as === 'stream') return bodyStream(response, reading);
    return new Uint8Array(await response.arrayBuffer());
  };
}

/**
 * Reads a media type range by the Content-Type of the response.
 *
 * @param readers `other` of all types without a reader of their own
 */
export function receiveAny({ json, text, other }: AnyReaders): BodyReader {
  return (response, reading) => {
    const type = essenceOf(response.headers.get('Content-Type') ?? '');
    const own = isJsonType(type) ? json : type.startsWith('text/') ? text : undefined;
    return (own ?? other)(response, reading);
  };
}

export interface AnyReaders {
  readonly json?: BodyReader;
  readonly text?: BodyReader;
  readonly other: BodyReader;
}

/** Reads application/x-www-form-urlencoded and multipart/form-data, in which files are Blobs. */
export function receiveForm(shape: TextShape): BodyReader {
  return async (response) => {
    const form: FormData | undefined = await response.formData().catch(() => undefined);
    if (form === undefined) throw new UnreadableBody('expected a form');
    const fields: [string, unknown][] = [];
    form.forEach((value, name) => {
      fields.push([name, value]);
    });
    return formValue(fields, shape);
  };
}

/** @throws {UndeclaredResponse} */
export async function readReply(
  { id: operationId, replies }: { readonly id: string; readonly replies: ReplySpecs },
  response: Response,
  how: Omit<Reading, 'undeclared'>,
): Promise<AnyReply> {
  const { limit, as } = how;
  const { status } = response;
  const undeclared = async (reason: string, body?: unknown) =>
    new UndeclaredResponse(
      { operationId, reason, response },
      body ?? (response.bodyUsed ? undefined : await response.text().catch(() => undefined)),
    );
  const spec = specOf(replies, status);
  if (spec === undefined) throw await undeclared(`got status ${status}`);
  const headers = headersOf(response, spec.headers ?? {});
  const types = Object.keys(spec.content ?? {});
  const written = response.headers.get('Content-Type');
  const reply = { operationId, status, headers, response };
  const isEmpty = types.length === 0 || EMPTY_STATUSES.includes(status);
  if (isEmpty || (written === null && as !== 'stream' && (await hasNoBytes(response)))) {
    response.body?.cancel().catch(() => {});
    limit.end();
    return { ...reply, type: undefined, body: undefined };
  }
  const declared = matchingType(written ?? 'application/octet-stream', types);
  if (declared === undefined) throw await undeclared(`got Content-Type ${written}`);
  const read = spec.content![declared]!;
  try {
    const body = await read(response, { ...how, undeclared });
    if (!read.isStream && !(body instanceof ReadableStream)) limit.end();
    return { ...reply, type: concreteType(declared, written), body };
  } catch (error) {
    if (error instanceof UnreadableBody) throw await undeclared(error.message, error.cause);
    throw new BrokenConnection('body', { cause: error });
  }
}

/** Where a success is declared, `default` describes errors only. */
export function specOf<Spec>(
  specs: Readonly<Record<string, Spec>>,
  status: number,
): Spec | undefined {
  const range = `${String(status)[0]}XX`;
  const isOther = range === '2XX' && Object.keys(specs).some((name) => name.startsWith('2'));
  return specs[status] ?? specs[range] ?? (isOther ? undefined : specs['default']);
}

/** RFC 9110, section 15: without a body, also with Content-Length and Content-Type. */
const EMPTY_STATUSES = [204, 205, 304];

async function hasNoBytes(response: Response): Promise<boolean> {
  return response.body === null || (await response.clone().arrayBuffer()).byteLength === 0;
}

function concreteType(type: string, written: string | null): string {
  return type.includes('*') ? essenceOf(written ?? type) : type;
}

function headersOf(
  { headers }: Response,
  readers: Readonly<Record<string, HeaderReader>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const text = headers.get(name);
    if (text === null) continue;
    // One cookie per line: a cookie may contain a comma.
    const isCookies = name.toLowerCase() === 'set-cookie';
    values[name] = isCookies ? read(headers.getSetCookie().join('\n'), '\n') : read(text);
  }
  return values;
}
