// A recorded request, as a HAR 1.2 entry has it.

/** A request of a client. */
export interface TrafficEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who sent it; `anonymous` if the recording does not say. */
  readonly caller: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** True if a body was sent that the recording does not have. */
  readonly isBodyOmitted: boolean;
  /** Undefined if the recording has none. */
  readonly response: TrafficResponse | undefined;
}

export interface TrafficResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the recording has no text of it. */
  readonly body: Buffer | undefined;
}

const ANONYMOUS = 'anonymous';

/** What is read of an entry. */
interface HarEntry {
  readonly startedDateTime?: unknown;
  /** Written by tools of this project. */
  readonly _caller?: unknown;
  readonly request?: {
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly postData?: {
      readonly text?: unknown;
      readonly params?: unknown;
      readonly mimeType?: unknown;
    };
    /** Written by tools of this project. */
    readonly _bodyOmitted?: unknown;
  };
  readonly response?: unknown;
}

interface HarResponse {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly content?: {
    readonly text?: unknown;
    readonly encoding?: unknown;
    readonly mimeType?: unknown;
  };
}

/**
 * @param value of `log.entries` @param callerHeader whose value names the caller, in lower case
 * @returns undefined for a value that is not an entry with a method, a URL and a time
 */
export function entryOf(
  value: unknown,
  callerHeader: string | undefined,
): TrafficEntry | undefined {
  const { startedDateTime, _caller: named, request = {}, response } = Object(value) as HarEntry;
  const {
    method,
    url,
    headers: list,
    postData,
    _bodyOmitted: omitted,
  } = Object(request) as NonNullable<HarEntry['request']>;
  const at = Date.parse(String(startedDateTime));
  const address = URL.parse(String(url), 'http://localhost');
  if (typeof method !== 'string' || typeof url !== 'string' || address === null) return undefined;
  if (Number.isNaN(at)) return undefined;
  const headers = headersOf(list);
  const type = postData?.mimeType;
  const text = postData?.text || formText(postData?.params, type);
  const body = typeof text === 'string' ? Buffer.from(text) : undefined;
  if (body !== undefined) {
    headers['content-length'] = String(body.length);
    if (typeof type === 'string') headers['content-type'] ??= type;
  }
  const fromHeader = callerHeader === undefined ? undefined : headers[callerHeader];
  const caller = fromHeader ?? (typeof named === 'string' ? named : ANONYMOUS);
  const target = address.pathname + address.search;
  const hasParams = Array.isArray(postData?.params) && postData.params.length > 0;
  const isBodyOmitted = body === undefined && (omitted === true || hasParams);
  return {
    at,
    caller,
    method,
    target,
    headers,
    body,
    isBodyOmitted,
    response: responseOf(response),
  };
}

/** @returns a form that a tool stored as pairs; undefined for another body, such as one with files */
function formText(params: unknown, type: unknown): string | undefined {
  if (!Array.isArray(params) || params.length === 0) return undefined;
  if (!/^application\/x-www-form-urlencoded\b/i.test(String(type))) return undefined;
  const pairs = params.map((each) => {
    const { name, value = '' } = Object(each) as { name?: unknown; value?: unknown };
    return [String(name), String(value)] satisfies [string, string];
  });
  return new URLSearchParams(pairs).toString();
}

/** @returns undefined without headers, and without a status, as for a request that was cancelled */
function responseOf(value: unknown): TrafficResponse | undefined {
  const { status, headers: list, content } = Object(value) as HarResponse;
  if (typeof status !== 'number' || status < 200 || status > 599) return undefined;
  if (!Array.isArray(list)) return undefined;
  const { text, encoding, mimeType } = Object(content) as NonNullable<HarResponse['content']>;
  const headers = headersOf(list);
  if (typeof mimeType === 'string' && mimeType !== '') headers['content-type'] ??= mimeType;
  const coding = encoding === 'base64' ? 'base64' : 'utf8';
  const body = typeof text === 'string' ? Buffer.from(text, coding) : undefined;
  return { status, headers, body };
}

/** Lengths and codings are those of the recorded text; pseudo headers of HTTP/2 are no headers. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'content-encoding', 'connection']);

function headersOf(list: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const each of Array.isArray(list) ? list : []) {
    const { name, value } = Object(each) as { name?: unknown; value?: unknown };
    const key = String(name).toLowerCase();
    if (key.startsWith(':') || FRAMING.has(key) || typeof value !== 'string') continue;
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}
