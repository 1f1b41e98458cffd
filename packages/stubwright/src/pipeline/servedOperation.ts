// One operation with its handler: the steps of a request, in the order of their calls.

import { Readable } from 'node:stream';
import {
  chain,
  isThenable,
  type MaybePromise,
  type Operation,
  shown,
  unavailable,
} from '@stubwright/contract';
import { InvalidMock } from '../mock/mocked.ts';
import type { ContextRequest, Exchange, Principal, RequestLog } from '../request/exchange.ts';
import {
  type HandlerReply,
  type HttpResponse,
  InvalidReply,
  type OperationReplies,
  type Replies,
} from '../response/reply.ts';
import { type Disposal, isDisposable } from './disposal.ts';
import { type RequestContext, RequestSteps } from './requestSteps.ts';
import type { Limited, TimeLimit } from './timeLimit.ts';

/** A handler of any operation; HandlersOf has the exact types. */
export type AnyHandler<Context> = (request: never, context: Context) => unknown;

/** Creates the second argument of a handler. */
export type ContextOf<Context> = (request: ContextRequest<never>) => Context | PromiseLike<Context>;

/** Calls a handler. Its result has any type: applications in JavaScript have no types. */
export type Handle = (exchange: Exchange) => unknown;

/** Throws a Problem to reject the request of a caller. */
export type Admit = (principal: Principal) => Promise<void>;

export interface ServedOperationOptions {
  readonly handle: Handle;
  readonly isMocked: boolean;
  readonly admit: Admit | undefined;
  readonly replies: Replies;
  /** For each of authentication and handler; undefined for no limit. */
  readonly timeLimit: TimeLimit | undefined;
  readonly disposal: Disposal;
  /** Called with an error that does not change a response. */
  readonly report: (error: Error) => void;
}

export class ServedOperation extends RequestSteps {
  /** For openapi-backend; the space prevents a collision with the names of its hooks. */
  readonly operationId: string;
  readonly responses = {};
  readonly isMocked: boolean;
  readonly #options: ServedOperationOptions;
  readonly #admit: Admit | undefined;
  readonly #replies: OperationReplies;
  readonly #authentication: Limited<Exchange>;
  readonly #handler: Limited<Exchange>;

  constructor(operation: Operation, context: RequestContext, options: ServedOperationOptions) {
    super(operation, context);
    this.operationId = `operation ${operation.operationId}`;
    this.isMocked = options.isMocked;
    this.#options = options;
    this.#admit = options.admit;
    this.#replies = options.replies.of(operation);
    const { disposal } = options;
    this.#authentication = this.#limited('authentication');
    this.#handler = {
      ...this.#limited('the handler'),
      isArriving,
      // The handler may still use its context.
      discard(reply, exchange) {
        discardBody(reply);
        void disposal.failed(exchange, exchange.timedOut);
      },
      report(error, exchange) {
        if (!exchange.isAbort(error)) options.report(error);
        void disposal.failed(exchange, exchange.timedOut);
      },
    };
  }

  override authorize(exchange: Exchange): MaybePromise<void> {
    return this.#inTime(
      super.authorize(exchange),
      exchange,
      this.#authentication,
    ) as MaybePromise<void>;
  }

  /** Calls the handler, or the mock. Its result has any type. */
  handle(exchange: Exchange): unknown {
    return this.#inTime(this.#options.handle(exchange), exchange, this.#handler);
  }

  /** @param result perhaps a promise */
  #inTime(result: unknown, exchange: Exchange, limited: Limited<Exchange>): unknown {
    const { timeLimit } = this.#options;
    if (timeLimit === undefined || !isThenable(result)) return result;
    return timeLimit.settled(result, exchange, limited);
  }

  /** @param step for the log */
  #limited(step: string): Limited<Exchange> {
    const { operationId } = this.operation;
    return {
      isArriving: () => false,
      timedOut(timeoutMs, exchange) {
        const cause = new Error(`${operationId}: ${step} did not settle within ${timeoutMs} ms`);
        exchange.timedOut = unavailable('the request was not handled in time', 1, cause);
        exchange.abort('the request was not handled in time');
        return exchange.timedOut;
      },
      discard() {},
      report: (error, exchange) => {
        if (!exchange.isAbort(error)) this.#options.report(error);
      },
    };
  }

  /** Applies the rate limit of an authenticated caller. */
  admit({ principal }: Exchange): MaybePromise<void> {
    if (this.#admit !== undefined && principal !== undefined) return this.#admit(principal);
  }

  /**
   * @param result of the handler
   * @throws {InvalidReply} for a result that is not a reply, or violates the contract
   */
  serialize(exchange: Exchange, result: unknown): HttpResponse {
    const reply = this.#replyOf(result);
    if (reply instanceof InvalidMock) {
      exchange.violation = new InvalidReply(`${this.operation.operationId}: ${reply.violation}`);
      return reply.toHttpResponse();
    }
    try {
      return this.#replies.serialize(reply, exchange);
    } catch (error) {
      // The stream of a reply that is not sent.
      discardBody(reply);
      throw error;
    }
  }

  /** @throws {InvalidReply} for a result that is not a reply */
  #replyOf(result: unknown): HandlerReply | InvalidMock {
    if (isReply(result)) return result;
    const { operationId } = this.operation;
    throw new InvalidReply(`${operationId} returned ${shown(result)}, expected {status, …}`);
  }
}

/** A client may send a body for longer than a handler may take. */
function isArriving({ parsedBody, body }: Exchange): boolean {
  return parsedBody.isStream === true && body.isArriving?.() === true;
}

/** The context of a handler: created for each request, or the same services for all. */
export interface HandlerContext<Context> {
  readonly context?: ContextOf<Context> | undefined;
  readonly services?: Context | undefined;
}

/** @returns a call of a handler of the application, with its context */
export function withContext<Context>(
  handler: AnyHandler<Context>,
  { context: contextOf, services }: HandlerContext<Context>,
): Handle {
  const call = handler as (request: unknown, context: Context) => unknown;
  return (exchange) => {
    exchange.isHandled = true;
    if (contextOf === undefined) return call(new HandlerRequest(exchange), services as Context);
    return chain(contextOf(exchange as Exchange<never>), (context) => {
      // Shared services outlive the request.
      if (context !== services && isDisposable(context)) exchange.context = context;
      if (exchange.timedOut !== undefined) return undefined;
      return call(new HandlerRequest(exchange), context as Context);
    });
  };
}

/** The request of a handler; RequestOf has the exact types. */
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

  get log(): RequestLog {
    return this.#exchange.log;
  }
}

function isReply(result: unknown): result is HandlerReply | InvalidMock {
  if (typeof result !== 'object' || result === null) return false;
  return Number.isInteger((result as Partial<HandlerReply>).status);
}

/** @param reply of any type */
function discardBody(reply: unknown): void {
  try {
    const { body } = reply as HandlerReply;
    if (body instanceof Readable) body.on('error', () => {}).destroy();
  } catch {
    // The reply has a getter that throws.
  }
}
