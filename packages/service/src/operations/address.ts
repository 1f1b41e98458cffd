// The client network of an IP address, and a connection limit per client network.
import type { Socket } from 'node:net';

/**
 * @param address the value of `socket.remoteAddress`
 * @returns an IPv4 address, or the /64 network of an IPv6 address, the smallest assignment to a site
 *   (RFC 6177); `''` for undefined
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || !address.includes(':')) return address ?? '';
  // A dual-stack socket reports IPv4 clients in this form (RFC 4291, section 2.5.5.2).
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/**
 * @param limit maximum number of open connections of a client network
 * @returns a function that counts a connection until it closes, and returns false beyond the limit
 */
export function limitPerAddress(limit = Number.POSITIVE_INFINITY): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  return (socket) => {
    if (limit === Number.POSITIVE_INFINITY) return true;
    const network = clientNetwork(socket.remoteAddress);
    const count = counts.get(network) ?? 0;
    if (count >= limit) return false;
    counts.set(network, count + 1);
    socket.on('close', () => {
      const left = counts.get(network)! - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
    return true;
  };
}
