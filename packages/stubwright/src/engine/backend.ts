// openapi-backend with a compiled router and validator. Its own router is rebuilt and parses three times
// per request; its own validator rounds int64, reads three media types, and supports OpenAPI 3.0 only.
import {
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
import type { Definition, Operation } from '../document/definition.ts';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import { joinMessages } from '../schema/validator.ts';
import type { CompiledOperation } from './compiledOperation.ts';
import type { Router } from './router.ts';

export interface BackendOptions {
  readonly definition: Definition;
  readonly router: Router;
  readonly compiled: ReadonlyMap<Operation, CompiledOperation>;
  /** Calls the validation in a span; undefined without tracing. */
  readonly step: (<T>(name: string, callback: () => T) => T) | undefined;
  readonly handlers: HandlerMap;
}

export class Backend extends OpenAPIBackend {
  readonly #options: BackendOptions;

  constructor(options: BackendOptions) {
    super({ definition: options.definition.document as Document, strict: true });
    this.#options = options;
  }

  /** @throws the error of a step or a handler */
  respond(exchange: Exchange): Promise<HttpResponse> {
    // Its types exclude headers with undefined values.
    return this.handleRequest(exchange as Request & Exchange, exchange);
  }

  override async init(): Promise<this> {
    const { definition, router, compiled, step, handlers } = this.#options;
    this.document = this.definition = definition.document as Document;
    this.router = new CompiledRouter(this.document, router, compiled);
    this.validator = new CompiledValidator(this.document, this.router, compiled, step);
    this.handlers = handlers;
    this.initialized = true;
    return this;
  }
}

class CompiledRouter extends OpenAPIRouter {
  readonly #router: Router;
  readonly #compiled: ReadonlyMap<Operation, CompiledOperation>;

  constructor(
    definition: Document,
    router: Router,
    compiled: ReadonlyMap<Operation, CompiledOperation>,
  ) {
    super({ definition });
    this.#router = router;
    this.#compiled = compiled;
  }

  /** openapi-backend distinguishes 404 from 405 by the error message. */
  override matchOperation(request: Request): BackendOperation {
    const exchange = request as Request & Exchange;
    const match = this.#router.match(exchange.method, exchange.path);
    if (match === undefined) {
      exchange.allow = this.#router.allowed(exchange.path);
      throw new Error(exchange.allow.length === 0 ? '404-notFound' : '405-methodNotAllowed');
    }
    exchange.params = match.params;
    exchange.operation = match.operation;
    return this.#compiled.get(match.operation)!.backendOperation;
  }

  /** The exchange parses lazily. */
  override parseRequest(request: Request): ParsedRequest {
    return request as ParsedRequest;
  }
}

class CompiledValidator extends OpenAPIValidator {
  readonly #compiled: ReadonlyMap<Operation, CompiledOperation>;
  readonly #step: BackendOptions['step'];

  constructor(
    definition: Document,
    router: OpenAPIRouter,
    compiled: ReadonlyMap<Operation, CompiledOperation>,
    step: BackendOptions['step'],
  ) {
    super({ definition, router, lazyCompileValidators: true });
    this.#compiled = compiled;
    this.#step = step;
  }

  override validateRequest(request: Request): ValidationResult {
    const exchange = request as Request & Exchange;
    const compiled = this.#compiled.get(exchange.operation!)!;
    const errors = this.#step
      ? this.#step('validate', () => compiled.errorsOf(exchange))
      : compiled.errorsOf(exchange);
    if (errors.length === 0) return VALID;
    return { valid: false, errors: [{ ...ERROR, message: joinMessages(new Set(errors)) }] };
  }
}

const VALID: ValidationResult = { valid: true, errors: null };
const ERROR = { keyword: 'contract', instancePath: '', schemaPath: '', params: {} };
