// Connections to the service, and the WebSockets that pass through.
import * as http from 'node:http';
import * as https from 'node:https';
import { type Duplex, pipeline } from 'node:stream';
import { malformedHttp } from '@stubwright/contract';
import { isBodyExpected } from '@stubwright/contract/values';
import type { Problem } from 'stubwright';
import { originForm } from 'stubwright/internals';
import { authorityOf, framingOf, gatewayFields, responseFields } from './headers.ts';

/** Common proxies accept 8 to 64 KiB. */
export const MAX_HEADER_BYTES = 64 * 1024;

export interface UpstreamOptions {
  /** True to accept any certificate of the service; false by default. */
  readonly isInsecure?: boolean | undefined;
}

interface OpenOptions {
  /** True to forward `Expect`. */
  readonly expects?: boolean;
  /** True to ask for a WebSocket. */
  readonly isWebSocket?: boolean;
}

export class Upstream {
  readonly #target: URL;
  readonly #agent: http.Agent;
  /** The path of the target, without a trailing slash. */
  readonly basePath: string;

  /** @param target the root of the service */
  constructor(target: URL, { isInsecure = false }: UpstreamOptions = {}) {
    this.#target = target;
    this.#agent =
      target.protocol === 'https:'
        ? new https.Agent({ keepAlive: true, rejectUnauthorized: !isInsecure })
        : new http.Agent({ keepAlive: true });
    this.basePath = target.pathname.replace(/\/+$/, '');
  }

  get origin(): string {
    return this.#target.origin;
  }

  /** @returns a request with the head of another, without body */
  open(
    request: http.IncomingMessage,
    { expects = false, isWebSocket = false }: OpenOptions = {},
  ): http.ClientRequest {
    const { protocol, hostname, port, host } = this.#target;
    const target = originForm(request.url ?? '');
    const opened = (protocol === 'https:' ? https : http).request({
      agent: this.#agent,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method: request.method,
      path: target === '*' ? '*' : this.basePath + target,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    opened.maxHeadersCount = 0;
    // Node would add Transfer-Encoding to a POST without a body.
    opened.useChunkedEncodingByDefault = false;
    const fields = [...gatewayFields(request, host, authorityOf(request)), ...framingOf(request)];
    for (const [key, same] of Map.groupBy(fields, ([name]) => name.toLowerCase())) {
      if (key === 'expect' && !expects) continue;
      const values = same.map(([, value]) => value);
      opened.setHeader(same[0]![0], values.length === 1 ? values[0]! : values);
    }
    if (isWebSocket) opened.setHeader('Connection', 'Upgrade').setHeader('Upgrade', 'websocket');
    return opened;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Node 24.9 can leave other protocols, such as `h2c`, to the ordinary requests. */
export const canUpgrade = isAtLeast(process.versions.node, 24, 9);

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Maximum wait for a client that is still sending after its response. */
const LINGER_MS = 1_000;

export function isHandshake({ headers }: Pick<http.IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/** @returns the error of a handshake that could carry another request (RFC 6455, section 4.1) */
export function handshakeError({ method, headers }: http.IncomingMessage): Problem | undefined {
  if (method !== 'GET') return malformedHttp('expected GET for a WebSocket');
  if (!isBodyExpected(headers)) return undefined;
  return malformedHttp('expected a WebSocket handshake without a body');
}

/** @returns a response on the connection of a handshake, which ends with it */
export function responseOn(request: http.IncomingMessage, socket: Duplex): http.ServerResponse {
  const response = new http.ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as typeof request.socket);
  response.on('finish', () => {
    response.detachSocket(socket as typeof request.socket);
    // A close with unread bytes would reset the connection before the client has the response.
    socket.end();
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  // The other side of a tunnel, or the response, ends with it.
  socket.on('error', () => socket.destroy());
  return response;
}

/** The connections between clients and the service, without validation. */
export class Tunnels {
  readonly #sockets = new Set<Duplex>();

  /**
   * @param head bytes that the client sent after the handshake
   * @param arrivedHead bytes that the service sent after its response
   */
  open(
    { request, response, head }: Accepting,
    service: Duplex,
    arrived: http.IncomingMessage,
    arrivedHead: Buffer,
  ): void {
    const client: Duplex = response.socket!;
    response.detachSocket(request.socket);
    const fields = [
      ['Connection', 'Upgrade'],
      ['Upgrade', arrived.headers.upgrade ?? 'websocket'],
      ...responseFields(arrived, request),
    ].map(([name, value]) => `${name}: ${value}\r\n`);
    client.write(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('')}\r\n`, 'latin1');
    if (arrivedHead.length > 0) client.write(arrivedHead);
    if (head.length > 0) service.write(head);
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      this.#sockets.add(from);
      pipeline(from, to, (error) => {
        this.#sockets.delete(from);
        if (error) for (const duplex of [client, service]) duplex.destroy();
      });
    }
  }

  /** Closes all connections: they have no end of their own. */
  close(): void {
    for (const duplex of this.#sockets) duplex.destroy();
  }
}

interface Accepting {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly head: Buffer;
}
