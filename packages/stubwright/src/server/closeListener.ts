// Closes a listener without a reset of the connections in the kernel's accept queue.
import { type AddressInfo, connect, createServer, Server, type Socket } from 'node:net';

/**
 * Accepts the connections in the accept queue, then closes the listener, which would reset them.
 *
 * The queue is first in, first out: a connection of this process marks its end. The listener closes when
 * the mark arrives and no other connection has arrived since the mark was opened. libuv accepts one
 * connection per event loop iteration, so the caller should not start other work meanwhile.
 *
 * @param limitMs maximum wait, if connections arrive faster or the mark cannot connect
 * @returns the accepted connections, paused
 */
export function closeListener(server: Server, limitMs: number): Promise<Socket[]> {
  const bound = server.address() as AddressInfo | null;
  // Closed before: a service may be stopped twice.
  if (bound === null) return Promise.resolve([]);
  const { port, address } = bound;
  const accepted: Socket[] = [];
  // The options that http.Server passes to net.Server.
  const acceptor = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  return new Promise((resolve) => {
    let mark: Socket | undefined;
    let acceptedBefore = 0;
    const openMark = () => {
      acceptedBefore = accepted.length;
      // Without a mark, the time limit applies.
      mark = connect(port, connectable(address)).on('error', () => {});
    };
    const close = () => {
      clearTimeout(limit);
      mark?.destroy();
      acceptor.close();
      // http.Server.close would reset idle connections on which a request is arriving.
      Server.prototype.close.call(server);
      resolve(accepted);
    };
    const limit = setTimeout(close, limitMs);
    acceptor.on('connection', (socket) => {
      if (!areEnds(socket, mark)) {
        accepted.push(socket);
        return;
      }
      socket.destroy();
      mark?.destroy();
      if (accepted.length === acceptedBefore) close();
      else openMark();
    });
    // The acceptor takes over the handle of the server.
    acceptor.listen(server);
    openMark();
  });
}

/** @returns an address to connect to for an address to listen on */
function connectable(address: string): string {
  if (address === '::') return '::1';
  return address === '0.0.0.0' ? '127.0.0.1' : address;
}

/** True for the two ends of one connection. */
function areEnds(accepted: Socket, opened: Socket | undefined): boolean {
  return (
    accepted.remotePort === opened?.localPort && accepted.remoteAddress === opened?.localAddress
  );
}
