// A TCP proxy that cuts connections at a given moment of their talk, as a network does.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** A URL, changed to go through the proxy. */
  through(url: string): string;
  /**
   * Cuts the next connection that carries a string, before it forwards the string.
   *
   * @param from whose words: the client's, or the server's
   */
  cutBefore(from: 'client' | 'server', text: string): void;
  /** How many connections it has cut so far. */
  readonly cuts: number;
  readonly port: number;
  /** Forwards nothing until {@link thaw}, as a network that drops all packets. */
  freeze(): void;
  thaw(): void;
  close(): void;
}

/** @param url of the server behind it */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let trap: { from: string; text: string } | undefined;
  let cuts = 0;
  let isFrozen = false;

  const forward = (from: string, source: Socket, target: Socket) => {
    sockets.add(source);
    if (isFrozen) source.pause();
    source.on('error', () => {});
    source.on('close', () => {
      sockets.delete(source);
      target.destroy();
    });
    source.on('data', (chunk) => {
      if (trap?.from !== from || !chunk.includes(trap.text)) {
        target.write(chunk);
        return;
      }
      trap = undefined;
      cuts++;
      source.resetAndDestroy();
      target.resetAndDestroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    forward('client', client, upstream);
    forward('server', upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address() as AddressInfo;

  return {
    through(other) {
      const changed = new URL(other);
      changed.port = String(own.port);
      return changed.href;
    },
    cutBefore(from, text) {
      trap = { from, text };
    },
    get cuts() {
      return cuts;
    },
    port: own.port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
