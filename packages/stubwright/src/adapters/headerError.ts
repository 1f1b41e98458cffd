// Validates the headers that frame and route a request, before the engine receives it.

import type { IncomingMessage } from 'node:http';
import {
  expectationFailed,
  malformedHttp,
  notImplemented,
  Problem,
  versionNotSupported,
} from '@stubwright/contract';

/** RFC 9110, section 7.2: a host and an optional port, without user, path or white space. */
const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** @returns the error of a request that a handler must not receive, which closes the connection */
export function headerError(req: IncomingMessage): Problem | undefined {
  return framingError(req) ?? expectationError(req) ?? repeatedHeader(req);
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

function expectationError({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  const isMet = httpVersion === '1.0' || /^100-continue$/i.test(headers.expect ?? '100-continue');
  return isMet ? undefined : closing(expectationFailed());
}

function repeatedHeader({ rawHeaders }: IncomingMessage): Problem | undefined {
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

/** The connection closes: the framing of further requests is uncertain. */
function closing(error: Problem): Problem {
  return new Problem(error.status, error.message, {
    number: error.number,
    headers: { ...error.headers, Connection: 'close' },
  });
}
