// The router, as openapi-backend calls it. Its own is rebuilt and parses three times for each request.
import { type Document, OpenAPIRouter, type ParsedRequest, type Request } from 'openapi-backend';
import type { Exchange } from '../request/exchange.ts';
import type { Match, Router } from './router.ts';
import type { ServedOperation } from './servedOperation.ts';

export class PipelineRouter extends OpenAPIRouter {
  readonly #router: Router<ServedOperation>;

  constructor(definition: Document, router: Router<ServedOperation>) {
    super({ definition });
    this.#router = router;
  }

  /** Matches a request once: an adapter may match it before the pipeline. */
  match(exchange: Exchange): Match<ServedOperation> | undefined {
    exchange.match ??= this.#router.match(exchange.method, exchange.path);
    return exchange.match as Match<ServedOperation> | undefined;
  }

  /** openapi-backend distinguishes 404 from 405 by the error message. */
  override matchOperation(request: Request): ServedOperation {
    const exchange = request as Request & Exchange;
    const match = this.match(exchange);
    if (match === undefined) {
      exchange.allow = this.#router.allowed(exchange.path);
      throw new Error(exchange.allow.length === 0 ? '404-notFound' : '405-methodNotAllowed');
    }
    exchange.params = match.params;
    exchange.operation = match.operation.operation;
    return match.operation;
  }

  /** The exchange parses lazily. */
  override parseRequest(request: Request): ParsedRequest {
    return request as ParsedRequest;
  }
}
