// Cross-origin requests to mocked operations (https://fetch.spec.whatwg.org/#http-cors-protocol): a page
// of any origin may send them, as it may to Prism.
import type { HttpRequest } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';

/** @returns the method that the request, or the one that a preflight announces, has */
export function announcedMethod(request: HttpRequest): string {
  return preflightMethod(request) ?? request.method;
}

/** @returns the reply to a preflight request; undefined for any other request */
export function preflightReply(request: HttpRequest): HttpResponse | undefined {
  const method = preflightMethod(request);
  if (method === undefined) return undefined;
  const asked = [request.headers['access-control-request-headers'] ?? []].flat().join(', ');
  const headers = {
    'Access-Control-Allow-Methods': method,
    ...(asked !== '' && { 'Access-Control-Allow-Headers': asked }),
  };
  return { status: 204, headers, body: undefined };
}

/** @returns the headers of a reply and those that let a page of the request's origin read it */
export function readableHeaders(
  { headers: { origin } }: HttpRequest,
  headers: HttpResponse['headers'],
): HttpResponse['headers'] {
  if (origin === undefined) return headers;
  const names = Object.keys(headers).join(', ');
  return {
    ...headers,
    // Not `*`, which does not allow credentials.
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    ...(names !== '' && { 'Access-Control-Expose-Headers': names }),
    Vary: 'Origin',
  };
}

function preflightMethod({ method, headers }: HttpRequest): string | undefined {
  return method === 'OPTIONS'
    ? [headers['access-control-request-method'] ?? []].flat()[0]
    : undefined;
}
