// Calls the operations of a contract with requests that were converted from another contract.
import {
  chain,
  InvalidReply,
  type MaybePromise,
  type Operation,
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
import { expectReply } from './serializeReply.ts';
import { compiledSteps } from './servedOperation.ts';
import type { OperationStep, RequestSteps, Run, StepParts } from './step.ts';

type Call = (sent: Exchange, request: ConvertedRequest) => MaybePromise<HandlerReply>;

/** The operations of one contract. Nothing is compiled before the first call. */
export class ConvertedCalls {
  readonly #parts: StepParts;
  readonly #steps: RequestSteps;
  readonly #calls = new Map<string, Call>();

  constructor(parts: StepParts, steps: RequestSteps) {
    const { contextOf } = parts;
    // The time limit is that of the sent request.
    this.#parts = {
      ...{ ...parts, timeLimit: undefined, areConverted: true },
      contextOf: contextOf && once(contextOf),
    };
    this.#steps = steps;
  }

  readonly call: CallOperation = (sent, operationId, request) =>
    this.#operation(operationId)(sent, request);

  #operation(operationId: string): Call {
    const known = this.#calls.get(operationId);
    if (known !== undefined) return known;
    const { operations } = this.#parts.definition;
    const operation = operations.find((each) => each.operationId === operationId);
    if (operation === undefined)
      throw new TypeError(`the contract has no operation ${operationId}`);
    const call = this.#compile(operation);
    this.#calls.set(operationId, call);
    return call;
  }

  #compile(operation: Operation): Call {
    const { security, replies } = this.#parts;
    const own = replies.of(operation);
    const authorize = security.authorizer(operation);
    const handle = this.#handlerSteps(operation);
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
        this.#accept(operation, exchange, request);
        exchange.sent.isHandled = true;
        return chain(handle(exchange, undefined as never), (reply) => checked(exchange, reply));
      });
    };
  }

  /** The context, if there is one, and the handler or the mock. */
  #handlerSteps(operation: Operation): Run {
    const steps = this.#steps.filter(
      (step): step is OperationStep => 'runsConverted' in step && step.runsConverted === true,
    );
    return compiledSteps(steps, operation, this.#parts);
  }

  /** Validates the request and sets its values. @throws {InvalidReply} */
  #accept(operation: Operation, exchange: ConvertedExchange, request: ConvertedRequest): void {
    const reader = this.#parts.requests.of(operation);
    const { values, violations } = reader.parameters.accept(request);
    exchange.parameters = values;
    exchange.parsedBody = acceptedBody(operation, () =>
      reader.body.accept(request.mediaType, request.body),
    );
    const all = [...violations, ...exchange.parsedBody.violations()];
    if (all.length > 0) throw invalid(operation, violationsText(all));
  }
}

function acceptedBody(operation: Operation, accept: () => ParsedBody): ParsedBody {
  try {
    return accept();
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
function once(contextOf: ContextOf<unknown>): ContextOf<unknown> {
  const contexts = new WeakMap<Exchange, unknown>();
  return (request) => {
    if (!(request instanceof ConvertedExchange)) return contextOf(request);
    if (!contexts.has(request.sent)) contexts.set(request.sent, contextOf(request));
    return contexts.get(request.sent);
  };
}
