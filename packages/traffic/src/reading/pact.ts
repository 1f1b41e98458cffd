// Reads the HTTP interactions of a Pact file (specification 2 to 4): requests that the tests of a consumer send.

import { isUtf8 } from 'node:buffer';
import { isObject, parseJsonText, stringifyJson } from '@stubwright/contract';
import { type RecordedRequest, recordedHeaders, type TrafficRequest } from '../record/record.ts';

/** A member that a Pact file starts with. */
const PACT_START = /^\ufeff?\s*\{\s*"(?:consumer|interactions|messages|metadata|provider)"\s*:/;

/** @param start the first characters of a file */
export function isPact(start: string): boolean {
  return PACT_START.test(start);
}

type Members = Readonly<Record<string, unknown>>;

/**
 * @param at of the requests: a Pact file has no times
 * @returns the requests of its HTTP interactions; messages are left out
 * @throws {Error} for another text, and for an interaction without a request
 */
export function pactRequests(
  text: string,
  { at, callerHeader }: { readonly at: number; readonly callerHeader: string | undefined },
): TrafficRequest[] {
  const pact = membersOf(parsed(text));
  const { interactions = [] } = pact;
  if (!Array.isArray(interactions)) throw new Error('interactions: expected an array');
  const { name } = membersOf(pact['consumer']);
  return interactions.flatMap((value, index): TrafficRequest[] => {
    const { type, request, response } = membersOf(value);
    if (type !== undefined && type !== 'Synchronous/HTTP') return [];
    const hasMediaTypes = type !== undefined;
    const { method, path, query } = membersOf(request);
    if (typeof method !== 'string' || typeof path !== 'string') {
      throw new Error(`interactions[${index}].request: expected method and path`);
    }
    const place = `interactions[${index}]`;
    const { headers, bytes } = messageOf(request, hasMediaTypes, `${place}.request`);
    const caller = callerHeader === undefined ? undefined : headers[callerHeader];
    const isText = bytes === undefined || isUtf8(bytes);
    const search = queryText(query, `${place}.request`);
    return [
      {
        ...{
          at,
          isUndated: true,
          caller: caller ?? (typeof name === 'string' ? name : 'anonymous'),
        },
        ...{ method: method.toUpperCase(), path: withQuery(path, search), headers },
        ...(bytes !== undefined && (isText ? { body: [String(bytes)] } : { isBodyOmitted: true })),
        ...responseOf(response, hasMediaTypes, `${place}.response`),
      },
    ];
  });
}

function responseOf(
  response: unknown,
  hasMediaTypes: boolean,
  place: string,
): Pick<RecordedRequest, 'status' | 'response'> {
  const { status } = membersOf(response);
  if (typeof status !== 'number') return {};
  const { headers, bytes } = messageOf(response, hasMediaTypes, place);
  return { status, response: { headers, body: bytes, isPartial: true } };
}

/**
 * @param hasMediaTypes true for specification 4: a body has a media type, and its content may be encoded
 * @throws {Error} for a body whose encoding is broken
 */
function messageOf(message: unknown, hasMediaTypes: boolean, place: string) {
  const { body, headers: written } = membersOf(message);
  const headers = recordedHeaders(
    Object.entries(membersOf(written)).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const { content, contentType, encoded }: Members = hasMediaTypes
    ? membersOf(body)
    : { content: body };
  // Null and an empty string are no body.
  if (content === undefined || content === null || content === '') {
    return { headers, bytes: undefined };
  }
  headers['content-type'] ??= typeof contentType === 'string' ? contentType : guessedType(content);
  const type = headers['content-type'];
  if (encoded === true || /^base64$/i.test(String(encoded))) {
    const bytes = fromBase64(content);
    if (bytes === undefined) throw new Error(`${place}.body: expected base64`);
    return { headers, bytes };
  }
  if (typeof content !== 'string') return { headers, bytes: Buffer.from(stringifyJson(content)) };
  // Specifications 2 and 3 have no encodings: the media type decides.
  if (!hasMediaTypes && BINARY.test(type)) {
    return { headers, bytes: fromBase64(content) ?? Buffer.from(content) };
  }
  const isText =
    typeof encoded === 'string' || !JSON_TYPE.test(type) || (!hasMediaTypes && isJson(content));
  return { headers, bytes: Buffer.from(isText ? content : stringifyJson(content)) };
}

const JSON_TYPE = /[/+]json\b/i;
const BINARY = /^(?:(?:image|audio|video|font)\/(?!svg)|application\/octet-stream\b)/i;
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}={0,2})?$/;

function fromBase64(content: unknown): Buffer | undefined {
  const isBase64 = typeof content === 'string' && BASE64.test(content.replace(/\s+/g, ''));
  return isBase64 ? Buffer.from(content, 'base64') : undefined;
}

function guessedType(content: unknown): string {
  return typeof content !== 'string' || isJson(content) ? 'application/json' : 'text/plain';
}

/** True for the JSON text of an object, an array or a string. */
function isJson(text: string): boolean {
  if (!/^\s*[{["]/.test(text)) return false;
  try {
    parseJsonText(text);
    return true;
  } catch {
    return false;
  }
}

function withQuery(path: string, search: string): string {
  if (search === '') return path;
  return path + (path.includes('?') ? '&' : '?') + search;
}

/**
 * Specification 2 has the text, others the values of each name.
 *
 * @throws {Error} for another value
 */
function queryText(query: unknown, place: string): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  const fail = () => new Error(`${place}.query: expected text, or the values of each name`);
  if (Array.isArray(query)) throw fail();
  const pairs = Object.entries(membersOf(query)).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => {
      if (isObject(value) || Array.isArray(value)) throw fail();
      return [name, String(value ?? '')];
    }),
  );
  return new URLSearchParams(pairs).toString();
}

function membersOf(value: unknown): Members {
  return Object(value);
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Error('got a part of a file or invalid JSON, expected a Pact file');
  }
}
