// The HTTP server: connection limits and timeouts, responses to malformed requests, graceful shutdown.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { malformedHttp, type Problem } from '../errors/problem.ts';
import { limitPerAddress } from '../operations/address.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import { undeclaredResponse } from '../response/errorFormat.ts';
import type { HttpResponse } from '../response/reply.ts';
import { acceptPending, closeGently, waitUntil } from './closing.ts';
import { afterPending, isDone, type LastRequest, problemOf, reject } from './rejection.ts';

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
  /** One round trip: at shutdown, time for requests that are in transit on idle connections. */
  settleMs: 300,
  /** Maximum time for requests in flight at shutdown; supervisors kill after 10 s. */
  drainMs: 8_000,
};

export type Limits = Readonly<typeof limits>;

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServer {
  readonly address: AddressInfo;
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

interface Connection {
  /** Undefined after its response is sent. */
  last: LastRequest | undefined;
  /** `bytesRead` of the socket after the last request; further bytes belong to the next request. */
  idleBytes: number;
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
  const connections = new Map<Socket, Connection>();
  // Retaining finished requests slows minor garbage collections.
  const forget = function (this: ServerResponse) {
    const { socket, complete } = this.req;
    const connection = connections.get(socket);
    if (connection?.last?.response !== this) return;
    connection.idleBytes = socket.bytesRead;
    if (complete) connection.last = undefined;
  };
  const onRequest: RequestListener = (request, response) => {
    const connection = connections.get(request.socket);
    // The connection is closing: a request without a response must have no effect.
    if (connection === undefined || request.socket.writableEnded) {
      request.resume();
      return;
    }
    connection.last = { request, response, previous: connection.last?.response };
    response.on('finish', forget);
    listener(request, response);
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
  server.timeout = bounds.writeTimeoutMs;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) socket.destroy();
    else if (isDone(connections.get(socket)?.last)) closeGently(socket, bounds.lingerMs);
  });
  // The application sends 100 Continue after authentication.
  server.on('checkContinue', onRequest);
  // The application responds with 417.
  server.on('checkExpectation', onRequest);
  const rejectInOrder = (socket: Socket, problem: Problem) =>
    afterPending(connections.get(socket)?.last, socket, async () => {
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
  server.on('connection', (socket) => {
    if (!isAdmitted(socket)) {
      socket.destroy();
      events?.emit('connectionDropped');
      return;
    }
    // Node calls destroySoon after a response with `Connection: close`; Node's implementation sends a
    // reset if there is unread input.
    socket.destroySoon = destroySoon;
    connections.set(socket, { last: undefined, idleBytes: 0 });
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    async drain() {
      const deadline = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      await acceptPending(server, bounds.settleMs);
      // http.Server.close would reset idle connections on which a request is arriving.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      await waitUntil(bounds.settleMs, () => connections.size === 0);
      // Two event loop iterations: a busy process has not read its pending input yet.
      for (let iteration = 0; iteration < 2; iteration++) await new Promise(setImmediate);
      for (const [socket, { last, idleBytes }] of connections) {
        if (isDone(last) && socket.bytesRead === idleBytes && !socket.writableEnded) {
          closeGently(socket, bounds.lingerMs);
        }
      }
      await closed;
      clearTimeout(deadline);
      // Stops the timer of http.Server.
      server.close();
    },
  };
}
