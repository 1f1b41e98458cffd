// A recorded request, as a HAR 1.2 entry has it.

/** A request of a client, without its response. */
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
    readonly postData?: { readonly text?: unknown; readonly mimeType?: unknown };
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
  const { startedDateTime, _caller: named, request = {} } = Object(value) as HarEntry;
  const {
    method,
    url,
    headers: list,
    postData,
  } = Object(request) as NonNullable<HarEntry['request']>;
  const at = Date.parse(String(startedDateTime));
  const address = URL.parse(String(url), 'http://localhost');
  if (typeof method !== 'string' || typeof url !== 'string' || address === null) return undefined;
  if (Number.isNaN(at)) return undefined;
  const headers = headersOf(list);
  const text = postData?.text;
  const body = typeof text === 'string' ? Buffer.from(text) : undefined;
  const type = postData?.mimeType;
  if (body !== undefined) {
    headers['content-length'] = String(body.length);
    if (typeof type === 'string') headers['content-type'] ??= type;
  }
  const fromHeader = callerHeader === undefined ? undefined : headers[callerHeader];
  const caller = fromHeader ?? (typeof named === 'string' ? named : ANONYMOUS);
  return { at, caller, method, target: address.pathname + address.search, headers, body };
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
