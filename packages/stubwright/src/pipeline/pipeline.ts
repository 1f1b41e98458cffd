// Passes each request through its steps, within a time limit. openapi-backend calls those of its hooks.

import {
  aborted,
  type Contract,
  errorFrom,
  isThenable,
  type Operation,
  unavailable,
} from '@stubwright/contract';
import {
  type Context as BackendContext,
  type Operation as BackendOperation,
  type Document,
  type HandlerMap,
  OpenAPIBackend,
  OpenAPIRouter,
  OpenAPIValidator,
  type ParsedRequest,
  type Request,
  type ValidationResult,
} from 'openapi-backend';
import { KeyClaim, RepeatedResponse } from '../idempotency/keyClaim.ts';
import type { Exchange, RequestLog } from '../request/exchange.ts';
import { discardBody } from '../response/reply.ts';
import type { Limited, TimeLimit } from './disposal.ts';
import type { EngineResponse } from './engineResponse.ts';
import type { Failures } from './failures.ts';
import { Router } from './router.ts';
import type {
  Finish,
  OperationStep,
  RequestSteps,
  ResponseStep,
  RouteStep,
  Run,
  ServedOperation,
  StepParts,
  StepsOfHook,
} from './step.ts';
import { STEPS } from './steps.ts';

interface PipelineOptions {
  readonly definition: Contract;
  readonly parts: StepParts;
  readonly failures: Failures;
  /** Replaces the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** The parent of the logs of requests. */
  readonly log?: RequestLog | undefined;
  readonly steps?: RequestSteps;
}

export class Pipeline extends OpenAPIBackend {
  readonly routes: Router<ServedOperation>;
  readonly #parts: StepParts;
  readonly #failures: Failures;
  readonly #log: RequestLog | undefined;
  readonly #finish: readonly Finish[];

  constructor(options: PipelineOptions) {
    const { definition, parts, failures, basePath, steps = STEPS } = options;
    const document = definition.document as Document;
    super({ definition: document, strict: true });
    const operations = definition.operations.map((operation) =>
      servedOperation(operation, parts, steps),
    );
    this.routes = new Router(operations, basePath);
    this.#parts = parts;
    this.#failures = failures;
    this.#log = options.log;
    const ofResponse = steps.filter((step): step is ResponseStep => step.hook === 'response');
    this.#finish = ofResponse.map((step) => step.compile(parts)).filter((run) => run !== undefined);
    this.document = this.definition = document;
    this.router = new StepRouter(document, steps[0], this.routes);
    this.validator = new StepValidator(document, this.router);
    this.handlers = handlersOf(operations, steps[0], this.routes);
    this.initialized = true;
  }

  /** Never rejects. */
  readonly respond = async (exchange: Exchange): Promise<EngineResponse> => {
    let response: EngineResponse;
    exchange.parentLog = this.#log;
    try {
      // Its types exclude headers with undefined values.
      const answer = await this.handleRequest(exchange as Request & Exchange, exchange);
      const { status, headers, body } = answer;
      const { path: route, operationId } = exchange.operation ?? NO_OPERATION;
      response = { status, headers, body, route, operationId, cause: exchange.violation };
    } catch (error) {
      response = await this.#thrown(exchange, error);
    }
    for (const finish of this.#finish) response = finish(exchange, response);
    return response;
  };

  async #thrown(exchange: Exchange, error: unknown): Promise<EngineResponse> {
    const { context } = exchange;
    const end = context instanceof KeyClaim ? context.end : undefined;
    if (end === undefined) return this.#failed(exchange, error);
    // Also if the code of the application has replaced the error. Its handler was not called.
    exchange.isHandled = false;
    return end instanceof RepeatedResponse
      ? this.#repeated(exchange, end)
      : this.#failed(exchange, end);
  }

  /** The stored response is durable after the end of the transaction that has read it. */
  async #repeated(exchange: Exchange, { response }: RepeatedResponse): Promise<EngineResponse> {
    const { operation } = exchange;
    try {
      await this.#parts.disposal.replied(exchange, response);
      const { path: route, operationId } = operation ?? NO_OPERATION;
      return { ...response, route, operationId, cause: undefined };
    } catch (error) {
      return this.#failures.thrown(error, exchange);
    }
  }

  async #failed(exchange: Exchange, error: unknown): Promise<EngineResponse> {
    // After the time limit, the handler may still use its context.
    const isDisposed = exchange.context !== undefined && exchange.timedOut === undefined;
    if (isDisposed) await this.#parts.disposal.failed(exchange, error);
    return this.#failures.thrown(exchange.isAbort(error) ? aborted() : error, exchange);
  }
}

const NO_OPERATION = { path: undefined, operationId: undefined };

/** The hooks of openapi-backend. Its securityHandlers would take five promises for each scheme. */
function handlersOf(
  operations: readonly ServedOperation[],
  route: RouteStep,
  routes: Router<ServedOperation>,
): HandlerMap {
  return {
    notFound: (_context, exchange: Exchange) => route.unmatched(exchange, routes),
    postSecurityHandler: ({ operation }: Partial<BackendContext>, exchange: Exchange) =>
      (operation as ServedOperation).postSecurityHandler(exchange),
    ...Object.fromEntries(
      operations.map(({ operationId, operationHandler }) => [
        operationId,
        (_context: unknown, exchange: Exchange) => operationHandler(exchange),
      ]),
    ),
  };
}

/** openapi-backend's own is rebuilt and parses three times for each request. */
class StepRouter extends OpenAPIRouter {
  readonly #route: RouteStep;
  readonly #routes: Router<ServedOperation>;

  constructor(definition: Document, route: RouteStep, routes: Router<ServedOperation>) {
    super({ definition });
    this.#route = route;
    this.#routes = routes;
  }

  override matchOperation(request: Request): ServedOperation {
    const operation = this.#route.match(request as Request & Exchange, this.#routes);
    if (operation === undefined) throw UNMATCHED;
    return operation;
  }

  /** The exchange parses lazily. */
  override parseRequest(request: Request): ParsedRequest {
    return request as ParsedRequest;
  }
}

/** openapi-backend then calls `notFound`. */
const UNMATCHED = new Error('404-notFound');

/** openapi-backend's own rounds int64, reads three media types, and supports OpenAPI 3.0 only. */
class StepValidator extends OpenAPIValidator {
  constructor(definition: Document, router: OpenAPIRouter) {
    super({ definition, router, lazyCompileValidators: true });
  }

  override validateRequest(request: Request, operation: BackendOperation): ValidationResult {
    (operation as ServedOperation).validator(request as Request & Exchange);
    return VALID;
  }
}

const VALID: ValidationResult = { valid: true, errors: null };

/** @returns the operation with the steps that its requests need */
function servedOperation(
  operation: Operation,
  parts: StepParts,
  steps: RequestSteps,
): ServedOperation {
  const { path, method, basePaths, operationId } = operation;
  const compiled = (hook: OperationStep['hook']): StepsOfHook => {
    const own = steps.filter((step): step is OperationStep => step.hook === hook);
    return compiledSteps(own, operation, parts) as StepsOfHook;
  };
  return {
    ...{ operation, path, method, basePaths, isMocked: parts.isMocked(operation), responses: {} },
    operationId: `operation ${operationId}`,
    postSecurityHandler: compiled('postSecurityHandler'),
    validator: compiled('validator'),
    operationHandler: compiled('operationHandler'),
  };
}

/** @returns the steps that the requests of an operation need, as one */
export function compiledSteps(
  steps: readonly OperationStep[],
  operation: Operation,
  parts: StepParts,
): Run {
  const groups: { readonly timeLimit: string | undefined; readonly runs: Run[] }[] = [];
  for (const step of steps) {
    const run = step.compile(operation, parts);
    if (run === undefined) continue;
    const last = groups.at(-1);
    if (last !== undefined && last.timeLimit === step.timeLimit) last.runs.push(run);
    else groups.push({ timeLimit: step.timeLimit, runs: [run] });
  }
  const isLimited = parts.timeLimit !== undefined && !parts.isMocked(operation);
  return inOrder(
    groups.flatMap(({ timeLimit, runs }) =>
      timeLimit !== undefined && isLimited
        ? inTime(timeLimit, inOrder(runs), operation, parts)
        : runs,
    ),
  );
}

/** Passes the result of each step to the next one. A loop takes 3 % longer for a whole request. */
function inOrder(runs: readonly Run[]): Run {
  if (runs.length === 0) return () => undefined;
  return runs.reduceRight((next, run) => (exchange, value) => {
    const result = run(exchange, value) as never;
    return isThenable(result)
      ? Promise.resolve(result).then((settled) => next(exchange, settled as never))
      : next(exchange, result);
  });
}

/** @param name of the steps, for the log */
function inTime(
  name: string,
  run: Run,
  { operationId }: Operation,
  { timeLimit, disposal, report }: StepParts,
): Run {
  const limited: Limited<Exchange> = {
    isArriving,
    timedOut(timeoutMs, exchange) {
      const cause = new Error(`${operationId}: ${name} did not settle within ${timeoutMs} ms`);
      exchange.timedOut = unavailable('the request was not handled in time', 1, cause);
      exchange.abort('the request was not handled in time');
      return exchange.timedOut;
    },
    // The handler may still use its context.
    discard(reply, exchange) {
      discardBody(reply);
      void disposal.failed(exchange, exchange.timedOut);
    },
    report(error, exchange) {
      if (!exchange.isAbort(error)) report(error);
      void disposal.failed(exchange, exchange.timedOut);
    },
  };
  return (exchange, value) => {
    const result = run(exchange, value);
    return isThenable(result) ? timeLimit!.settled(result, exchange, limited) : result;
  };
}

/** A client may send a body for longer than a handler may take. */
function isArriving({ parsedBody, body }: Exchange): boolean {
  return parsedBody.isStream === true && body.isArriving?.() === true;
}

/** An entry of a circular list. */
interface Entry {
  previous: Entry | undefined;
  /** Undefined for an entry that was removed. */
  next: Entry | undefined;
}

interface Pending extends Entry {
  readonly subject: unknown;
  readonly limited: Limited<never>;
  readonly reject: (error: Error) => void;
  endMs: number;
  isArriving: boolean;
}

/** One timer for all promises: one for each would cost 3 % of a POST. */
export class SharedTimer implements TimeLimit {
  readonly #timeoutMs: number;
  /**
   * The head of the pending promises, in the order of their `endMs`. Not a Set: the tables that it has
   * outgrown retain their promises until the next major garbage collection.
   */
  readonly #head: Entry = { previous: undefined, next: undefined };
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#head.previous = this.#head;
    this.#head.next = this.#head;
  }

  settled<Subject>(
    promise: PromiseLike<unknown>,
    subject: Subject,
    limited: Limited<Subject>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        previous: undefined,
        next: undefined,
        subject,
        limited,
        reject,
        endMs: 0,
        isArriving: false,
      };
      this.#start(pending);
      Promise.resolve(promise).then(
        (value) => {
          if (remove(pending)) resolve(value);
          else limited.discard(value, subject);
        },
        (error) => {
          if (remove(pending)) reject(error);
          else limited.report(errorFrom(error), subject);
        },
      );
    });
  }

  #start(pending: Pending): void {
    pending.isArriving = pending.limited.isArriving(pending.subject as never);
    pending.endMs = performance.now() + this.#timeoutMs;
    const previous = this.#head.previous!;
    pending.previous = previous;
    pending.next = this.#head;
    previous.next = pending;
    this.#head.previous = pending;
    if (this.#timer === undefined) this.#wait(this.#timeoutMs);
  }

  get #first(): Pending | undefined {
    const { next } = this.#head;
    return next === this.#head ? undefined : (next as Pending);
  }

  /** A handler that never settles does not delay the end of the process. */
  #wait(ms: number): void {
    this.#timer = setTimeout(this.#end, ms).unref();
  }

  #end = (): void => {
    const now = performance.now();
    let first = this.#first;
    while (first !== undefined && first.endMs <= now) {
      remove(first);
      if (first.isArriving) this.#start(first);
      else first.reject(first.limited.timedOut(this.#timeoutMs, first.subject as never));
      first = this.#first;
    }
    this.#timer = undefined;
    if (first !== undefined) this.#wait(Math.ceil(first.endMs - now));
  };
}

/** @returns false for an entry that is not in the list */
function remove(entry: Entry): boolean {
  const { previous, next } = entry;
  if (previous === undefined || next === undefined) return false;
  previous.next = next;
  next.previous = previous;
  entry.previous = undefined;
  entry.next = undefined;
  return true;
}
