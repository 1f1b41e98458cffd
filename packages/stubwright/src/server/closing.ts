// Closes connections so that no client is reset: what it sent is read, what it is owed is sent.

import type { Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/**
 * Ends a connection once everything written has been sent, and discards what still arrives until the
 * client ends it too. Closing at once with unread bytes would send a reset, on which the client drops
 * even the response that it already received (RFC 9112, section 9.6).
 *
 * @param lingerMs how long the client may take
 */
export function closeGently(socket: Socket, lingerMs: number): void {
  if (socket.writable) socket.end();
  socket.resume();
  if (socket.writableFinished) linger(socket, lingerMs);
  else socket.once('finish', () => linger(socket, lingerMs));
}

function linger(socket: Socket, lingerMs: number): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Resolves after `ms`, or as soon as `isDone` holds. */
export function settled(ms: number, isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + ms;
  return new Promise((resolve) => {
    const check = () => {
      if (isDone() || performance.now() >= deadline) resolve();
      else setTimeout(check, CHECK_MS);
    };
    check();
  });
}

const CHECK_MS = 10;

/**
 * Accepts the connections that the kernel has completed: those left when a listener closes are reset.
 * libuv accepts one in a turn of the event loop. A client that connects in the last turn is still
 * reset, so this waits for a turn shorter than a millisecond.
 */
export async function acceptPending(server: Server, limitMs: number): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  const deadline = performance.now() + limitMs;
  for (;;) {
    const [before, startedAt] = [accepted, performance.now()];
    await setImmediate();
    const now = performance.now();
    if ((accepted === before && now - startedAt < 1) || now >= deadline) break;
  }
  server.off('connection', count);
}
