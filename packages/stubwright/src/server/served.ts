// A server with its connections: those that are idle, stalled or malformed are closed.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { malformedHttp, type Problem } from '../errors/problem.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import type { HttpResponse } from '../response/reply.ts';
import { closeGently } from './closing.ts';
import type { Connections } from './connections.ts';
import type { Limits } from './limits.ts';
import { afterPending, isDone, problemOf, reject } from './rejection.ts';
import { StalledConnections } from './stalledConnections.ts';

export interface Served {
  readonly server: Server;
  readonly connections: Connections;
  readonly bounds: Limits;
  readonly events: ServiceEmitter | undefined;
}

export type ErrorResponse = (error: Problem) => HttpResponse | Promise<HttpResponse>;

/** Closes connections after the keep-alive timeout, and those whose clients do not read their responses. */
export function closeIdleAndStalled(
  { server, connections, bounds, events }: Served,
  maxConnections: number,
): void {
  // Node restarts this timer at each read, each write, and at progress of a write.
  server.timeout = Math.min(bounds.stallMs, bounds.writeTimeoutMs);
  const stalled = new StalledConnections({
    intervalMs: server.timeout,
    maxMs: bounds.writeTimeoutMs,
    maxConnections: Math.max(1, Math.floor(bounds.stalledShare * maxConnections)),
  });
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) {
      const closed = stalled.timedOut(socket);
      closed?.destroy();
      if (closed !== undefined && closed !== socket) events?.emit('connectionDropped');
      return;
    }
    // The keep-alive timeout; headersTimeout and requestTimeout apply to incomplete requests.
    const isIdle = isDone(connections.lastOf(socket)) && socket.timeout !== server.timeout;
    if (isIdle) closeGently(socket, bounds.lingerMs);
  });
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
