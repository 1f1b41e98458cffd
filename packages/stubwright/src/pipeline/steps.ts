// The steps of a request, in order. A test compares them with docs/stubwright/lifecycle.md.

import { finished, Readable } from 'node:stream';
import {
  chain,
  errorFrom,
  InvalidReply,
  isJsonMediaType,
  methodNotAllowed,
  type Operation,
  Problem,
  shown,
  unknownPath,
} from '@stubwright/contract';
import { InvalidMock } from '@stubwright/mock/mocked';
import { conditionalResponse, readConditions, requireCheck } from '../conditional/preconditions.ts';
import { KeyClaim } from '../idempotency/keyClaim.ts';
import { readItems, type SelectedBody, violationProblem } from '../request/body/body.ts';
import type { Exchange, ParsedBody } from '../request/exchange.ts';
import { firstChunk, ItemStream } from '../response/itemStream.ts';
import { discardBody, type HandlerReply, type HttpResponse } from '../response/reply.ts';
import { isDisposable } from './disposal.ts';
import { HandlerRequest } from './handlerRequest.ts';
import type { Match } from './router.ts';
import type { OperationStep, RequestSteps, ServedOperation, StepReader } from './step.ts';

/** The requests of an older contract pass the steps before this one; their replies are converted. */
const SERIALIZE = 'Validate and serialize the reply';

/**
 * The steps of a request, in order. A step that throws ends the request, and its error becomes the
 * response. The steps with the hook `response` follow each response, also that of an error.
 */
export const STEPS: RequestSteps = [
  {
    name: 'Route',
    reads: 'method and path',
    statuses: [204, 404, 405],
    hook: 'router',
    match(exchange, router) {
      exchange.match ??= router.match(exchange.method, exchange.path);
      const match = exchange.match as Match<ServedOperation> | undefined;
      if (match === undefined) return undefined;
      exchange.params = match.params;
      exchange.operation = match.operation.operation;
      return match.operation;
    },
    unmatched({ method, path }, router) {
      const allowed = router.allowed(path);
      if (allowed.length === 0) throw unknownPath();
      const Allow = allowed.join(', ');
      if (method !== 'OPTIONS') throw methodNotAllowed(Allow);
      return { status: 204, headers: { Allow }, body: undefined };
    },
  },
  {
    name: 'Authenticate',
    reads: 'the credentials of the security requirements',
    statuses: [401, 403],
    errorsOf: 'the verifiers',
    hook: 'postSecurityHandler',
    timeLimit: 'authentication',
    authenticates: true,
    compile(operation, { security, entryOf }) {
      const entry = entryOf?.(operation);
      return entry === undefined ? security.authorizer(operation) : entry.authenticate;
    },
  },
  {
    name: 'Rate limit',
    reads: 'the principal',
    statuses: [429, 503],
    hook: 'postSecurityHandler',
    admits: true,
    compile(operation, { rateLimitOf, entryOf }) {
      const entry = entryOf?.(operation);
      if (entry !== undefined) return entry.admit;
      if (operation.security.length === 0) return undefined;
      const admit = rateLimitOf?.(operation);
      if (admit === undefined) return undefined;
      return async (exchange) => {
        if (exchange.principal === undefined) return;
        exchange.rateLimit = await admit(exchange.principals);
      };
    },
  },
  {
    name: 'Media type',
    reads: 'Content-Type and Content-Encoding',
    statuses: [415],
    hook: 'postSecurityHandler',
    compile(operation, { requests }) {
      let reader: StepReader | undefined;
      return (exchange) => {
        reader ??= requests(operation);
        return reader.body.select(exchange);
      };
    },
  },
  {
    name: 'Read the body',
    reads: 'the body',
    statuses: [400, 413, 503],
    hook: 'postSecurityHandler',
    compile(operation, { requests }) {
      let reader: StepReader | undefined;
      return (exchange, selection: SelectedBody | undefined) => {
        reader ??= requests(operation);
        return reader.body.receive(exchange, selection);
      };
    },
  },
  {
    name: 'Read the conditions',
    reads: 'If-Match, If-None-Match and the dates',
    statuses: [400, 428],
    hook: 'validator',
    compile: readConditions,
  },
  {
    name: 'Validate',
    reads: 'parameters and body',
    statuses: [400],
    hook: 'validator',
    compile(operation, { requests, trace, isMocked, mocks }) {
      let reader: StepReader | undefined;
      const isLenient = isMocked(operation) && mocks?.validatesRequests === false;
      const validate = (exchange: Exchange) => {
        reader ??= requests(operation);
        const ofParameters = reader.parameters.violations(exchange);
        const ofBody = exchange.parsedBody.violations();
        if (isLenient || ofParameters.length + ofBody.length === 0) return;
        throw violationProblem(ofParameters.concat(ofBody));
      };
      return trace ? (exchange) => trace('validate', () => validate(exchange)) : validate;
    },
  },
  {
    name: 'Record the request',
    reads: 'the validated request',
    statuses: [],
    hook: 'operationHandler',
    compile: (_operation, { observer }) => observer && ((exchange) => observer.accepted(exchange)),
  },
  {
    name: 'Sunset',
    reads: 'the deprecated parts that the request uses',
    statuses: [410],
    hook: 'operationHandler',
    compile: (operation, { deprecations }) => deprecations?.sunset(operation),
  },
  {
    name: 'Claim the idempotency key',
    reads: 'the header with x-idempotency',
    statuses: [400, 409],
    hook: 'operationHandler',
    compile: (operation, { idempotent }) => idempotent?.claimOf(operation),
  },
  {
    name: 'Create the context',
    reads: 'the validated request',
    statuses: [],
    errorsOf: 'context',
    hook: 'operationHandler',
    timeLimit: 'the handler',
    compile(operation, { contextOf, isMocked }) {
      if (contextOf === undefined || isMocked(operation)) return undefined;
      return (exchange) => {
        exchange.isHandled = true;
        return contextOf(exchange as Exchange<never>);
      };
    },
  },
  {
    name: 'Repeat the response',
    reads: 'the stored response of the key',
    statuses: [409, 422],
    errorsOf: 'the idempotency store',
    hook: 'operationHandler',
    timeLimit: 'the handler',
    compile(operation, { idempotent, services }) {
      if (idempotent?.claimOf(operation) === undefined) return undefined;
      return (exchange, context: unknown) => {
        const { context: claim } = exchange;
        if (!(claim instanceof KeyClaim)) return context;
        const own = context !== services && isDisposable(context) ? context : undefined;
        return claim.begin(context, own);
      };
    },
  },
  {
    name: 'Handle',
    reads: 'the validated request and the context',
    statuses: [],
    errorsOf: 'the handler',
    hook: 'operationHandler',
    timeLimit: 'the handler',
    compile(operation, parts) {
      const { isMocked, mocks, handlers, contextOf, services } = parts;
      if (isMocked(operation)) {
        const { reply, validatesRequests } = mocks!;
        const read = validatesRequests ? readItems : readValidItems;
        return (exchange) =>
          exchange.parsedBody.isSequence
            ? read(exchange.parsedBody).then(() => reply(exchange))
            : reply(exchange);
      }
      const handler = handlers[operation.operationId] as (...args: unknown[]) => unknown;
      if (contextOf === undefined) {
        return (exchange) => {
          exchange.isHandled = true;
          return handler(new HandlerRequest(exchange, parts), services);
        };
      }
      return (exchange, context: unknown) => {
        // Shared services outlive the request.
        if (exchange.context === undefined && context !== services && isDisposable(context)) {
          exchange.context = context;
        }
        if (exchange.timedOut !== undefined) return undefined;
        return handler(new HandlerRequest(exchange, parts), context);
      };
    },
  },
  {
    name: 'Require the check of the conditions',
    reads: 'the reply',
    statuses: [500],
    hook: 'operationHandler',
    compile: (operation, { isMocked, replies }) =>
      isMocked(operation) ? undefined : requireCheck(operation, replies),
  },
  {
    name: SERIALIZE,
    reads: 'the reply',
    statuses: [500],
    hook: 'operationHandler',
    compile(operation, { replies }) {
      const own = replies.of(operation);
      /** @param result of the handler, of any type @throws {InvalidReply} for one that violates the contract */
      return (exchange, result: unknown) => {
        const reply = expectReply(operation, result);
        if (reply instanceof InvalidMock) {
          exchange.violation = new InvalidReply(`${operation.operationId}: ${reply.violation}`);
          return reply.toHttpResponse();
        }
        try {
          return own.serialize(reply, exchange);
        } catch (error) {
          // The stream of a reply that is not sent.
          discardBody(result);
          throw error;
        }
      };
    },
  },
  {
    name: 'Compare the conditions',
    reads: 'ETag and Last-Modified of the response',
    statuses: [304, 412, 500],
    hook: 'operationHandler',
    compile: (operation, { replies }) => conditionalResponse(operation, replies),
  },
  {
    name: 'Store the response',
    reads: 'the response',
    statuses: [500],
    errorsOf: 'the idempotency store',
    hook: 'operationHandler',
    timeLimit: 'the idempotency store',
    compile(operation, { idempotent }) {
      if (idempotent?.claimOf(operation) === undefined) return undefined;
      return (exchange, response: HttpResponse) => {
        const { context: claim } = exchange;
        if (!(claim instanceof KeyClaim)) return response;
        return chain(claim.keep(response), () => response);
      };
    },
  },
  {
    name: 'Start the stream',
    reads: 'the first item or chunk',
    statuses: [],
    errorsOf: 'the stream',
    hook: 'operationHandler',
    compile({ responses }, { replies, report }) {
      const isJson = [...responses].every(([, { contents }]) =>
        contents.keys.every((key) => isJsonMediaType(key)),
      );
      // Only with validation, no reply has a body that the contract does not declare.
      if (isJson && replies.validation === 'strict') return undefined;
      return (exchange, response: HttpResponse) =>
        response.body instanceof Readable
          ? startStream(response, response.body, exchange, report)
          : response;
    },
  },
  {
    name: 'Dispose the context',
    reads: 'the status of the reply',
    statuses: [],
    errorsOf: 'the disposal',
    hook: 'operationHandler',
    compile(operation, { contextOf, disposal, idempotent, isMocked }) {
      const hasContext = contextOf !== undefined && !isMocked(operation);
      if (!hasContext && idempotent?.claimOf(operation) === undefined) return undefined;
      return (exchange, response: HttpResponse) =>
        exchange.context === undefined ? response : disposal.replied(exchange, response);
    },
  },
  {
    name: 'Remove uploads',
    reads: 'the temporary files of the body',
    statuses: [],
    hook: 'response',
    compile({ definition, report }) {
      const mayUpload = ({ request }: Operation) => request.keys.some((key) => UPLOAD.test(key));
      if (!definition.operations.some(mayUpload)) return undefined;
      return (exchange, response) => {
        if (exchange.release !== undefined) removeUploads(exchange.release, response, report);
        return response;
      };
    },
  },
  {
    name: 'Announce the rate limit',
    reads: 'the counted request',
    statuses: [],
    hook: 'response',
    compile({ rateLimitOf, entryOf }) {
      if (rateLimitOf === undefined && entryOf === undefined) return undefined;
      return ({ rateLimit }, response) =>
        rateLimit === undefined
          ? response
          : { ...response, headers: { ...rateLimit, ...response.headers } };
    },
  },
  {
    name: 'Record the response',
    reads: 'request and response',
    statuses: [],
    hook: 'response',
    compile({ observer }) {
      if (observer === undefined) return undefined;
      return (exchange, response) => {
        observer.responded(exchange, response);
        return response;
      };
    },
  },
  {
    name: 'Announce deprecations',
    reads: 'the deprecated parts that the request uses',
    statuses: [],
    hook: 'response',
    compile: ({ deprecations }) => deprecations?.announce,
  },
];

/** The media types, and ranges of them, whose bodies have files. */
const UPLOAD = /^multipart\/|^\*/i;

/** @returns the steps of an operation before its reply is serialized */
export function stepsBeforeReply(): readonly OperationStep[] {
  const end = STEPS.findIndex(({ name }) => name === SERIALIZE);
  return STEPS.slice(0, end).filter(
    (step): step is OperationStep =>
      'hook' in step && step.hook !== 'router' && step.hook !== 'response',
  );
}

/** Reads up to the first item that violates the contract. @throws {Problem} for one that is malformed */
async function readValidItems(body: ParsedBody): Promise<void> {
  try {
    await readItems(body);
  } catch (error) {
    if (!(error instanceof Problem) || error.violations.length === 0) throw error;
  }
}

/** Does not delay the response, and waits for the end of a stream, which may read an upload. */
function removeUploads(
  remove: () => Promise<void>,
  { body }: HttpResponse,
  report: (error: Error) => void,
): void {
  const start = async () => {
    try {
      await remove();
    } catch (error) {
      report(errorFrom(error));
    }
  };
  if (body instanceof Readable) finished(body, start);
  else void start();
}

/** @throws {InvalidReply} for a result that is not a reply */
export function expectReply(
  { operationId }: Operation,
  result: unknown,
): HandlerReply | InvalidMock {
  const reply = result as HandlerReply | InvalidMock | null | undefined;
  if (typeof reply === 'object' && Number.isInteger(reply?.status)) return reply!;
  throw new InvalidReply(`${operationId} returned ${shown(result)}, expected {status, …}`);
}

/** Then the head of a response is sent although its first item is not known. */
const FIRST_ITEM_MS = 100;

/**
 * Waits for the first chunk. The stream is discarded when the client is gone.
 *
 * @param body of the response
 * @param report called with the error of a later item
 * @throws the error of a stream that fails before
 */
async function startStream(
  response: HttpResponse,
  body: Readable,
  { body: source }: Exchange,
  report: (error: Error) => void,
): Promise<HttpResponse> {
  try {
    source.onClose?.(() => body.destroy());
    const started = firstChunk(body);
    const error = await (body instanceof ItemStream ? atMost(FIRST_ITEM_MS, started) : started);
    if (error !== undefined) throw error;
  } catch (error) {
    body.destroy();
    throw error;
  }
  if (body instanceof ItemStream) reportFailure(body, report);
  return response;
}

/** Of a stream whose last item describes the error; the adapter reports one that fails. */
function reportFailure(body: ItemStream, report: (error: Error) => void): void {
  body.isSent = true;
  body.once('close', () => {
    if (body.failure !== undefined && body.errored === null) report(body.failure);
  });
}

/** @returns undefined if the promise does not settle in time */
async function atMost<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
