// Refuses bytes that never become a request, after the answers that are owed before them.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { closeGently } from './closing.ts';
import {
  headersTooLarge,
  malformedHttp,
  type Problem,
  requestTimeout,
} from './contract/problem.ts';

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

export function problemOf({ code }: NodeJS.ErrnoException): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    default:
      return malformedHttp('expected an HTTP/1.1 request');
  }
}

export function refuse(socket: Socket, problem: Problem, lingerMs: number): void {
  if (socket.writableEnded) return;
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
  closeGently(socket, lingerMs);
}
