// The reply of a handler as a response.
import { InvalidReply, type Operation, shown } from '@stubwright/contract';
import { InvalidMock } from '@stubwright/mock/mocked';
import type { Exchange } from '../request/exchange.ts';
import { discardBody } from '../response/discardBody.ts';
import type { HandlerReply, HttpResponse, OperationReplies } from '../response/reply.ts';

/**
 * @param result of the handler, of any type
 * @throws {InvalidReply} for a result that is not a reply, or violates the contract
 */
export function serializeReply(
  operation: Operation,
  replies: OperationReplies,
  exchange: Exchange,
  result: unknown,
): HttpResponse {
  const reply = expectReply(operation, result);
  if (reply instanceof InvalidMock) {
    exchange.violation = new InvalidReply(`${operation.operationId}: ${reply.violation}`);
    return reply.toHttpResponse();
  }
  try {
    return replies.serialize(reply, exchange);
  } catch (error) {
    // The stream of a reply that is not sent.
    discardBody(result);
    throw error;
  }
}

/** @throws {InvalidReply} for a result that is not a reply */
export function expectReply(
  { operationId }: Operation,
  result: unknown,
): HandlerReply | InvalidMock {
  if (isReply(result)) return result;
  throw new InvalidReply(`${operationId} returned ${shown(result)}, expected {status, …}`);
}

function isReply(result: unknown): result is HandlerReply | InvalidMock {
  if (typeof result !== 'object' || result === null) return false;
  return Number.isInteger((result as Partial<HandlerReply>).status);
}
