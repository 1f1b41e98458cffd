// Writes a response to a socket of Node's HTTP server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { isAbortError } from '../request/exchange.ts';
import { headerLines, WITHOUT_BODY } from '../response/headers.ts';
import type { HttpResponse } from '../response/reply.ts';

/** Up to this size, discarding the body of a rejected request costs less than a new connection. */
const DISCARDED_BODY_BYTES = 64 * 1024;

const NO_SNIFF = { 'X-Content-Type-Options': 'nosniff' };

/**
 * Closes the connection after the response if `closes`, or if the request body is not read.
 *
 * @param report called if a stream fails after its first chunk
 */
export function sendResponse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: HttpResponse,
  closes: boolean,
  report: (error: Error) => void = () => {},
): void {
  const lines = headerLines(headers);
  const isUnread = !req.complete && !isSmall(req);
  // Node then sends `Connection: close`.
  if (closes || isUnread || status === 413 || 'Connection' in headers) res.shouldKeepAlive = false;
  if (body instanceof Readable) {
    res.writeHead(status, { ...NO_SNIFF, ...lines });
    // The first item of a sequence may be late.
    if (body.readableLength === 0 && req.method !== 'HEAD') res.flushHeaders();
    pipeBody({ headers, body }, req, res, report);
  } else if (WITHOUT_BODY.has(status)) {
    res.writeHead(status, { ...NO_SNIFF, ...lines });
    res.end();
  } else {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    res.writeHead(status, { ...NO_SNIFF, ...lines, ...length });
    res.end(body);
  }
}

/** A stream that fails destroys the connection: the client must not take a partial body for a complete one. */
function pipeBody(
  { headers, body }: { readonly headers: HttpResponse['headers']; readonly body: Readable },
  { method }: IncomingMessage,
  res: ServerResponse,
  report: (error: Error) => void,
): void {
  if (method === 'HEAD' || WITHOUT_BODY.has(res.statusCode)) {
    body.destroy();
    res.end();
    return;
  }
  const fail = (error: Error) => {
    const isAborted = isAbortError(error);
    // The handler ends its events when the signal of the request is aborted.
    if (isAborted && sendsEvents(headers)) res.end();
    else res.destroy();
    if (!isAborted) report(error);
  };
  if (body.errored !== null) fail(body.errored);
  else body.once('error', fail).pipe(res);
  res.once('close', () => body.destroy());
}

export function sendsEvents(headers: HttpResponse['headers']): boolean {
  return headers['Content-Type']?.toLowerCase().startsWith('text/event-stream') ?? false;
}

/** True for a body whose unread rest is discarded, with the connection kept open. */
function isSmall({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= DISCARDED_BODY_BYTES;
}
