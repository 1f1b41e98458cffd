// The pipeline of a request: its steps, in the order in which openapi-backend calls them.
import { chain, type Definition, problem } from '@stubwright/contract';
import {
  type Context as BackendContext,
  type Document,
  type HandlerMap,
  OpenAPIBackend,
  type Request,
} from 'openapi-backend';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import { PipelineRouter } from './pipelineRouter.ts';
import { PipelineValidator, type TraceStep } from './pipelineValidator.ts';
import type { Router } from './router.ts';
import type { ServedOperation } from './servedOperation.ts';

export interface PipelineOptions {
  readonly definition: Definition;
  readonly operations: readonly ServedOperation[];
  readonly router: Router<ServedOperation>;
  /** Undefined without tracing. */
  readonly step: TraceStep | undefined;
}

export class Pipeline extends OpenAPIBackend {
  readonly #options: PipelineOptions;
  readonly #router: PipelineRouter;

  constructor(options: PipelineOptions) {
    const document = options.definition.document as Document;
    super({ definition: document, strict: true });
    this.#options = options;
    this.#router = new PipelineRouter(document, options.router);
  }

  /** @returns true if an operation has the method and the path of a request */
  matches(exchange: Exchange): boolean {
    return this.#router.match(exchange) !== undefined;
  }

  /** @throws the error of a step */
  respond(exchange: Exchange): Promise<HttpResponse> {
    // Its types exclude headers with undefined values.
    return this.handleRequest(exchange as Request & Exchange, exchange);
  }

  override async init(): Promise<this> {
    const { definition, operations, step } = this.#options;
    this.document = this.definition = definition.document as Document;
    this.router = this.#router;
    this.validator = new PipelineValidator(this.document, this.router, step);
    this.handlers = stepsOf(operations);
    this.initialized = true;
    return this;
  }
}

/**
 * The steps of a request, in order. A step that throws ends the request. `context.operation` is the
 * {@link ServedOperation} that the router has matched.
 */
function stepsOf(operations: readonly ServedOperation[]): HandlerMap {
  const operationOf = ({ operation }: Partial<BackendContext>) => operation as ServedOperation;
  return {
    // 1. Route: PipelineRouter. Without an operation:
    notFound() {
      throw problem.unknownPath();
    },
    methodNotAllowed(_context, { method, allow }: Exchange): HttpResponse {
      const Allow = allow.join(', ');
      if (method !== 'OPTIONS') throw problem.methodNotAllowed(Allow);
      return { status: 204, headers: { Allow }, body: undefined };
    },
    // 2. Authorize, 3. admit, 4. read. openapi-backend's securityHandlers would take five promises for
    // each scheme.
    postSecurityHandler(context, exchange: Exchange) {
      const operation = operationOf(context);
      const admitted = chain(operation.authorize(exchange), () => operation.admit(exchange));
      return chain(admitted, () => operation.read(exchange));
    },
    // 5. Validate: PipelineValidator. With violations:
    validationFail({ validation }) {
      throw validation.errors![0]!.params['problem'];
    },
    // 6. Handle, 7. serialize. Then `respond` in engine.ts disposes the context.
    ...Object.fromEntries(
      operations.map((operation) => [
        operation.operationId,
        (_context: unknown, exchange: Exchange) =>
          chain(operation.handle(exchange), (result) => operation.serialize(exchange, result)),
      ]),
    ),
  };
}
