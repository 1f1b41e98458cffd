// The request of a handler; RequestOf has the exact types.
import { type Preconditions, preconditionsOf } from '../conditional/preconditions.ts';
import type { Exchange, Principal, RequestLog } from '../request/exchange.ts';
import type { StepParts } from './step.ts';

/** Where a request of a handler comes from. */
export interface RequestOrigin {
  readonly exchange: Exchange;
  readonly parts: StepParts;
}

/** @throws {TypeError} for another object, such as a copy of a request */
export let originOfRequest: (request: object) => RequestOrigin;

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
  readonly #parts: StepParts;

  static {
    originOfRequest = (request) => {
      if (!(#exchange in request)) throw new TypeError('expected the request of a handler');
      return { exchange: request.#exchange, parts: request.#parts };
    };
  }

  constructor(exchange: Exchange, parts: StepParts) {
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
    this.#parts = parts;
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
