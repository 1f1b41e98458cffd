// The HTTP server under the application: its limits, what it answers to bytes that never become a
// request, and how it drains. Knows neither Koa nor the contract.
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  headersTooLarge,
  malformedHttp,
  type Problem,
  requestTimeout,
} from './contract/problem.ts';

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
  /** How long a refused sender may go on before its connection is cut. */
  lingerMs: 1_000,
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
  /** Told of each connection closed so. */
  readonly onDrop?: () => void;
  readonly bounds?: Limits;
  /** Told of each answer that the application has no part in, for the log. */
  readonly onRefusal?: (problem: Problem) => void;
}

/** The request that a connection sent last. */
interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer that goes out before this one. */
  readonly before: ServerResponse | undefined;
}

/**
 * Listens. Every answer that does not come from `listener` is an Error body all the same, after
 * which its connection closes.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when the address cannot be listened on
 */
export async function listen(
  listener: RequestListener,
  { host, port, maxConnections, onDrop, bounds = limits, onRefusal }: ListenOptions,
): Promise<HttpServer> {
  /** Every open connection, with the request that it sent last until that is done with. */
  const turns = new Map<Socket, Turn | undefined>();
  // What is kept of an answered request is copied again and again while young objects are collected.
  const forget = function (this: ServerResponse) {
    const { socket, complete } = this.req;
    if (complete && turns.get(socket)?.response === this) turns.set(socket, undefined);
  };
  const onRequest: RequestListener = (request, response) => {
    const before = turns.get(request.socket)?.response;
    turns.set(request.socket, { request, response, before });
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
  server.on('drop', () => onDrop?.());
  // The application asks for the body, and says 100-continue, once the caller is authenticated.
  server.on('checkContinue', onRequest);
  // An unknown one it refuses, like any request, after the answers that are owed.
  server.on('checkExpectation', onRequest);
  const refuseInTurn = (socket: Socket, problem: Problem) =>
    afterOwed(turns.get(socket), socket, () => {
      refuse(socket, problem, bounds.lingerMs);
      onRefusal?.(problem);
    });
  server.on('connect', (_request, socket) => {
    // Node listens to it no more: a reset would end the process.
    socket.on('error', () => socket.destroy());
    refuseInTurn(socket as Socket, malformedHttp('expected no CONNECT'));
  });
  // Node tells of each further chunk on a broken connection too.
  const broken = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (broken.has(socket)) return;
    broken.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseInTurn(socket, problemOf(error));
  });
  server.on('connection', (socket) => {
    turns.set(socket, undefined);
    socket.on('close', () => turns.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    drain: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        // Node counts a connection as idle only after its first request.
        for (const socket of turns.keys()) if (socket.bytesRead === 0) socket.destroy();
      }),
  };
}

/**
 * Refuses what a connection sent last, once the answers that are owed before are sent. A request
 * that was answered before it broke gets no second answer: its connection closes.
 */
function afterOwed(turn: Turn | undefined, socket: Socket, refuse: () => void): void {
  if (turn === undefined) refuse();
  else if (turn.request.complete) afterSent(turn.response, refuse);
  else {
    afterSent(turn.before, () => {
      if (turn.response.headersSent) afterSent(turn.response, () => socket.destroySoon());
      else refuse();
    });
  }
}

function afterSent(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined || response.writableFinished) act();
  else response.once('finish', act);
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    default:
      return malformedHttp('expected an HTTP/1.1 request');
  }
}

function refuse(socket: Socket, problem: Problem, lingerMs: number): void {
  const body = problem.toBody();
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Closing at once with bytes unread would reset the connection before the answer is read.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
