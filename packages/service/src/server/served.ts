// A server with its connections: those that are idle, stalled or malformed are closed.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { malformedHttp, type Problem } from '@stubwright/contract';
import type { HttpResponse } from 'stubwright/internals';
import type { ServiceEmitter } from '../operations/events.ts';
import { ClosableConnections } from './closable.ts';
import { closeGently } from './closing.ts';
import type { Connections } from './connections.ts';
import type { Limits } from './limits.ts';
import { afterPending, isDone, problemOf, reject } from './rejection.ts';

export interface Served {
  readonly server: Server;
  readonly connections: Connections;
  readonly bounds: Limits;
  readonly events: ServiceEmitter | undefined;
}

export type ErrorResponse = (error: Problem) => HttpResponse | Promise<HttpResponse>;

/**
 * Closes connections after the keep-alive timeout, and those whose clients do not read their responses.
 *
 * @returns a function that closes a connection for another, where one is closable
 */
export function closeIdleAndStalled({ server, connections, bounds, events }: Served): () => void {
  server.on('timeout', (socket) => {
    // The keep-alive timeout; headersTimeout and requestTimeout apply to incomplete requests.
    if (isDone(connections.lastOf(socket))) closeGently(socket, bounds.lingerMs);
  });
  const closable = new ClosableConnections(connections, bounds);
  // After a poll: a busy process has not written what clients have room for.
  const sample = () => setImmediate(() => closable.sample(performance.now()));
  // A server that cannot listen is not closed either.
  server.once('listening', () => {
    const timer = setInterval(sample, Math.min(bounds.timeoutCheckMs, bounds.stallMs)).unref();
    server.once('close', () => clearInterval(timer));
  });
  return () => {
    if (closable.closeOne()) events?.emit('connectionDropped');
  };
}

/** Responds to CONNECT and to input that is not HTTP, after the pending responses, and closes the connection. */
export function rejectMalformed(
  { server, connections, bounds, events }: Served,
  errorResponse: ErrorResponse,
): void {
  const rejectInOrder = (socket: Socket, problem: Problem) =>
    afterPending(connections.lastOf(socket), socket, async () => {
      reject(socket, await errorResponse(problem), bounds.lingerMs);
      events?.emit('requestRejected', problem);
    });
  server.on('connect', (_request, socket) => {
    // Node removes its own listener: without one, a reset would end the process.
    socket.on('error', () => socket.destroy());
    rejectInOrder(socket as Socket, malformedHttp('expected no CONNECT'));
  });
  // Node emits clientError again for each further chunk of a broken connection.
  const broken = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // A closing connection discards its input.
    if (broken.has(socket) || (socket.writableEnded && error.code !== 'ECONNRESET')) return;
    broken.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else rejectInOrder(socket, problemOf(error, bounds.maxHeaderBytes));
  });
}
