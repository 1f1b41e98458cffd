// The request of a handler; RequestOf has the exact types.
import { type Preconditions, preconditionsOf } from '../conditional/preconditions.ts';
import type { Exchange, Principal, RequestLog } from '../request/exchange.ts';

export class HandlerRequest {
  // Declared only: a class would first define each as undefined.
  declare readonly path: unknown;
  declare readonly query: unknown;
  declare readonly header: unknown;
  declare readonly cookie: unknown;
  declare readonly mediaType: string | undefined;
  declare readonly principal: Principal | undefined;
  declare readonly principals: Exchange['principals'];
  declare readonly body: unknown;
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    const { parameters, parsedBody } = exchange;
    this.path = parameters.path;
    this.query = parameters.query;
    this.header = parameters.header;
    this.cookie = parameters.cookie;
    this.mediaType = parsedBody.mediaType;
    this.principal = exchange.principal;
    this.principals = exchange.principals;
    this.body = parsedBody.coerced();
    this.#exchange = exchange;
  }

  get address(): string | undefined {
    return this.#exchange.address;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get lastEventId(): string | undefined {
    return this.#exchange.headers['last-event-id']?.toString();
  }

  get preconditions(): Preconditions | undefined {
    return preconditionsOf(this.#exchange);
  }

  get log(): RequestLog {
    return this.#exchange.log;
  }
}
