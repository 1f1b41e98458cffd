// CORS for mocked operations, from any origin (https://fetch.spec.whatwg.org/#http-cors-protocol).
import type { HttpRequest } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';

/** @returns the method of the request, or of the request that a preflight announces */
export function requestedMethod(request: HttpRequest): string {
  return preflightMethod(request) ?? request.method;
}

/** @returns the response to a preflight request; undefined for other requests */
export function preflightResponse(request: HttpRequest): HttpResponse | undefined {
  const method = preflightMethod(request);
  if (method === undefined) return undefined;
  const requestedHeaders = [request.headers['access-control-request-headers'] ?? []]
    .flat()
    .join(', ');
  const headers = {
    'Access-Control-Allow-Methods': method,
    ...(requestedHeaders !== '' && { 'Access-Control-Allow-Headers': requestedHeaders }),
  };
  return { status: 204, headers, body: undefined };
}

/** @returns the headers with the CORS headers for the origin of the request */
export function withCorsHeaders(
  { headers: { origin } }: HttpRequest,
  headers: HttpResponse['headers'],
): HttpResponse['headers'] {
  if (origin === undefined) return headers;
  const names = Object.keys(headers).join(', ');
  return {
    ...headers,
    // `*` would exclude credentials.
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
