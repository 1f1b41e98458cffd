// The part of an IP address that stands for one client.

/**
 * @param address as `socket.remoteAddress` has it
 * @returns an IPv4 address, or the /64 network of an IPv6 address: the smallest that a site is assigned
 *   (RFC 6177)
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
