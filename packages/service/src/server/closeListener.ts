// Closes a listener without a reset of the connections in the kernel's accept queue.
import type { Server } from 'node:http';
import { createServer, Server as NetServer, type Socket } from 'node:net';

/** A longer event loop iteration had other work, or the process was preempted: connections may have arrived since. */
const MAX_ITERATION_MS = 1;

/**
 * Accepts the connections in the accept queue, then closes the listener, which would reset them.
 *
 * libuv accepts one connection per event loop iteration, and runs immediates right after it has polled: a
 * short iteration without a connection shows that the queue was empty less than MAX_ITERATION_MS ago. The
 * caller should not start other work meanwhile.
 *
 * @param limitMs maximum wait, if connections arrive faster than they are accepted
 * @returns the accepted connections, paused
 */
export function closeListener(server: Server, limitMs: number): Promise<Socket[]> {
  const accepted: Socket[] = [];
  // Closed before: a service may be stopped twice.
  if (server.address() === null) return Promise.resolve(accepted);
  // Bun has no handle to take over: it stops accepting, and keeps the connections with a request.
  if (!(server instanceof NetServer)) {
    (server as Server).close();
    return Promise.resolve(accepted);
  }
  let startedMs = performance.now();
  const deadline = startedMs + limitMs;
  // The options that http.Server passes to net.Server.
  const acceptor = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  acceptor.on('connection', (socket) => accepted.push(socket));
  // The acceptor takes over the handle of the server.
  acceptor.listen(server);
  return new Promise((resolve) => {
    // Unequal at first: the first immediate may run before the next poll.
    let acceptedBefore = -1;
    const closeIfQuiet = () => {
      const isShort = performance.now() - startedMs < MAX_ITERATION_MS;
      const isQuiet = isShort && accepted.length === acceptedBefore;
      if (isQuiet || performance.now() >= deadline) {
        acceptor.close();
        // http.Server.close would reset idle connections on which a request is arriving.
        NetServer.prototype.close.call(server);
        resolve(accepted);
        return;
      }
      acceptedBefore = accepted.length;
      startedMs = performance.now();
      setImmediate(closeIfQuiet);
    };
    setImmediate(closeIfQuiet);
  });
}
