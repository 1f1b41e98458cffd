// What requests for mocked operations may do in addition: choose a response in their query.
import { withQueryPreferences } from '../mock/prefer.ts';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import type { Router } from './router.ts';
import type { ServedOperation } from './step.ts';

/** A response, with properties for the log. */
interface LoggedResponse extends HttpResponse {
  readonly route: string | undefined;
  readonly cause: unknown;
}

/** The `handle` of an engine. */
type Handle = (exchange: Exchange) => Promise<LoggedResponse>;

/** Reads the preferences in the query of requests for mocked operations. */
export function withPreferences(handle: Handle, router: Router<ServedOperation>): Handle {
  return (exchange) => {
    if (!exchange.queryText.includes('__')) return handle(exchange);
    const served = router.match(exchange.method, exchange.path)?.operation;
    if (served === undefined || !served.isMocked) return handle(exchange);
    const declared = served.operation.parameters.filter(({ node }) => node.in === 'query');
    const names = new Set<string>(declared.map(({ node }) => node.name));
    return handle(withQueryPreferences(exchange, names));
  };
}
