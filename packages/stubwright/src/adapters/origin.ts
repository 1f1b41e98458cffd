// The origin of a server that listens.
import type { AddressInfo } from 'node:net';

/** @returns `http://127.0.0.1:3000`, `http://[::1]:3000` */
export function originOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
