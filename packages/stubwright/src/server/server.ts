// The HTTP server under the application: its limits, its answers to malformed requests, its drain.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { malformedHttp, type Problem } from '../errors/problem.ts';
import { limitPerAddress } from '../operations/address.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import { acceptPending, closeGently, settled } from './closing.ts';
import { afterOwed, isDone, problemOf, refuse, type Turn } from './refusal.ts';

/** The bounds of a public server; a test may tighten them. */
export const limits = {
  /** Node's own default, and what common proxies send at most. */
  maxHeaderBytes: 16 * 1024,
  /** A client that needs longer for its headers is broken, or holds connections open on purpose. */
  headersTimeoutMs: 10_000,
  /** Long enough for the largest body over a slow mobile line. */
  requestTimeoutMs: 30_000,
  /** Longer than the 60 s for which balancers keep idle connections, so that they close first. */
  keepAliveTimeoutMs: 65_000,
  /** How often the two timeouts above are looked at. */
  timeoutCheckMs: 1_000,
  /** How long a client may still send after its last answer before its connection is cut. */
  lingerMs: 1_000,
  /**
   * How long an answer may wait for a client that reads nothing. TCP reports progress in steps of a
   * third of the send buffer, so a client that reads 10 KiB a second needs several seconds for one.
   */
  writeTimeoutMs: 30_000,
  /** How long a drain waits for requests on their way over connections without one: a round trip. */
  settleMs: 300,
  /** How long a drain waits for what is in flight; supervisors kill after 10 s. */
  drainMs: 8_000,
};

export type Limits = Readonly<typeof limits>;

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServer {
  readonly address: AddressInfo;
  /** Stops accepting, waits for what is in flight (at most `drainMs`), then closes. */
  drain(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** More connections are closed as they come, unanswered. */
  readonly maxConnections: number;
  /** The same for the connections of one client network; no limit by default. */
  readonly maxConnectionsPerAddress?: number | undefined;
  readonly bounds?: Limits;
  readonly events?: ServiceEmitter;
}

interface Connection {
  /** The request that it sent last until that is done with. */
  turn: Turn | undefined;
  /** What had been read of it when its last request was done with: more belongs to the next one. */
  idleBytes: number;
}

/**
 * Listens. Every answer that does not come from `listener` is an Error body all the same, after
 * which its connection closes.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when the address cannot be listened on
 */
export async function listen(
  listener: RequestListener,
  { host, port, maxConnections, events, bounds = limits, ...options }: ListenOptions,
): Promise<HttpServer> {
  const connections = new Map<Socket, Connection>();
  // Retaining answered requests slows minor garbage collections.
  const forget = function (this: ServerResponse) {
    const { socket, complete } = this.req;
    const connection = connections.get(socket);
    if (connection?.turn?.response !== this) return;
    connection.idleBytes = socket.bytesRead;
    if (complete) connection.turn = undefined;
  };
  const onRequest: RequestListener = (request, response) => {
    const connection = connections.get(request.socket);
    // A request after the last answer of its connection can get none, so it must have no effect.
    if (connection === undefined || request.socket.writableEnded) {
      request.resume();
      return;
    }
    connection.turn = { request, response, before: connection.turn?.response };
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
      // A missing Host is answered by the application, with an Error body.
      requireHostHeader: false,
    },
    onRequest,
  );
  // Past this count Node drops headers in silence; their total size is bounded already.
  server.maxHeadersCount = 0;
  server.maxConnections = maxConnections;
  server.on('drop', () => events?.emit('connectionDropped'));
  // Node restarts this timer at each read, each write, and while a write makes progress.
  server.timeout = bounds.writeTimeoutMs;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) socket.destroy();
    else if (isDone(connections.get(socket)?.turn)) closeGently(socket, bounds.lingerMs);
  });
  // The application asks for the body, and says 100-continue, once the caller is authenticated.
  server.on('checkContinue', onRequest);
  // An unknown one it refuses, like any request, after the answers that are owed.
  server.on('checkExpectation', onRequest);
  const refuseInTurn = (socket: Socket, problem: Problem) =>
    afterOwed(connections.get(socket)?.turn, socket, () => {
      refuse(socket, problem, bounds.lingerMs);
      events?.emit('requestRejected', problem);
    });
  server.on('connect', (_request, socket) => {
    // Node listens to it no more: a reset would end the process.
    socket.on('error', () => socket.destroy());
    refuseInTurn(socket as Socket, malformedHttp('expected no CONNECT'));
  });
  // Node emits this for each further chunk on a broken connection too.
  const broken = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // A connection that is closing discards what it reads.
    if (broken.has(socket) || (socket.writableEnded && error.code !== 'ECONNRESET')) return;
    broken.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseInTurn(socket, problemOf(error, bounds.maxHeaderBytes));
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
    // Node calls it after an answer with `Connection: close`; its own resets the connection where
    // bytes are unread.
    socket.destroySoon = destroySoon;
    connections.set(socket, { turn: undefined, idleBytes: 0 });
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    async drain() {
      const cut = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      await acceptPending(server, bounds.settleMs);
      // Not http's own close: that resets idle connections on which a request is arriving.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      await settled(bounds.settleMs, () => connections.size === 0);
      // A busy process may not have read yet what arrived meanwhile: it does in a turn of its loop.
      for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
      for (const [socket, { turn, idleBytes }] of connections) {
        if (isDone(turn) && socket.bytesRead === idleBytes && !socket.writableEnded) {
          closeGently(socket, bounds.lingerMs);
        }
      }
      await closed;
      clearTimeout(cut);
      // Ends http's timer.
      server.close();
    },
  };
}
