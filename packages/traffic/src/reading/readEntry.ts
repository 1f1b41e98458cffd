// Reads an entry of HAR 1.2.
import type { RecordedRequest, TrafficRequest } from '../record/record.ts';

const ANONYMOUS = 'anonymous';

/**
 * @param value of `log.entries` @param callerHeader whose value names the caller, in lower case
 * @returns undefined for a value that is not an entry with a method, a URL and a time
 */
export function entryOf(
  value: unknown,
  callerHeader: string | undefined,
): TrafficRequest | undefined {
  const {
    startedDateTime,
    _caller: named,
    _contract: contract,
    request,
    response,
  } = membersOf(value);
  const { method, url, headers: list, postData } = membersOf(request);
  const { text: written, params, mimeType: type } = membersOf(postData);
  const at = Date.parse(String(startedDateTime));
  const address = URL.parse(String(url), 'http://localhost');
  if (typeof method !== 'string' || typeof url !== 'string' || address === null) return undefined;
  if (Number.isNaN(at)) return undefined;
  const headers = headersOf(list);
  const text = written || formText(params, type);
  const body = typeof text === 'string' ? [text] : undefined;
  if (body !== undefined && typeof type === 'string') headers['content-type'] ??= type;
  const fromHeader = callerHeader === undefined ? undefined : headers[callerHeader];
  const hasParams = Array.isArray(params) && params.length > 0;
  const isBodyOmitted = body === undefined && hasParams;
  return {
    ...{ at, caller: fromHeader ?? (typeof named === 'string' ? named : ANONYMOUS) },
    ...(typeof contract === 'string' && { contract }),
    ...{ method, path: address.pathname + address.search, headers },
    ...(body && { body }),
    ...(isBodyOmitted && { isBodyOmitted }),
    ...responseOf(response),
  };
}

/** @returns a form that a tool stored as pairs; undefined for another body, such as one with files */
function formText(params: unknown, type: unknown): string | undefined {
  if (!Array.isArray(params) || params.length === 0) return undefined;
  if (!/^application\/x-www-form-urlencoded\b/i.test(String(type))) return undefined;
  const pairs = params.map((each) => {
    const { name, value = '' } = membersOf(each);
    return [String(name), String(value)] satisfies [string, string];
  });
  return new URLSearchParams(pairs).toString();
}

/** @returns nothing without headers, and without a status, as for a request that was cancelled */
function responseOf(value: unknown): Pick<RecordedRequest, 'status' | 'response'> {
  const { status, headers: list, content } = membersOf(value);
  if (typeof status !== 'number' || status < 200 || status > 599) return {};
  if (!Array.isArray(list)) return {};
  const { text, encoding, mimeType } = membersOf(content);
  const headers = headersOf(list);
  if (typeof mimeType === 'string' && mimeType !== '') headers['content-type'] ??= mimeType;
  const coding = encoding === 'base64' ? 'base64' : 'utf8';
  const body = typeof text === 'string' ? Buffer.from(text, coding) : undefined;
  return { status, response: { headers, body } };
}

/** Lengths and codings are those of the recorded text; pseudo headers of HTTP/2 are no headers. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'content-encoding', 'connection']);

function headersOf(list: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const each of Array.isArray(list) ? list : []) {
    const { name, value } = membersOf(each);
    const key = String(name).toLowerCase();
    if (key.startsWith(':') || FRAMING.has(key) || typeof value !== 'string') continue;
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
