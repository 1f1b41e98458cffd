// Calls the handler of an operation, or its mock, and serializes the reply.
import { Readable } from 'node:stream';
import type { Context as BackendContext, HandlerMap } from 'openapi-backend';
import type { Operation } from '../document/definition.ts';
import { isThenable, shown } from '../errors/thrown.ts';
import { BestEffort } from '../mock/mocked.ts';
import type { ContextRequest, Exchange } from '../request/exchange.ts';
import {
  type HandlerReply,
  type HttpResponse,
  InvalidReply,
  type Replies,
} from '../response/reply.ts';
import type { Preparation } from '../schema/preparation.ts';
import { type CompiledOperation, requestOf } from './compiledOperation.ts';

type MaybePromise<T> = T | Promise<T>;

/** A handler of any operation; HandlersOf has the exact types. */
export type AnyHandler<Context> = (request: never, context: Context) => unknown;

/** Creates the second argument of a handler. */
export type ContextOf<Context> = (request: ContextRequest<never>) => Context | PromiseLike<Context>;

/** Calls a handler. Its result has any type: applications in JavaScript have no types. */
export type Handle = (exchange: Exchange) => unknown;

export interface OperationHandlersOptions {
  readonly compiled: Iterable<CompiledOperation>;
  readonly preparation: Preparation;
  readonly replies: Replies;
  readonly handleOf: (operation: Operation) => Handle;
}

/** @returns the handlers for openapi-backend */
export function operationHandlers(options: OperationHandlersOptions): HandlerMap {
  const { compiled, preparation, replies, handleOf } = options;
  const entries = Array.from(compiled, ({ operation, backendOperation }) => {
    const handle = handleOf(operation);
    const respond = (exchange: Exchange, result: unknown): MaybePromise<HttpResponse> => {
      const reply = replyOf(operation, result);
      const report = (violation: Error) => {
        exchange.violation = violation;
      };
      if (reply instanceof BestEffort) {
        report(new InvalidReply(`${operation.operationId}: ${reply.violation}`));
        return reply.toHttpResponse();
      }
      const write = () => serialized(replies, operation, reply, report);
      const prepared = preparation.response(operation, reply.status);
      return prepared === undefined ? write() : prepared.then(write);
    };
    const handleAndRespond = (_context: BackendContext, exchange: Exchange) => {
      const result = handle(exchange);
      return isThenable(result)
        ? Promise.resolve(result).then((each) => respond(exchange, each))
        : respond(exchange, result);
    };
    return [backendOperation.operationId, handleAndRespond];
  });
  return Object.fromEntries(entries);
}

/** Calls a handler of the application with its context. */
export function withContext<Context>(
  handler: AnyHandler<Context>,
  contextOf: ContextOf<Context> | undefined,
): Handle {
  const call = handler as (request: unknown, context: Context) => unknown;
  if (contextOf === undefined) return (exchange) => call(requestOf(exchange), undefined as Context);
  return (exchange) => {
    const context = contextOf(exchange as Exchange<never>);
    return isThenable(context)
      ? Promise.resolve(context).then((each) => call(requestOf(exchange), each as Context))
      : call(requestOf(exchange), context);
  };
}

/** @throws {InvalidReply} for a result that is not a reply */
function replyOf({ operationId }: Operation, result: unknown): HandlerReply | BestEffort {
  if (isReply(result)) return result;
  throw new InvalidReply(`${operationId} returned ${shown(result)}, expected {status, …}`);
}

function isReply(result: unknown): result is HandlerReply | BestEffort {
  if (typeof result !== 'object' || result === null) return false;
  return Number.isInteger((result as Partial<HandlerReply>).status);
}

/** Closes the stream of a reply that is not sent. */
function serialized(
  replies: Replies,
  operation: Operation,
  reply: HandlerReply,
  report: (violation: Error) => void,
): HttpResponse {
  try {
    return replies.serialize(operation, reply, report);
  } catch (error) {
    discardBody(reply);
    throw error;
  }
}

function discardBody(reply: HandlerReply): void {
  try {
    const { body } = reply;
    if (body instanceof Readable) body.on('error', () => {}).destroy();
  } catch {
    // The reply has a getter that throws.
  }
}
