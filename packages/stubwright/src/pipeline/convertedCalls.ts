// Calls the operations of a contract with requests that were converted from another contract.
import { InvalidReply, type Operation, once, onceFor, Problem } from '@stubwright/contract';
import { InvalidMock } from '@stubwright/mock/mocked';
import { preconditionsOf, withTagOfReply } from '../conditional/preconditions.ts';
import { KeyClaim, RepeatedResponse } from '../idempotency/keyClaim.ts';
import { type RequestReader, violationsText } from '../request/body/body.ts';
import {
  ConvertedExchange,
  type ConvertedRequest,
  type Exchange,
  type ParsedBody,
} from '../request/exchange.ts';
import { discardBody, type HandlerReply } from '../response/reply.ts';
import type { ContextOf } from './engineOptions.ts';
import type { CallOperation } from './engineResponse.ts';
import { compiledSteps } from './pipeline.ts';
import { operationById } from './router.ts';
import type { StepParts, StepReader } from './step.ts';
import { expectReply, stepsBeforeReply } from './steps.ts';

type CallOfOperation = (sent: Exchange, request: ConvertedRequest) => Promise<HandlerReply>;

/** Nothing is compiled before the first call. */
export function convertedCalls(shared: StepParts, basePath: string | undefined): CallOperation {
  const { definition, contextOf } = shared;
  const parts: StepParts = {
    ...shared,
    requests: (operation) => acceptingReader(operation, shared),
    // The sent request has its own time limit, record and deprecations.
    timeLimit: undefined,
    observer: undefined,
    deprecations: undefined,
    contextOf: contextOf && sharedContext(contextOf),
  };
  const callOf = onceFor((operationId: string) =>
    compiledCall(operationById(operationId, definition), parts, basePath),
  );
  return (sent, operationId, request) => callOf(operationId)(sent, request);
}

function compiledCall(
  operation: Operation,
  parts: StepParts,
  basePath: string | undefined,
): CallOfOperation {
  const own = parts.replies.of(operation);
  const steps = stepsBeforeReply();
  const all = compiledSteps(steps, operation, parts);
  const afterEntry = steps.filter(({ authenticates, admits }) => !(authenticates || admits));
  const admitted = compiledSteps(afterEntry, operation, parts);
  const repeated = storedReplies(operation, parts);
  const checked = async (exchange: ConvertedExchange, result: unknown): Promise<HandlerReply> => {
    // The handler was not called: nobody waits for its reply.
    if (exchange.timedOut !== undefined) exchange.signal.throwIfAborted();
    try {
      const reply = expectReply(operation, result);
      if (reply instanceof InvalidMock) {
        throw new InvalidReply(`${operation.operationId}: ${reply.violation}`);
      }
      const tagged = withTagOfReply(operation, own, own.check(reply, exchange));
      const claim = exchange.ownContext;
      if (claim instanceof KeyClaim) await claim.keep(own.serialize(tagged, exchange));
      return tagged;
    } catch (error) {
      discardBody(result);
      throw error;
    }
  };
  return async (sent, request) => {
    const path = pathOf(operation, request, basePath);
    const exchange = new ConvertedExchange(sent, operation, request, path);
    const isAdmitted = sent.adapted?.admittedTo === operation;
    if (isAdmitted) {
      exchange.principal = sent.principal;
      exchange.principals = sent.principals;
    }
    try {
      const run = isAdmitted ? admitted : all;
      return await checked(exchange, await run(exchange, undefined as never));
    } catch (error) {
      return await repeated(exchange, error);
    } finally {
      sent.violation ??= exchange.violation;
      sent.isHandled ||= exchange.isHandled;
      sent.principal ??= exchange.principal;
      sent.rateLimit ??= exchange.rateLimit;
      if (preconditionsOf(exchange)?.isChecked) preconditionsOf(sent)?.markChecked();
    }
  };
}

/** Returns a function that returns the stored response of a key as a reply, and throws any other error. */
function storedReplies(operation: Operation, { definition }: StepParts) {
  const check = once(async () => {
    const { ResponseCheck } = await import('../response/responseCheck.ts');
    return new ResponseCheck(definition, 'allow');
  });
  return async (exchange: ConvertedExchange, error: unknown): Promise<HandlerReply> => {
    const claim = exchange.ownContext;
    const end = claim instanceof KeyClaim ? claim.end : error;
    // The response of the older contract is sent as it is: that contract was the current one.
    if (!(end instanceof RepeatedResponse) || end.isOfSent) throw error;
    (claim as KeyClaim).resume();
    preconditionsOf(exchange.sent)?.markChecked();
    const { status, headers, body } = end.response;
    const bytes = Buffer.from((body as Uint8Array | undefined) ?? []);
    const stored = { status, headers: new Headers(headers), bytes };
    const read = await (await check()).check(operation, operation.method, stored);
    const { type, body: value, headers: declared } = read;
    const names = Object.keys(declared).map((name) => name.toLowerCase());
    const apart = new Set(['content-type', 'content-length', ...names]);
    const others = Object.entries(headers).filter(([name]) => !apart.has(name.toLowerCase()));
    return {
      status,
      ...(type !== undefined && { type }),
      headers: { ...Object.fromEntries(others), ...declared },
      body: value,
    };
  };
}

/** @returns the path of a request of its own */
function pathOf(
  { path, basePaths }: Operation,
  request: ConvertedRequest,
  basePath: string | undefined,
): string {
  const values = path.replace(/\{([^{}]+)\}/g, (_, name) =>
    encodeURIComponent(String(request.path?.[name] ?? '')),
  );
  return `${basePath ?? basePaths[0] ?? ''}${values}`;
}

/** Accepts the values of converted requests. Their violations are errors of converters, not of clients. */
function acceptingReader(operation: Operation, { requests }: StepParts): StepReader {
  const { body, parameters } = requests(operation) as RequestReader;
  const accepted = ({ converted: { mediaType, body: value } }: ConvertedExchange): ParsedBody => {
    try {
      return body.accept(mediaType, value);
    } catch (error) {
      throw error instanceof Problem ? invalid(operation, error.message) : error;
    }
  };
  return {
    body: {
      select: () => undefined,
      receive(exchange) {
        exchange.parsedBody = accepted(exchange as ConvertedExchange);
        const { converted } = exchange as ConvertedExchange;
        const { values, violations } = parameters.accept(converted);
        exchange.parameters = values;
        const all = [...violations, ...exchange.parsedBody.violations()];
        if (all.length > 0) throw invalid(operation, violationsText(all));
      },
    },
    parameters: { violations: () => [] },
  };
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
