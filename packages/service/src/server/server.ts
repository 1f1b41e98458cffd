// The HTTP server: connection limits and timeouts, responses to malformed requests, graceful shutdown.

import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createAcceptor,
  Server as NetServer,
  type Socket,
} from 'node:net';
import {
  headersTooLarge,
  malformedHttp,
  notImplemented,
  type Problem,
  requestTimeout,
  uriTooLong,
  versionNotSupported,
} from '@stubwright/contract';
import { type HttpResponse, undeclaredResponse } from 'stubwright/internals';
import { createServer, STATUS_CODES } from '../nodeHttp.ts';
import { limitPerAddress } from '../operations/authFailures.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import {
  afterPending,
  ClosableConnections,
  Connections,
  closeGently,
  isDone,
  type RequestListener,
} from './connections.ts';

export interface HttpServer {
  readonly address: AddressInfo;
  /** Resolves with false if a further request has arrived on the connection of a response. */
  isLast(response: ServerResponse): Promise<boolean>;
  /** Stops accepting connections, waits at most `drainMs` for requests in flight, then closes. */
  drain(): Promise<void>;
}

interface ListenOptions {
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
  const connections = new Connections(listener);
  const server = serverOf(connections.onRequest, bounds);
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
      connections.hold();
      const accepted = await closeListener(server, bounds.acceptMs);
      connections.release();
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

interface Served {
  readonly server: Server;
  readonly connections: Connections;
  readonly bounds: Limits;
  readonly events: ServiceEmitter | undefined;
}

type ErrorResponse = (error: Problem) => HttpResponse | Promise<HttpResponse>;

/**
 * Closes connections after the keep-alive timeout, and those whose clients do not read their responses.
 *
 * @returns a function that closes a connection for another, where one is closable
 */
function closeIdleAndStalled({ server, connections, bounds, events }: Served): () => void {
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
function rejectMalformed(
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

/** A longer event loop iteration had other work, or the process was preempted: connections may have arrived since. */
const MAX_ITERATION_MS = 1;

/**
 * The shortest accept queue that Node asks for, while the listener closes. Linux admits one connection
 * more, and drops further handshakes: their clients repeat them after a second, and are refused.
 */
const CLOSING_BACKLOG = 1;

/**
 * Accepts the connections in the accept queue, then closes the listener, which would reset them.
 *
 * libuv accepts one connection per event loop iteration, and runs immediates right after it has polled: a
 * short iteration without a connection shows that the queue was empty less than MAX_ITERATION_MS ago. The
 * caller should not start other work meanwhile. A process that is preempted right then resets the
 * connections of the queue, at most CLOSING_BACKLOG + 1.
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
  const acceptor = createAcceptor({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  acceptor.on('connection', (socket) => accepted.push(socket));
  // The acceptor takes over the handle of the server.
  acceptor.listen(server, CLOSING_BACKLOG);
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

/** An error of Node's HTTP parser. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** @returns the HTTP error for an error of Node's parser */
function problemOf(
  { code, rawPacket, bytesParsed = 0 }: ParseError,
  maxHeaderBytes: number,
): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongTarget(rawPacket, maxHeaderBytes) ? uriTooLong() : headersTooLarge();
    case 'HPE_INVALID_METHOD':
      return isRequestLine(rawPacket, bytesParsed)
        ? notImplemented('a method of HTTP')
        : malformedHttp('expected an HTTP/1.1 request');
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return versionNotSupported();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    default:
      return malformedHttp('expected an HTTP/1.1 request');
  }
}

/** @param at an index in the line */
function isRequestLine(bytes: Buffer | undefined, at: number): boolean {
  const text = bytes?.toString('latin1') ?? '';
  const line = text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0]!;
  return /^[\w!#$%&'*+.^`|~-]+ [^ ]+ HTTP\/\d\.\d\r?$/.test(line);
}

/** True if the request line alone exceeds the limit for all headers. */
function hasLongTarget(bytes: Buffer | undefined, maxHeaderBytes: number): boolean {
  const start = bytes?.toString('latin1', 0, maxHeaderBytes) ?? '';
  return /^[A-Z]+ [^ \n]+$/.test(start);
}

/** Writes an error response and closes the connection. */
function reject(socket: Socket, { status, headers, body }: HttpResponse, lingerMs: number): void {
  if (socket.writableEnded) return;
  const text = String(body ?? '');
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
  closeGently(socket, lingerMs);
}

/** Resolves when `isDone` returns true, at the latest after `ms`. */
function waitUntil(ms: number, isDone: () => boolean): Promise<void> {
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
  /** Interval between checks of headersTimeoutMs, requestTimeoutMs, writeTimeoutMs and stallMs. */
  timeoutCheckMs: 1_000,
  /** Time between the last response and the end of the connection, for input that still arrives. */
  lingerMs: 1_000,
  /**
   * Maximum wait for a client that does not read its response. TCP reports progress in steps of a third
   * of the send buffer: a client that reads 10 KiB/s needs several seconds for a step.
   */
  writeTimeoutMs: 30_000,
  /**
   * At the limit of connections, one that has been idle for this long is closed for another, and one
   * whose client has read less than `minBytesPerSecond` for this long.
   */
  stallMs: 5_000,
  /** A slow mobile connection. */
  minBytesPerSecond: 10 * 1024,
  /** Maximum time at shutdown to accept the connections of the accept queue. */
  acceptMs: 1_000,
  /** One round trip: at shutdown, time for requests that are in transit on idle connections. */
  settleMs: 300,
  /** Time for requests in flight at shutdown, until their signals are aborted. */
  abortMs: 5_000,
  /** Maximum time for requests in flight at shutdown; supervisors kill after 10 s. */
  drainMs: 8_000,
};

/** The limits of a server: bytes, milliseconds, and a share. */
export type Limits = Readonly<typeof limits>;
