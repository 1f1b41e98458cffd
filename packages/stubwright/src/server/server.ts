// The HTTP server: connection limits and timeouts, responses to malformed requests, graceful shutdown.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { malformedHttp, type Problem } from '../errors/problem.ts';
import { limitPerAddress } from '../operations/address.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import { undeclaredResponse } from '../response/errorFormat.ts';
import type { HttpResponse } from '../response/reply.ts';
import { closeListener } from './closeListener.ts';
import { closeGently, waitUntil } from './closing.ts';
import { Connections } from './connections.ts';
import { afterPending, isDone, problemOf, reject } from './rejection.ts';
import { StalledConnections } from './stalledConnections.ts';

/** The limits of a public server; tests may lower them. */
export const limits = {
  /** Node's default, and the limit of common proxies. */
  maxHeaderBytes: 16 * 1024,
  /** Closes connections of broken clients and of slowloris attacks. */
  headersTimeoutMs: 10_000,
  /** Enough for the largest body over a slow mobile connection. */
  requestTimeoutMs: 30_000,
  /** Longer than the usual 60 s of load balancers: the balancer closes an idle connection first. */
  keepAliveTimeoutMs: 65_000,
  /** Interval between checks of headersTimeoutMs and requestTimeoutMs. */
  timeoutCheckMs: 1_000,
  /** Time between the last response and the end of the connection, for input that still arrives. */
  lingerMs: 1_000,
  /**
   * Maximum wait for a client that does not read its response. TCP reports progress in steps of a third
   * of the send buffer: a client that reads 10 KiB/s needs several seconds for a step.
   */
  writeTimeoutMs: 30_000,
  /** A response without progress for this long is stalled. */
  stallMs: 5_000,
  /** Maximum share of stalled connections in `maxConnections`: the others remain for other clients. */
  stalledShare: 0.25,
  /** Maximum time at shutdown to accept the connections of the accept queue. */
  acceptMs: 1_000,
  /** One round trip: at shutdown, time for requests that are in transit on idle connections. */
  settleMs: 300,
  /** Maximum time for requests in flight at shutdown; supervisors kill after 10 s. */
  drainMs: 8_000,
};

export type Limits = Readonly<typeof limits>;

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
  readonly errorResponse?: ((error: Problem) => HttpResponse | Promise<HttpResponse>) | undefined;
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
  { host, port, maxConnections, events, bounds = limits, ...options }: ListenOptions,
): Promise<HttpServer> {
  const { errorResponse = undeclaredResponse } = options;
  const connections = new Connections();
  /** Requests that arrive while the listener closes; undefined otherwise. */
  let held: (() => void)[] | undefined;
  const onRequest: RequestListener = (request, response) => {
    if (!connections.begin(request, response)) request.resume();
    else if (held !== undefined) held.push(() => listener(request, response));
    else listener(request, response);
  };
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
  server.maxConnections = maxConnections;
  server.on('drop', () => events?.emit('connectionDropped'));
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
  // The application sends 100 Continue after authentication.
  server.on('checkContinue', onRequest);
  // The application responds with 417.
  server.on('checkExpectation', onRequest);
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
  const destroySoon = function (this: Socket) {
    closeGently(this, bounds.lingerMs);
  };
  const isAdmitted = limitPerAddress(options.maxConnectionsPerAddress);
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    async isLast(response) {
      // Node may call the listener before it has parsed the other requests of a read.
      await new Promise(setImmediate);
      return connections.isLast(response);
    },
    async drain() {
      const deadline = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      held = [];
      const accepted = await closeListener(server, bounds.acceptMs);
      const requests = held;
      held = undefined;
      for (const request of requests) request();
      for (const socket of accepted) {
        if (connections.size < maxConnections) server.emit('connection', socket);
        else drop(socket);
        socket.resume();
      }
      await waitUntil(bounds.settleMs, () => connections.size === 0);
      // Two event loop iterations: a busy process has not read its pending input yet.
      for (let iteration = 0; iteration < 2; iteration++) await new Promise(setImmediate);
      // A response that started before the stop leaves its connection open.
      await waitUntil(Number.POSITIVE_INFINITY, () => {
        for (const socket of connections.idle()) closeGently(socket, bounds.lingerMs);
        return connections.size === 0;
      });
      clearTimeout(deadline);
      // Stops the timer of http.Server.
      server.close();
    },
  };
}
