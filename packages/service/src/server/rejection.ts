// Sends error responses for input that Node's HTTP parser rejects, in pipeline order.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  headersTooLarge,
  malformedHttp,
  notImplemented,
  type Problem,
  requestTimeout,
  uriTooLong,
  versionNotSupported,
} from '@stubwright/contract';
import type { HttpResponse } from 'stubwright/internals';
import { STATUS_CODES } from '../nodeHttp.ts';
import { closeGently } from './closing.ts';

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

/** An error of Node's HTTP parser. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** @returns the HTTP error for an error of Node's parser */
export function problemOf(
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
export function reject(
  socket: Socket,
  { status, headers, body }: HttpResponse,
  lingerMs: number,
): void {
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
