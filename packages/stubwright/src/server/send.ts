// Writes a response to a socket of Node's HTTP server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { HttpResponse } from '../response/reply.ts';

/** Up to this size, discarding the body of a rejected request costs less than a new connection. */
const DISCARDED_BODY_BYTES = 64 * 1024;

const NO_SNIFF = { 'X-Content-Type-Options': 'nosniff' };

/** Closes the connection after the response if `closes`, or if the request body is not read. */
export function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: HttpResponse,
  closes: boolean,
): void {
  const isStream = body instanceof Readable;
  const length =
    isStream || body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const isUnread = !req.complete && !isSmall(req);
  // Node then sends `Connection: close`.
  if (closes || isUnread || status === 413 || 'Connection' in headers) res.shouldKeepAlive = false;
  res.writeHead(status, { ...NO_SNIFF, ...headers, ...length });
  if (isStream) pipeBody(body, req, res);
  else res.end(body);
}

/** A stream that fails destroys the connection: the client must not take a partial body for a complete one. */
function pipeBody(body: Readable, { method }: IncomingMessage, res: ServerResponse): void {
  if (method !== 'HEAD') {
    pipeline(body, res, () => {});
    return;
  }
  body.destroy();
  res.end();
}

/** True for a body whose unread rest is discarded, with the connection kept open. */
function isSmall({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= DISCARDED_BODY_BYTES;
}
