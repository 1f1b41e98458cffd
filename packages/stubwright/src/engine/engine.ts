// Handles requests: route, authenticate, media type, read, validate, handle, serialize.
import { finished, Readable } from 'node:stream';
import type { Context, HandlerMap } from 'openapi-backend';
import { ContractErrors, type Definition, type Operation } from '../document/definition.ts';
import * as problem from '../errors/problem.ts';
import { preflightResponse, requestedMethod, withCorsHeaders } from '../mock/cors.ts';
import { BestEffort, type MockMode, mocked } from '../mock/mocked.ts';
import type { Exchange, Principal } from '../request/exchange.ts';
import { type HandlerReply, type HttpResponse, InvalidReply, Replies } from '../response/reply.ts';
import { Coercions } from '../schema/coercion.ts';
import { Preparation } from '../schema/preparation.ts';
import { Validators } from '../schema/validator.ts';
import { Security, type SecurityOptions } from '../security/security.ts';
import { Backend } from './backend.ts';
import { CompiledOperation, requestOf } from './compiledOperation.ts';
import { Router } from './router.ts';

/** A handler of any operation; HandlersOf has the exact types. */
type AnyHandler<Services> = (request: never, services: Services) => unknown;

export interface EngineOptions<Services> extends SecurityOptions {
  readonly definition: Definition;
  /** By operationId. */
  readonly handlers: Readonly<Record<string, AnyHandler<Services> | typeof mocked>>;
  /** The operations that are mocked in addition to those marked `mocked`. */
  readonly mock: MockMode;
  /** Passed to every handler. */
  readonly services: Services;
  /** Called before the body of an authenticated caller is read; throws a Problem to reject the request. */
  readonly admit?: ((principal: Principal) => Promise<void>) | undefined;
  /** Calls a step of a request (`validate`) in a span; undefined without tracing. */
  readonly step?: (<T>(name: string, callback: () => T) => T) | undefined;
  /** True in development: a 500 response reports how the reply of a handler violates the contract. */
  readonly exposesErrors: boolean;
  /** The base path of all routes; by default the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** Maps an error of the services to a Problem; undefined for an internal error. */
  readonly toProblem: (error: unknown) => problem.Problem | undefined;
}

/** A response, with properties for the log. */
export interface EngineResponse extends HttpResponse {
  /** The path template of the operation; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId?: string | undefined;
  /** The error that caused a 500 or 503, or the violation of a mocked reply. */
  readonly cause: unknown;
  readonly traceId?: string;
}

export interface Engine {
  /** Never rejects. */
  handle(exchange: Exchange): Promise<EngineResponse>;
}

/**
 * Creates the engine of a contract.
 *
 * @throws {ContractErrors} for an operation without handler, a handler without operation, and a
 *   security scheme without verifier
 */
export async function createEngine<Services>(options: EngineOptions<Services>): Promise<Engine> {
  const { definition } = options;
  const security = new Security(definition, options, (each) => isMocked(each, options));
  const errors = [...handlerErrors(options), ...security.errors];
  if (errors.length > 0) throw new ContractErrors(errors);

  const validators = new Validators(definition, 'request');
  const coercions = new Coercions(validators);
  const responseValidators = new Validators(definition, 'response');
  const replies = new Replies(definition, responseValidators);
  const preparation = new Preparation(definition, validators, responseValidators);
  const mock = await createMockHandle(options, responseValidators, preparation);
  const compiled = new Map(
    definition.operations.map((each) => [
      each,
      new CompiledOperation(each, definition, validators, coercions),
    ]),
  );
  const router = new Router(definition, options.basePath);
  const backend = new Backend({
    definition,
    router,
    compiled,
    step: options.step,
    handlers: {
      ...hooks(security, compiled, preparation, options.admit),
      ...operationHandlers(options, compiled, preparation, replies, mock),
    },
    securityHandlers: security.handlers,
  });
  await backend.init();
  const engine: Engine = {
    async handle(exchange) {
      let isStreaming = false;
      try {
        const reply: HttpResponse = await backend.respond(exchange);
        const { path: route, operationId } = exchange.operation ?? NO_OPERATION;
        isStreaming = releaseAfter(reply.body, exchange.release);
        return { ...reply, route, operationId, cause: exchange.violation };
      } catch (error) {
        return errorResponse(error, exchange, options);
      } finally {
        if (exchange.release !== undefined && !isStreaming) await exchange.release();
      }
    },
  };
  return mock === undefined ? engine : withCors(engine, router, options);
}

/** Enables CORS from any origin for mocked operations. */
function withCors<Services>(
  engine: Engine,
  router: Router,
  options: EngineOptions<Services>,
): Engine {
  const allowsCors = (exchange: Exchange) => {
    const operation = router.match(requestedMethod(exchange), exchange.path)?.operation;
    return operation === undefined ? options.mock === 'all' : isMocked(operation, options);
  };
  return {
    async handle(exchange) {
      const { origin } = exchange.headers;
      if (origin === undefined || !allowsCors(exchange)) return engine.handle(exchange);
      const preflight = preflightResponse(exchange);
      const response =
        preflight === undefined
          ? await engine.handle(exchange)
          : { ...preflight, route: undefined, cause: undefined };
      return { ...response, headers: withCorsHeaders(exchange, response.headers) };
    },
  };
}

function hooks(
  security: Security,
  compiled: ReadonlyMap<Operation, CompiledOperation>,
  preparation: Preparation,
  admit: EngineOptions<unknown>['admit'],
): HandlerMap {
  return {
    notFound() {
      throw problem.unknownPath();
    },
    methodNotAllowed(_context, { method, allow }: Exchange): HttpResponse {
      const Allow = allow.join(', ');
      if (method !== 'OPTIONS') throw problem.methodNotAllowed(Allow);
      return { status: 204, headers: { Allow }, body: undefined };
    },
    postSecurityHandler(_context, exchange: Exchange) {
      security.authorize(exchange);
      const { operation, principal } = exchange;
      const read = () => {
        const prepared = preparation.request(operation!);
        const own = compiled.get(operation!)!;
        return prepared === undefined
          ? own.read(exchange)
          : prepared.then(() => own.read(exchange));
      };
      return admit === undefined || principal === undefined ? read() : admit(principal).then(read);
    },
    validationFail({ validation }) {
      throw problem.contractViolation(validation.errors![0]!.message!);
    },
  };
}

function operationHandlers<Services>(
  options: EngineOptions<Services>,
  compiled: ReadonlyMap<Operation, CompiledOperation>,
  preparation: Preparation,
  replies: Replies,
  mock: Handle | undefined,
): HandlerMap {
  const entries = [...compiled.values()].map(({ operation, backendOperation }) => {
    const handle = isMocked(operation, options) ? mock! : handlerOf(operation, options);
    const respond = (_context: Context, exchange: Exchange) =>
      Promise.resolve(handle(exchange)).then((reply) => {
        if (!(reply instanceof BestEffort)) {
          const prepared = preparation.response(operation, reply.status);
          const serialize = () => replies.serialize(operation, reply);
          return prepared === undefined ? serialize() : prepared.then(serialize);
        }
        exchange.violation = new InvalidReply(`${operation.operationId}: ${reply.violation}`);
        return reply.toHttpResponse();
      });
    return [backendOperation.operationId, respond];
  });
  return Object.fromEntries(entries);
}

type MaybePromise<T> = T | Promise<T>;
type Handle = (exchange: Exchange) => MaybePromise<HandlerReply | BestEffort>;

function handlerOf<Services>(
  operation: Operation,
  { handlers, services }: EngineOptions<Services>,
): Handle {
  type Handler = (request: unknown, services: Services) => Promise<HandlerReply>;
  const handler = handlers[operation.operationId] as Handler;
  return (exchange) => handler(requestOf(exchange), services);
}

/** Loads the mock modules only if an operation is mocked: a tenth of the loaded code. */
async function createMockHandle<Services>(
  options: EngineOptions<Services>,
  validators: Validators,
  preparation: Preparation,
): Promise<Handle | undefined> {
  const { definition } = options;
  if (!definition.operations.some((each) => isMocked(each, options))) return undefined;
  const { createMockHandler } = await import('../mock/mockHandler.ts');
  return createMockHandler(definition, validators, preparation);
}

function isMocked<Services>(
  { operationId }: Operation,
  { handlers, mock }: Pick<EngineOptions<Services>, 'handlers' | 'mock'>,
): boolean {
  const isHandled = Object.hasOwn(handlers, operationId) && handlers[operationId] !== mocked;
  return mock === 'all' || !isHandled;
}

function errorResponse<Services>(
  error: unknown,
  exchange: Exchange,
  { toProblem, exposesErrors }: EngineOptions<Services>,
): EngineResponse {
  const known = error instanceof problem.Problem ? error : toProblem(error);
  const isExposed = exposesErrors && error instanceof InvalidReply;
  const sent = known ?? problem.internalError(isExposed ? error.message : undefined);
  return {
    status: sent.status,
    headers: { ...sent.headers, 'Content-Type': 'application/json' },
    body: sent.toBody(),
    route: exchange.operation?.path,
    operationId: exchange.operation?.operationId,
    cause: sent === error ? undefined : error,
  };
}

/** Releases uploads at the end of a stream, which may read one. @returns false if the body is not a stream */
function releaseAfter(body: HttpResponse['body'], release: Exchange['release']): boolean {
  if (!(body instanceof Readable) || release === undefined) return false;
  finished(body, () => {
    // Failure leaves a temporary file to the operating system.
    release().catch(() => {});
  });
  return true;
}

const NO_OPERATION = { path: undefined, operationId: undefined };

function handlerErrors<Services>({
  definition,
  handlers,
  mock,
}: EngineOptions<Services>): string[] {
  if (mock === 'all') return [];
  const declared = new Set(definition.operations.map(({ operationId }) => operationId));
  const missing = [...declared].filter((id) => mock === 'off' && !Object.hasOwn(handlers, id));
  const unknown = Object.keys(handlers).filter((id) => !declared.has(id));
  const served = definition.operations.filter((each) => !isMocked(each, { handlers, mock }));
  return [
    ...served.flatMap(({ errors }) => errors),
    ...missing.map((id) => `operation ${id} has no handler`),
    ...unknown.map((id) => `handler ${id} belongs to no operation of the contract`),
  ];
}
