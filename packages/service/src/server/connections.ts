// The open connections of a server, and the last request of each.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isDone, type LastRequest } from './rejection.ts';

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

  constructor() {
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
   * Registers a request of a connection.
   *
   * @returns false if the connection closes after an earlier response: the request must have no effect
   *   (RFC 9112, section 9.6)
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined || request.socket.writableEnded) return false;
    const previous = connection.last?.response;
    if (previous?.headersSent && !previous.shouldKeepAlive) return false;
    connection.last = { request, response, previous };
    response.on('finish', this.#forget);
    return true;
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
