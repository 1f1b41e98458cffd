// CORS around an engine (https://fetch.spec.whatwg.org/#http-cors-protocol), with or without mocks.

import { chain } from '@stubwright/contract';
import type { Exchange, HttpRequest } from '../request/exchange.ts';
import { nameIn } from '../response/headers.ts';
import type { HttpResponse } from '../response/reply.ts';
import type { CorsPolicy } from './corsPolicy.ts';
import type { Engine, EngineResponse } from './engineResponse.ts';
import type { Router } from './router.ts';
import type { ServedOperation } from './step.ts';

/** The policy for a request; undefined for none. */
export type PolicyOf = (exchange: Exchange) => CorsPolicy | undefined;

/** @returns the operation of a request, or of the request that a preflight announces */
export function requestedOperation(
  router: Router<ServedOperation>,
  exchange: Exchange,
): ServedOperation | undefined {
  const method = preflightMethod(exchange) ?? exchange.method;
  return router.match(method, exchange.path)?.operation;
}

/** Responds to preflight requests, and adds CORS headers to all other responses, also to errors. */
export function withCors(
  engine: Engine,
  router: Router<ServedOperation>,
  policyOf: PolicyOf,
): Engine {
  const preflightOf = (exchange: Exchange, policy: CorsPolicy): EngineResponse | undefined => {
    if (preflightMethod(exchange) === undefined) return undefined;
    const own = router.match('OPTIONS', exchange.path)?.operation;
    // The contract declares it, and the application handles it.
    if (own !== undefined && !own.isMocked) return undefined;
    const allowed = router.allowed(exchange.path);
    if (allowed.length === 0) return undefined;
    const methods = own ? allowed : allowed.filter((each) => each !== 'OPTIONS');
    const requested = requestedOperation(router, exchange);
    const names = policy.requestHeaders(requested?.operation, exchange);
    const { maxAgeSeconds } = policy;
    const headers = {
      'Access-Control-Allow-Methods': methods.join(', '),
      ...(names !== '' && { 'Access-Control-Allow-Headers': names }),
      ...(maxAgeSeconds !== undefined && { 'Access-Control-Max-Age': String(maxAgeSeconds) }),
    };
    // Without the permission of the origin, a browser ignores the others.
    const isPermitted = policy.allowOrigin(exchange.headers.origin!) !== undefined;
    const sent = isPermitted ? headers : { Allow: allowed.join(', ') };
    return { status: 204, headers: sent, body: undefined, route: undefined, cause: undefined };
  };
  const finish = (exchange: Exchange, policy: CorsPolicy, response: EngineResponse) => {
    return { ...response, headers: corsHeaders(exchange, policy, response.headers) };
  };
  return {
    ...engine,
    async handle(exchange) {
      const policy = policyOf(exchange);
      if (policy === undefined) return engine.handle(exchange);
      const response = preflightOf(exchange, policy) ?? (await engine.handle(exchange));
      return finish(exchange, policy, response);
    },
    match(exchange) {
      const policy = policyOf(exchange);
      const isPreflight = policy !== undefined && preflightOf(exchange, policy) !== undefined;
      return isPreflight ? 'operation' : engine.match(exchange);
    },
    reject(error, exchange) {
      const rejected = engine.reject(error, exchange);
      const policy = exchange && policyOf(exchange);
      if (policy === undefined) return rejected;
      return chain(rejected, (response) => finish(exchange!, policy, response));
    },
  };
}

/** @returns the method that a preflight request announces; undefined for another request */
function preflightMethod({ method, headers }: HttpRequest): string | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined;
  return [headers['access-control-request-method'] ?? []].flat()[0];
}

/** Always readable for scripts (https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name), or never. */
const NOT_EXPOSED = new Set([
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires'],
  ...['last-modified', 'pragma', 'set-cookie', 'vary', 'connection'],
]);

function corsHeaders(
  { headers: { origin }, method }: HttpRequest,
  policy: CorsPolicy,
  headers: HttpResponse['headers'],
): HttpResponse['headers'] {
  const all = policy.varies ? withVary(headers) : headers;
  const names = Object.keys(headers);
  const allowed = origin === undefined ? undefined : policy.allowOrigin(origin);
  // The reply of a handler may have CORS headers of its own.
  const isOwn = nameIn(headers, 'access-control-allow-origin') !== undefined;
  if (allowed === undefined || isOwn) return all;
  const exposed = names.filter((name) => {
    const lower = name.toLowerCase();
    return !NOT_EXPOSED.has(lower) && !lower.startsWith('access-control-');
  });
  return {
    ...all,
    'Access-Control-Allow-Origin': allowed,
    ...(policy.hasCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
    ...(exposed.length > 0 &&
      method !== 'OPTIONS' && { 'Access-Control-Expose-Headers': exposed.join(', ') }),
  };
}

/** Caches must not send the response to one origin to another one. */
function withVary(headers: HttpResponse['headers']): HttpResponse['headers'] {
  const name = nameIn(headers, 'vary') ?? 'Vary';
  const value = headers[name];
  if (value === undefined) return { ...headers, Vary: 'Origin' };
  const isListed = /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(value);
  return isListed ? headers : { ...headers, [name]: `${value}, Origin` };
}
