// The connections of a server: their requests in progress, and which can be closed for another.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  /** Undefined after its response is sent. */
  last: LastRequest | undefined;
  /** `bytesRead` of the socket after the last request; further bytes belong to the next request. */
  idleBytes: number;
}

export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  /** Listener of `finish`. Retaining finished requests slows minor garbage collections. */
  readonly #forget: (this: ServerResponse) => void;

  readonly #listener: RequestListener;
  #held: (() => void)[] | undefined;

  /** @param listener of the requests */
  constructor(listener: RequestListener) {
    this.#listener = listener;
    const connections = this.#connections;
    this.#forget = function () {
      const { socket, complete } = this.req;
      const connection = connections.get(socket);
      if (connection?.last?.response !== this) return;
      connection.idleBytes = socket.bytesRead;
      if (complete) connection.last = undefined;
    };
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Adds a connection until it closes. */
  add(socket: Socket): void {
    this.#connections.set(socket, { last: undefined, idleBytes: 0 });
    socket.on('close', () => this.#connections.delete(socket));
  }

  /**
   * Listener of `request`. A request on a connection that closes after an earlier response must have no
   * effect (RFC 9112, section 9.6).
   */
  readonly onRequest: RequestListener = (request, response) => {
    const connection = this.#connections.get(request.socket);
    const previous = connection?.last?.response;
    const isLast = previous?.headersSent === true && !previous.shouldKeepAlive;
    if (connection === undefined || request.socket.writableEnded || isLast) {
      request.resume();
      return;
    }
    connection.last = { request, response, previous };
    response.on('finish', this.#forget);
    if (this.#held === undefined) this.#listener(request, response);
    else this.#held.push(() => this.#listener(request, response));
  };

  /** Keeps the requests that arrive until {@link release}. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const request of held) request();
  }

  /** @returns the last request of a connection until its response is sent */
  lastOf(socket: Socket): LastRequest | undefined {
    return this.#connections.get(socket)?.last;
  }

  /** @returns false if a further request has arrived on the connection of a response */
  isLast(response: ServerResponse): boolean {
    return this.lastOf(response.req.socket)?.response === response;
  }

  sockets(): Iterable<Socket> {
    return this.#connections.keys();
  }

  /** @returns the connections without a request in progress or received in part */
  idle(): Socket[] {
    return [...this.#connections.keys()].filter((socket) => this.isIdle(socket));
  }

  isIdle(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    if (connection === undefined || socket.writableEnded) return false;
    return isDone(connection.last) && socket.bytesRead === connection.idleBytes;
  }
}

/** The last request of a connection. */
export interface LastRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The response to the request before, which is sent first (RFC 9112, section 9.3.2). */
  readonly previous: ServerResponse | undefined;
}

/** Node may report the end of a request after its response. */
export function isDone(last: LastRequest | undefined): boolean {
  return last === undefined || (last.request.complete && last.response.writableFinished);
}

/**
 * Calls `reject` after the pending responses of a connection are sent. A request that already has a
 * response gets no second one: its connection closes.
 */
export function afterPending(
  last: LastRequest | undefined,
  socket: Socket,
  reject: () => void,
): void {
  if (last === undefined) reject();
  else if (last.request.complete) afterSent(last.response, reject);
  else {
    afterSent(last.previous, () => {
      if (last.response.headersSent) afterSent(last.response, () => socket.destroySoon());
      else reject();
    });
  }
}

function afterSent(response: ServerResponse | undefined, callback: () => void): void {
  if (response === undefined || response.writableFinished) callback();
  else response.once('finish', callback);
}

/** When a connection can be closed for another. */
interface ClosingBounds {
  /** Maximum time without progress of a client that reads its response. */
  readonly writeTimeoutMs: number;
  /** Minimum age of an idle or slow connection. */
  readonly stallMs: number;
  readonly minBytesPerSecond: number;
}

interface Sample {
  /** False for a connection without a request. */
  readonly isReading: boolean;
  readonly sinceMs: number;
  readonly sinceBytes: number;
  /** The last time at which `bytes` had changed. */
  progressMs: number;
  bytes: number;
}

interface Candidate {
  readonly socket: Socket;
  readonly sample: Sample;
  /** Infinite without a request. */
  readonly bytesPerSecond: number;
}

/**
 * Samples the connections whose responses wait for their clients, and those without a request.
 *
 * Node has sent a response that fits into the send buffer of the kernel: the connection of a client that
 * does not read it is one without a request.
 */
export class ClosableConnections {
  readonly #connections: Connections;
  readonly #bounds: ClosingBounds;
  readonly #samples = new WeakMap<Socket, Sample>();
  #sampledMs = 0;
  /** Of the last sample, once they are needed; the first to close is the last. */
  #candidates: Candidate[] | undefined;

  constructor(connections: Connections, bounds: ClosingBounds) {
    this.#connections = connections;
    this.#bounds = bounds;
  }

  /**
   * Closes connections whose responses made no progress for `writeTimeoutMs`.
   *
   * @param now a monotonic clock in milliseconds
   */
  sample(now: number): void {
    this.#sampledMs = now;
    this.#candidates = undefined;
    for (const socket of this.#connections.sockets()) {
      const isReading = socket.writableLength > 0;
      if (isReading || this.#connections.isIdle(socket)) this.#sampleOne(socket, isReading);
      else this.#samples.delete(socket);
    }
  }

  /** @returns true if a connection is closed for another: the slowest reader, else the one longest idle */
  closeOne(): boolean {
    this.#candidates ??= this.#candidatesOfSample();
    for (;;) {
      const candidate = this.#candidates.pop();
      if (candidate === undefined) return false;
      const { socket, sample } = candidate;
      const isSame = sample.isReading
        ? socket.writableLength > 0
        : this.#connections.isIdle(socket);
      if (socket.destroyed || !isSame) continue;
      // At once: the next connection needs the room. The kernel still sends buffered bytes.
      socket.destroy();
      return true;
    }
  }

  #sampleOne(socket: Socket, isReading: boolean): void {
    const bytes = bytesSent(socket);
    const sample = this.#samples.get(socket);
    const now = this.#sampledMs;
    const start = () => {
      const since = { isReading, sinceMs: now, sinceBytes: bytes, progressMs: now, bytes };
      this.#samples.set(socket, since);
    };
    if (sample?.isReading !== isReading) start();
    else if (bytes !== sample.bytes) {
      sample.progressMs = now;
      sample.bytes = bytes;
      // A request has come and gone, or the client reads.
      if (!isReading || this.#isFast(sample)) start();
    } else if (isReading && now - sample.progressMs >= this.#bounds.writeTimeoutMs) {
      socket.destroy();
    }
  }

  #isFast(sample: Sample): boolean {
    const { stallMs, minBytesPerSecond } = this.#bounds;
    return this.#ageMs(sample) >= stallMs && this.#rate(sample) >= minBytesPerSecond;
  }

  #ageMs({ sinceMs }: Sample): number {
    return this.#sampledMs - sinceMs;
  }

  #rate(sample: Sample): number {
    return (1000 * (sample.bytes - sample.sinceBytes)) / this.#ageMs(sample);
  }

  #candidatesOfSample(): Candidate[] {
    const candidates: Candidate[] = [];
    for (const socket of this.#connections.sockets()) {
      const sample = this.#samples.get(socket);
      if (sample === undefined || this.#ageMs(sample) < this.#bounds.stallMs) continue;
      if (sample.isReading && this.#isFast(sample)) continue;
      const bytesPerSecond = sample.isReading ? this.#rate(sample) : Number.POSITIVE_INFINITY;
      candidates.push({ socket, sample, bytesPerSecond });
    }
    return candidates.sort(closedLater);
  }
}

function closedLater(a: Candidate, b: Candidate): number {
  // Infinite numbers have no difference.
  if (a.bytesPerSecond !== b.bytesPerSecond) return b.bytesPerSecond - a.bytesPerSecond;
  return b.sample.sinceMs - a.sample.sinceMs;
}

/** @returns the bytes that the kernel has accepted; `bytesWritten` counts those that wait in libuv too */
function bytesSent(socket: Socket): number {
  const { _handle } = socket as {
    readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize?: number };
  };
  if (_handle?.writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength;
  return _handle.bytesWritten - _handle.writeQueueSize;
}

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
