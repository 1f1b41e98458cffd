// Calls the operations of a contract with requests that were converted from another contract.
import {
  chain,
  InvalidReply,
  type MaybePromise,
  type Operation,
  onceFor,
  Problem,
} from '@stubwright/contract';
import { InvalidMock } from '@stubwright/mock/mocked';
import { withTagOfReply } from '../conditional/representationTags.ts';
import { ConvertedExchange } from '../request/convertedExchange.ts';
import type { Exchange, ParsedBody } from '../request/exchange.ts';
import { violationsText } from '../request/violations.ts';
import { discardBody } from '../response/discardBody.ts';
import type { HandlerReply } from '../response/reply.ts';
import type { CallOperation, ConvertedRequest } from './convertedRequest.ts';
import type { ContextOf } from './engineOptions.ts';
import { operationById } from './router.ts';
import { expectReply } from './serializeReply.ts';
import { compiledSteps } from './servedOperation.ts';
import type { OperationStep, StepParts } from './step.ts';
import { STEPS } from './steps.ts';

type Call = (sent: Exchange, request: ConvertedRequest) => MaybePromise<HandlerReply>;

/** Nothing is compiled before the first call. */
export function convertedCalls(shared: StepParts): CallOperation {
  const { definition, contextOf } = shared;
  const parts: StepParts = {
    ...shared,
    // The time limit is that of the sent request.
    timeLimit: undefined,
    areConverted: true,
    contextOf: contextOf && sharedContext(contextOf),
  };
  // The context, if there is one, and the handler or the mock.
  const steps = STEPS.filter((step): step is OperationStep => 'runsConverted' in step);
  const callOf = onceFor((operationId: string) =>
    compiledCall(operationById(operationId, definition), parts, steps),
  );
  return (sent, operationId, request) => callOf(operationId)(sent, request);
}

function compiledCall(
  operation: Operation,
  parts: StepParts,
  steps: readonly OperationStep[],
): Call {
  const own = parts.replies.of(operation);
  const authorize = parts.security.authorizer(operation);
  const handle = compiledSteps(steps, operation, parts);
  const checked = (exchange: ConvertedExchange, result: unknown): HandlerReply => {
    // The handler was not called: nobody waits for its reply.
    if (exchange.timedOut !== undefined) exchange.signal.throwIfAborted();
    try {
      const reply = expectReply(operation, result);
      if (reply instanceof InvalidMock) {
        throw new InvalidReply(`${operation.operationId}: ${reply.violation}`);
      }
      return withTagOfReply(operation, own, own.check(reply, exchange));
    } catch (error) {
      discardBody(result);
      throw error;
    } finally {
      exchange.sent.violation ??= exchange.violation;
    }
  };
  return (sent, request) => {
    const exchange = new ConvertedExchange(sent, operation, request.headers);
    return chain(authorize?.(exchange), () => {
      accept(operation, exchange, request, parts);
      exchange.sent.isHandled = true;
      return chain(handle(exchange, undefined as never), (reply) => checked(exchange, reply));
    });
  };
}

/** Validates the request and sets its values. @throws {InvalidReply} */
function accept(
  operation: Operation,
  exchange: ConvertedExchange,
  request: ConvertedRequest,
  { requests }: StepParts,
): void {
  const reader = requests(operation);
  const { values, violations } = reader.parameters().accept(request);
  exchange.parameters = values;
  exchange.parsedBody = acceptedBody(operation, () =>
    reader.body().accept(request.mediaType, request.body),
  );
  const all = [...violations, ...exchange.parsedBody.violations()];
  if (all.length > 0) throw invalid(operation, violationsText(all));
}

function acceptedBody(operation: Operation, body: () => ParsedBody): ParsedBody {
  try {
    return body();
  } catch (error) {
    throw error instanceof Problem ? invalid(operation, error.message) : error;
  }
}

/** The client is not at fault: its request was valid before the conversion. */
function invalid({ operationId }: Operation, violation: string): InvalidReply {
  return new InvalidReply(
    `${operationId}: the converted request violates the contract: ${violation}`,
  );
}

/** One context for all operations that one sent request calls: they are one transaction. */
function sharedContext(contextOf: ContextOf<unknown>): ContextOf<unknown> {
  const contexts = new WeakMap<Exchange, unknown>();
  return (request) => {
    if (!(request instanceof ConvertedExchange)) return contextOf(request);
    if (!contexts.has(request.sent)) contexts.set(request.sent, contextOf(request));
    return contexts.get(request.sent);
  };
}
