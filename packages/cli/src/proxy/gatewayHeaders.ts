// The headers that a gateway adds to a request: Host, Via, Forwarded and X-Forwarded-*.
import type { IncomingMessage } from 'node:http';
import { type Field, requestFields } from './headers.ts';

const VIA = '1.1 stubwright';
const ADDED = ['host', 'via', 'forwarded', 'x-forwarded-for', 'x-forwarded-host'];

const TOKEN = String.raw`[\w!#$%&'*+.^|~\x60-]+`;
const PAIR = String.raw`${TOKEN}=(?:${TOKEN}|"(?:[^"\\]|\\.)*")`;
const ELEMENT = `${PAIR}(?:[ \\t]*;[ \\t]*${PAIR})*`;
/** RFC 7239, section 4. */
const FORWARDED = new RegExp(`^${ELEMENT}(?:[ \\t]*,[ \\t]*${ELEMENT})*$`);
const IS_TOKEN = new RegExp(`^${TOKEN}$`);

/**
 * @param host the value of `Host` for the service
 * @param asked the host and port that the client asked for
 * @returns the fields of the forwarded request, without those that frame it (RFC 9110, sections 7.2 and
 *   7.6.3, RFC 7239)
 */
export function gatewayFields(
  request: IncomingMessage,
  host: string,
  asked: string | undefined,
): Field[] {
  const { headers, socket } = request;
  const client = addressOf(socket.remoteAddress);
  const via = headers.via === undefined ? VIA : `${headers.via}, ${VIA}`;
  // A quotation mark without its end would hide the element of this gateway.
  const before = headers.forwarded ?? '';
  const forwarded = [...(FORWARDED.test(before) ? [before] : []), elementOf(client, asked)];
  const clients = [headers['x-forwarded-for'] ?? [], client].flat();
  const hosts = [headers['x-forwarded-host'] ?? asked ?? []].flat();
  return [
    ['Host', host],
    ...requestFields(request).filter(([name]) => !ADDED.includes(name.toLowerCase())),
    ['Via', via],
    ['Forwarded', forwarded.join(', ')],
    ['X-Forwarded-For', clients.join(', ')],
    ...hosts.map((each): Field => ['X-Forwarded-Host', each]),
    ...(headers['x-forwarded-proto'] === undefined ? [['X-Forwarded-Proto', 'http'] as const] : []),
  ];
}

function elementOf(client: string, asked: string | undefined): string {
  const node = client.includes(':') ? `[${client}]` : client;
  const host = asked === undefined ? '' : `;host=${quoted(asked)}`;
  return `for=${IS_TOKEN.test(node) ? node : quoted(node)}${host};proto=http`;
}

/** RFC 9110, section 5.6.4. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** @returns the address without a zone; an IPv4 address that an IPv6 socket received as IPv4 */
function addressOf(address = 'unknown'): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
}
