// Refuses bytes that never become a request, after the answers that are owed before them.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import {
  headersTooLarge,
  malformedHttp,
  notImplemented,
  type Problem,
  requestTimeout,
  uriTooLong,
  versionNotSupported,
} from '../errors/problem.ts';
import { closeGently } from './closing.ts';

/** The request that a connection sent last. */
export interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer that goes out before this one. */
  readonly before: ServerResponse | undefined;
}

/** Node may report the end of a request after its answer was sent. */
export function isDone(turn: Turn | undefined): boolean {
  return turn === undefined || (turn.request.complete && turn.response.writableFinished);
}

/**
 * Refuses what a connection sent last, once the answers that are owed before are sent. A request
 * that was answered before it broke gets no second answer: its connection closes.
 */
export function afterOwed(turn: Turn | undefined, socket: Socket, refuse: () => void): void {
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

/** What Node adds to an error of its parser. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

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

/** True where the first line of a request alone takes more bytes than all headers may have. */
function hasLongTarget(bytes: Buffer | undefined, maxHeaderBytes: number): boolean {
  const start = bytes?.toString('latin1', 0, maxHeaderBytes) ?? '';
  return /^[A-Z]+ [^ \n]+$/.test(start);
}

export function refuse(socket: Socket, problem: Problem, lingerMs: number): void {
  if (socket.writableEnded) return;
  const body = problem.toBody();
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/json',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  closeGently(socket, lingerMs);
}
