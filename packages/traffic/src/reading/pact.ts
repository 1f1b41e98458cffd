// Reads the HTTP interactions of a Pact file (specification 2 to 4): requests that the tests of a consumer send.
import { isUtf8 } from 'node:buffer';
import { parseJsonText, stringifyJson } from '@stubwright/contract';
import type { RecordedRequest, TrafficRequest } from '../record/record.ts';

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
    const { headers, bytes } = messageOf(request, hasMediaTypes);
    const caller = callerHeader === undefined ? undefined : headers[callerHeader];
    const isText = bytes === undefined || isUtf8(bytes);
    const search = queryText(query);
    return [
      {
        ...{
          at,
          isUndated: true,
          caller: caller ?? (typeof name === 'string' ? name : 'anonymous'),
        },
        ...{ method: method.toUpperCase(), path: path + (search && `?${search}`), headers },
        ...(bytes !== undefined && (isText ? { body: [String(bytes)] } : { isBodyOmitted: true })),
        ...responseOf(response, hasMediaTypes),
      },
    ];
  });
}

function responseOf(
  response: unknown,
  hasMediaTypes: boolean,
): Pick<RecordedRequest, 'status' | 'response'> {
  const { status } = membersOf(response);
  if (typeof status !== 'number') return {};
  const { headers, bytes } = messageOf(response, hasMediaTypes);
  return { status, response: { headers, body: bytes } };
}

/** @param hasMediaTypes true for specification 4: a body has a media type, and its content may be encoded */
function messageOf(message: unknown, hasMediaTypes: boolean) {
  const { body, headers: written } = membersOf(message);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(membersOf(written))) {
    headers[name.toLowerCase()] = [value].flat().join(', ');
  }
  if (body === undefined || body === null) return { headers, bytes: undefined };
  const { content, contentType, encoded }: Members = hasMediaTypes
    ? membersOf(body)
    : { content: body };
  if (content === undefined || content === null) return { headers, bytes: undefined };
  const guessed = typeof content === 'string' ? 'text/plain' : 'application/json';
  headers['content-type'] ??= typeof contentType === 'string' ? contentType : guessed;
  if (encoded === true || /^base64$/i.test(String(encoded))) {
    return { headers, bytes: Buffer.from(String(content), 'base64') };
  }
  const isText = encoded === 'JSON' || !/[/+]json\b/i.test(headers['content-type']);
  const text = typeof content === 'string' && isText ? content : stringifyJson(content);
  return { headers, bytes: Buffer.from(text) };
}

/** Specification 2 has the text, others the values of each name. */
function queryText(query: unknown): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  const pairs = Object.entries(membersOf(query)).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value ?? '')]),
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
