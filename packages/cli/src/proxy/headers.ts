// The headers that a gateway removes and adds.
import type { IncomingMessage } from 'node:http';

/** Names and values in turn, as Node receives them. */
type RawHeaders = readonly string[];

/** RFC 9110, section 7.6.1. Trailers are forwarded. */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
];

const VIA = '1.1 stubwright';

/** @returns the headers without those of the connection */
export function endToEnd(raw: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at]!, raw[at + 1]!]);
  const options = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === 'connection' ? value.split(',') : [],
  );
  const removed = new Set([...HOP_BY_HOP, ...options.map((each) => each.trim().toLowerCase())]);
  return pairs.filter(([name]) => !removed.has(name.toLowerCase()));
}

/**
 * @param host the value of `Host` for the service
 * @returns the headers of the forwarded request: `Host`, `Via`, `Forwarded` and `X-Forwarded-*` are those
 *   of a gateway (RFC 9110, sections 7.2 and 7.6.3, RFC 7239)
 */
export function forwardedHeaders(
  { rawHeaders, headers, socket }: IncomingMessage,
  host: string,
): [name: string, value: string][] {
  const client = socket.remoteAddress ?? 'unknown';
  const node = client.includes(':') ? `"[${client}]"` : client;
  const asked = headers.host;
  const forwarded = `for=${node}${asked === undefined ? '' : `;host="${asked}"`};proto=http`;
  const appended: Record<string, string> = {
    via: VIA,
    forwarded,
    'x-forwarded-for': client,
  };
  const before = (name: string) => [headers[name] ?? []].flat().join(', ');
  const kept = endToEnd(rawHeaders).filter(([name]) => {
    const key = name.toLowerCase();
    return key !== 'host' && !Object.hasOwn(appended, key);
  });
  const has = (name: string) => headers[name] !== undefined;
  return [
    ['Host', host],
    ...kept,
    ...Object.entries(NAMES).map(([key, name]): [string, string] => [
      name,
      [before(key), appended[key]!].filter((each) => each !== '').join(', '),
    ]),
    ...(has('x-forwarded-host') || asked === undefined
      ? []
      : [['X-Forwarded-Host', asked] as [string, string]]),
    ...(has('x-forwarded-proto') ? [] : [['X-Forwarded-Proto', 'http'] as [string, string]]),
  ];
}

const NAMES = { via: 'Via', forwarded: 'Forwarded', 'x-forwarded-for': 'X-Forwarded-For' };
