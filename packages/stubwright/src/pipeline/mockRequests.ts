// What requests for mocked operations may do in addition: choose a response, and come from any origin.
import { preflightResponse, requestedMethod, withCorsHeaders } from '../mock/cors.ts';
import { withQueryPreferences } from '../mock/prefer.ts';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import type { Router } from './router.ts';
import type { ServedOperation } from './servedOperation.ts';

/** A response, with properties for the log. */
interface LoggedResponse extends HttpResponse {
  readonly route: string | undefined;
  readonly cause: unknown;
}

/** The `handle` of an engine. */
type Handle = (exchange: Exchange) => Promise<LoggedResponse>;

export interface MockedOperations {
  readonly router: Router<ServedOperation>;
  /** True if every operation is mocked; then CORS also applies to unknown paths. */
  readonly areAllMocked: boolean;
}

/** Reads the preferences in the query of requests for mocked operations. */
export function withPreferences(handle: Handle, { router }: MockedOperations): Handle {
  return (exchange) => {
    if (!exchange.queryText.includes('__')) return handle(exchange);
    const served = router.match(exchange.method, exchange.path)?.operation;
    if (served === undefined || !served.isMocked) return handle(exchange);
    const declared = served.operation.parameters.filter(({ node }) => node.in === 'query');
    const names = new Set<string>(declared.map(({ node }) => node.name));
    return handle(withQueryPreferences(exchange, names));
  };
}

/** Enables CORS from any origin for mocked operations. */
export function withCors(handle: Handle, { router, areAllMocked }: MockedOperations): Handle {
  const allowsCors = (exchange: Exchange) => {
    const served = router.match(requestedMethod(exchange), exchange.path)?.operation;
    return served === undefined ? areAllMocked : served.isMocked;
  };
  return async (exchange) => {
    const { origin } = exchange.headers;
    if (origin === undefined || !allowsCors(exchange)) return handle(exchange);
    const preflight = preflightResponse(exchange);
    const response =
      preflight === undefined
        ? await handle(exchange)
        : { ...preflight, route: undefined, cause: undefined };
    return { ...response, headers: withCorsHeaders(exchange, response.headers) };
  };
}
