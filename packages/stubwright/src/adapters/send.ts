// Writes a response to a socket of Node's HTTP server.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  expectationFailed,
  malformedHttp,
  notImplemented,
  Problem,
  versionNotSupported,
} from '@stubwright/contract';
import { isAbortError } from '../request/exchange.ts';
import { headerLines, WITHOUT_BODY } from '../response/compiledResponse.ts';
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

/** RFC 9110, section 7.2: a host and an optional port, without user, path or white space. */
const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** @returns the error of a request that a handler must not receive, which closes the connection */
export function headerError(req: IncomingMessage): Problem | undefined {
  const framing = framingError(req);
  if (framing !== undefined) return framing;
  const { headers, httpVersion, rawHeaders } = req;
  const isMet = httpVersion === '1.0' || /^100-continue$/i.test(headers.expect ?? '100-continue');
  if (!isMet) return closing(expectationFailed());
  let host = 0;
  let authorization = 0;
  let contentType = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Fast path: most header names have another length.
    const { length } = rawHeaders[at]!;
    if (length !== 4 && length !== 12 && length !== 13) continue;
    const name = rawHeaders[at]!.toLowerCase();
    if (name === 'host') host++;
    else if (name === 'authorization') authorization++;
    else if (name === 'content-type') contentType++;
  }
  if (host > 1) return closing(malformedHttp('expected one Host header'));
  if (authorization > 1) return closing(malformedHttp('expected one Authorization header'));
  return contentType > 1 ? closing(malformedHttp('expected one Content-Type header')) : undefined;
}

/** @returns the error of a request that no recipient may accept: version, host, transfer coding */
export function framingError({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  const codings = headers['transfer-encoding'];
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return closing(versionNotSupported());
  if (httpVersion === '1.1' && headers.host === undefined) {
    return closing(malformedHttp('expected a Host header'));
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return closing(malformedHttp('expected a host in the Host header'));
  }
  // RFC 9112, section 6.1: HTTP/1.0 has no Transfer-Encoding, so such a request has faulty framing.
  if (codings !== undefined && (httpVersion !== '1.1' || !/^chunked$/i.test(codings))) {
    return closing(
      httpVersion === '1.1' && /(?:^|,)[ \t]*chunked$/i.test(codings)
        ? notImplemented('Transfer-Encoding chunked or none')
        : malformedHttp('expected Transfer-Encoding chunked or none'),
    );
  }
  return undefined;
}

/** The connection closes: the framing of further requests is uncertain. */
function closing(error: Problem): Problem {
  return new Problem(error.status, error.message, {
    number: error.number,
    headers: { ...error.headers, Connection: 'close' },
  });
}

/** @returns `http://127.0.0.1:3000`, `http://[::1]:3000` */
export function originOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
