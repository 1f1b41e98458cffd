// Closes TCP connections without a reset, so that clients receive the last response.

import type { Socket } from 'node:net';

/**
 * Half-closes a connection after the pending writes, and discards input until the client closes it.
 * Closing with unread input sends a reset, and the client then loses the response (RFC 9112, section 9.6).
 *
 * @param lingerMs maximum wait for the client
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

/** Resolves when `isDone` returns true, at the latest after `ms`. */
export function waitUntil(ms: number, isDone: () => boolean): Promise<void> {
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
