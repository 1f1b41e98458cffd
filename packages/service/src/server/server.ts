// The HTTP server: connection limits and timeouts, responses to malformed requests, graceful shutdown.

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { undeclaredResponse } from 'stubwright/internals';
import { createServer } from '../nodeHttp.ts';
import { limitPerAddress } from '../operations/address.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import { closeListener } from './closeListener.ts';
import { closeGently, waitUntil } from './closing.ts';
import { Connections } from './connections.ts';
import { type Limits, limits } from './limits.ts';
import { closeIdleAndStalled, type ErrorResponse, rejectMalformed, type Served } from './served.ts';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServer {
  readonly address: AddressInfo;
  /** Resolves with false if a further request has arrived on the connection of a response. */
  isLast(response: ServerResponse): Promise<boolean>;
  /** Stops accepting connections, waits at most `drainMs` for requests in flight, then closes. */
  drain(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Further connections are closed without a response. */
  readonly maxConnections: number;
  /** The same per client network; no limit by default. */
  readonly maxConnectionsPerAddress?: number | undefined;
  readonly bounds?: Limits;
  /** @returns the response to input that is not a request; by default problem details */
  readonly errorResponse?: ErrorResponse | undefined;
  readonly events?: ServiceEmitter;
}

/**
 * Starts an HTTP server. Requests that do not reach `listener` get an error response, and their
 * connection closes.
 *
 * @throws {NodeJS.ErrnoException} `EADDRINUSE`, `EACCES`, … if it cannot listen on the address
 */
export async function listen(
  listener: RequestListener,
  options: ListenOptions,
): Promise<HttpServer> {
  const { bounds = limits, events } = options;
  const connections = new Connections();
  // The requests that arrive while the server stops accepting connections.
  let held: (() => void)[] | undefined;
  const onRequest: RequestListener = (request, response) => {
    if (!connections.begin(request, response)) request.resume();
    else if (held === undefined) listener(request, response);
    else held.push(() => listener(request, response));
  };
  const server = serverOf(onRequest, bounds);
  server.maxConnections = options.maxConnections;
  const served: Served = { server, connections, bounds, events };
  const makeRoom = closeIdleAndStalled(served);
  server.on('drop', () => {
    events?.emit('connectionDropped');
    makeRoom();
  });
  rejectMalformed(served, options.errorResponse ?? undeclaredResponse);
  const drop = admitConnections(served, options.maxConnectionsPerAddress);
  // The last connection makes room for the next.
  server.on('connection', () => {
    if (connections.size >= options.maxConnections) makeRoom();
  });
  await once(server.listen(options.port, options.host), 'listening');
  return {
    address: server.address() as AddressInfo,
    async isLast(response) {
      // Node may call the listener before it has parsed the other requests of a read.
      await new Promise(setImmediate);
      return connections.isLast(response);
    },
    async drain() {
      const deadline = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      const waiting: (() => void)[] = [];
      held = waiting;
      const accepted = await closeListener(server, bounds.acceptMs);
      held = undefined;
      for (const request of waiting) request();
      for (const socket of accepted) {
        if (connections.size < options.maxConnections) server.emit('connection', socket);
        else drop(socket);
        socket.resume();
      }
      await closeAll(served);
      clearTimeout(deadline);
      // Stops the timer of http.Server.
      server.close();
    },
  };
}

function serverOf(onRequest: RequestListener, bounds: Limits): Server {
  const server = createServer(
    {
      maxHeaderSize: bounds.maxHeaderBytes,
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.keepAliveTimeoutMs,
      connectionsCheckingInterval: bounds.timeoutCheckMs,
      // The application rejects a missing Host with an error response.
      requireHostHeader: false,
    },
    onRequest,
  );
  // Beyond this count Node discards headers silently; maxHeaderSize already limits their total size.
  server.maxHeadersCount = 0;
  // The application sends 100 Continue after authentication.
  server.on('checkContinue', onRequest);
  // The application responds with 417.
  server.on('checkExpectation', onRequest);
  return server;
}

/** @returns a function that closes a connection without a response */
function admitConnections(
  { server, connections, bounds, events }: Served,
  maxPerAddress: number | undefined,
): (socket: Socket) => void {
  const destroySoon = function (this: Socket) {
    closeGently(this, bounds.lingerMs);
  };
  const isAdmitted = limitPerAddress(maxPerAddress);
  const drop = (socket: Socket) => {
    socket.destroy();
    events?.emit('connectionDropped');
  };
  server.on('connection', (socket) => {
    if (!isAdmitted(socket)) return drop(socket);
    // Node calls destroySoon after a response with `Connection: close`; Node's implementation sends a
    // reset if there is unread input.
    socket.destroySoon = destroySoon;
    connections.add(socket);
  });
  return drop;
}

/** Waits for the requests in flight, and closes their connections. */
async function closeAll({ connections, bounds }: Served): Promise<void> {
  await waitUntil(bounds.settleMs, () => connections.size === 0);
  // Two event loop iterations: a busy process has not read its pending input yet.
  for (let iteration = 0; iteration < 2; iteration++) await new Promise(setImmediate);
  // A response that started before the stop leaves its connection open.
  await waitUntil(Number.POSITIVE_INFINITY, () => {
    for (const socket of connections.idle()) closeGently(socket, bounds.lingerMs);
    return connections.size === 0;
  });
}
