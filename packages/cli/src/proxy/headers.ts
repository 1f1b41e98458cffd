// The heads of forwarded messages: their targets, their headers, and the framing, which is written anew.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingMessage } from 'node:http';
import { malformedHttp } from '@stubwright/contract';
import type { Problem } from 'stubwright';
import { originForm } from 'stubwright/internals';

/** A proxy in between and the service may each decode once; one more is a margin. */
const DECODINGS = 3;
/** Also with parameters (`..;a=b`), which some services remove before they resolve dot segments. */
const DOT_SEGMENT = /(?:^|[/\\])\.\.?(?:;[^/\\]*)?(?:[/\\]|$)/;

/** @returns undefined for a target that can be appended to the path of a service */
export function targetError({ method, url = '' }: IncomingMessage): Problem | undefined {
  const target = originForm(url);
  const isAsterisk = target === '*' && method === 'OPTIONS';
  if ((isAsterisk || target.startsWith('/')) && !target.includes('#')) return undefined;
  return malformedHttp('expected a path or an http URL without a fragment as request target');
}

/**
 * A service resolves dot segments, so such a path may lead to another operation, or out of the base path.
 *
 * @returns undefined for a path without `.` and `..` segments, percent-encoded or not
 */
export function dotSegmentError({ url = '' }: IncomingMessage): Problem | undefined {
  let [path = ''] = originForm(url).split('?');
  for (let round = 0; round <= DECODINGS; round++) {
    if (DOT_SEGMENT.test(path)) return malformedHttp('expected a path without dot segments');
    path = path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  }
  return undefined;
}

/** @returns the host and port that the client asked for; the target precedes `Host` (section 3.2.2) */
export function authorityOf({ url = '', headers }: IncomingMessage): string | undefined {
  const [, authority] = /^https?:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(url) ?? [];
  return authority ?? headers.host;
}

export type Field = readonly [name: string, value: string];

/** RFC 9110, section 7.6.1. */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
];

const FRAMING = ['content-length', 'transfer-encoding', 'trailer'];
/** RFC 9110, sections 15.3.5 and 15.4.5. */
const WITHOUT_BODY = [204, 304];

/**
 * Fields that route, authenticate, control or describe a message. `Connection` must not name them (RFC
 * 9110, section 7.6.1), and trailers must not contain them (section 6.5.1).
 */
const CONTROL = [
  ...['host', 'expect', 'max-forwards', 'range', 'if-match', 'if-none-match', 'if-range'],
  ...['if-modified-since', 'if-unmodified-since', 'authorization', 'proxy-authorization', 'cookie'],
  ...['cache-control', 'pragma', 'age', 'date', 'expires', 'location', 'retry-after', 'vary'],
  ...['set-cookie', 'www-authenticate', 'proxy-authenticate', 'content-encoding', 'content-type'],
  ...['content-range', 'via', 'forwarded', 'x-forwarded-for', 'x-forwarded-host'],
  ...['x-forwarded-proto'],
];
const NOT_AN_OPTION = new Set([...FRAMING, ...CONTROL]);
const NOT_A_TRAILER = new Set([...FRAMING, ...CONTROL, ...HOP_BY_HOP]);

/** A message as Node parsed it. */
type Message = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** @returns the lower-case names of the fields that belong to the connection */
function connectionFields({ headers }: Message): Set<string> {
  const options = (headers.connection ?? '').split(',').map((part) => part.trim().toLowerCase());
  return new Set([...HOP_BY_HOP, ...options.filter((option) => !NOT_AN_OPTION.has(option))]);
}

/** @returns the fields that are forwarded, in order; `Transfer-Encoding` is none of them */
function endToEnd(message: Message): Field[] {
  const removed = connectionFields(message);
  return fieldsOf(message.rawHeaders).filter(([name]) => !removed.has(name.toLowerCase()));
}

/** @returns the fields of a forwarded request, without those that frame it */
export function requestFields(request: Message): Field[] {
  return endToEnd(request).filter(([name]) => !FRAMING.includes(name.toLowerCase()));
}

/** @returns the fields that frame a request as it was parsed (RFC 9112, section 6) */
export function framingOf({ headers }: Message): Field[] {
  const { trailer, 'content-length': length } = headers;
  if (headers['transfer-encoding'] !== undefined) {
    const announced = trailer === undefined ? [] : [['Trailer', trailer] as const];
    return [['Transfer-Encoding', 'chunked'], ...announced];
  }
  return length === undefined ? [] : [['Content-Length', length]];
}

/**
 * @param request of the client
 * @returns the fields of a forwarded response; Node adds `Transfer-Encoding` for a body without a length
 */
export function responseFields(
  arrived: IncomingMessage,
  { method, httpVersion }: IncomingMessage,
): Field[] {
  const { statusCode = 0, headers } = arrived;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const hasTrailers =
    isChunked && httpVersion === '1.1' && method !== 'HEAD' && !WITHOUT_BODY.includes(statusCode);
  return endToEnd(arrived).filter(([name]) => {
    const key = name.toLowerCase();
    // RFC 9110, section 8.6.
    if (key === 'content-length') return !isChunked && statusCode !== 204;
    return key !== 'trailer' || hasTrailers;
  });
}

/** @returns the headers that the recipient of the forwarded request has, to validate the same request */
export function forwardedOnly(request: Message): IncomingHttpHeaders {
  const removed = connectionFields(request);
  // Validation depends on the presence of a body.
  removed.delete('transfer-encoding');
  const kept = Object.entries(request.headers).filter(([name]) => !removed.has(name));
  return Object.fromEntries(kept);
}

/**
 * Forwards a body.
 *
 * @param head the part that was read already
 */
export function forwardBody(
  from: IncomingMessage,
  to: OutgoingMessage,
  head: readonly Buffer[],
): void {
  const finish = () => {
    if (to.destroyed) return;
    const trailers = trailersOf(from);
    if (trailers.length > 0) to.addTrailers(trailers.map(([...field]) => field));
    to.end();
  };
  for (const chunk of head) to.write(chunk);
  if (from.readableEnded) finish();
  else {
    from.once('end', finish);
    from.pipe(to, { end: false });
  }
}

/** @returns the trailers that are forwarded */
export function trailersOf({ rawTrailers }: Pick<IncomingMessage, 'rawTrailers'>): Field[] {
  return fieldsOf(rawTrailers).filter(([name]) => !NOT_A_TRAILER.has(name.toLowerCase()));
}

/** @param raw names and values in turn, as Node receives them */
function fieldsOf(raw: readonly string[]): Field[] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[at * 2]!, raw[at * 2 + 1]!]);
}

const VIA = '1.1 stubwright';
const ADDED = ['host', 'via', 'forwarded', 'x-forwarded-for', 'x-forwarded-host'];

/**
 * @param host the value of `Host` for the service
 * @param asked the host and port that the client asked for
 * @returns the fields of the forwarded request, without those that frame it (RFC 9110, sections 7.2 and 7.6.3);
 *   without `Forwarded`, which the service could read instead of `X-Forwarded-For`
 */
export function gatewayFields(
  request: IncomingMessage,
  host: string,
  asked: string | undefined,
): Field[] {
  const { headers, socket } = request;
  const client = addressOf(socket.remoteAddress);
  const via = headers.via === undefined ? VIA : `${headers.via}, ${VIA}`;
  const clients = [headers['x-forwarded-for'] ?? [], client].flat();
  const hosts = [headers['x-forwarded-host'] ?? asked ?? []].flat();
  return [
    ['Host', host],
    ...requestFields(request).filter(([name]) => !ADDED.includes(name.toLowerCase())),
    ['Via', via],
    ['X-Forwarded-For', clients.join(', ')],
    ...hosts.map((host): Field => ['X-Forwarded-Host', host]),
    ...(headers['x-forwarded-proto'] === undefined ? [['X-Forwarded-Proto', 'http'] as const] : []),
  ];
}

/** @returns the address without a zone; an IPv4 address that an IPv6 socket received as IPv4 */
function addressOf(address = 'unknown'): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
}
