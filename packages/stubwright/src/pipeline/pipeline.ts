// Passes each request through its steps. openapi-backend calls those of its hooks.
import { aborted, type Contract } from '@stubwright/contract';
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
import type { Exchange } from '../request/exchange.ts';
import type { EngineResponse } from './engineResponse.ts';
import type { Failures } from './failures.ts';
import { Router } from './router.ts';
import { servedOperation } from './servedOperation.ts';
import type {
  Finish,
  RequestSteps,
  ResponseStep,
  RouteStep,
  ServedOperation,
  StepParts,
} from './step.ts';
import { STEPS } from './steps.ts';

export interface PipelineOptions {
  readonly definition: Contract;
  readonly parts: StepParts;
  readonly failures: Failures;
  /** Replaces the paths of the contract's servers. */
  readonly basePath: string | undefined;
  readonly steps?: RequestSteps;
}

export class Pipeline extends OpenAPIBackend {
  readonly routes: Router<ServedOperation>;
  readonly #parts: StepParts;
  readonly #failures: Failures;
  readonly #finish: readonly Finish[];

  constructor({ definition, parts, failures, basePath, steps = STEPS }: PipelineOptions) {
    const document = definition.document as Document;
    super({ definition: document, strict: true });
    const operations = definition.operations.map((each) => servedOperation(each, parts, steps));
    this.routes = new Router(operations, basePath);
    this.#parts = parts;
    this.#failures = failures;
    const ofResponse = steps.filter((step): step is ResponseStep => step.hook === 'response');
    this.#finish = ofResponse.map((step) => step.compile(parts)).filter((run) => run !== undefined);
    this.document = this.definition = document;
    this.router = new StepRouter(document, steps[0], this.routes);
    this.validator = new StepValidator(document, this.router);
    this.handlers = handlersOf(operations, steps[0], this.routes);
    this.initialized = true;
  }

  /** Never rejects. */
  async respond(exchange: Exchange): Promise<EngineResponse> {
    let response: EngineResponse;
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
  }

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
