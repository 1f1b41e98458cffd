// Handles requests: route, authenticate, media type, read, validate, handle, serialize.
import { finished, Readable } from 'node:stream';
import type { Context as BackendContext, HandlerMap } from 'openapi-backend';
import { ContractErrors, type Definition, type Operation } from '../document/definition.ts';
import * as problem from '../errors/problem.ts';
import { BestEffort, type MockMode, type MockOptions, mocked } from '../mock/mocked.ts';
import type { Mocks } from '../mock/mockHandler.ts';
import type { ContextRequest, Exchange, Principal } from '../request/exchange.ts';
import { type ErrorFormat, undeclaredResponse } from '../response/errorFormat.ts';
import {
  type HandlerReply,
  type HttpResponse,
  InvalidReply,
  Replies,
  type ResponseValidation,
} from '../response/reply.ts';
import { Coercions } from '../schema/coercion.ts';
import { Preparation } from '../schema/preparation.ts';
import { Validators } from '../schema/validator.ts';
import { Security, type SecurityOptions } from '../security/security.ts';
import { Backend } from './backend.ts';
import { CompiledOperation, requestOf } from './compiledOperation.ts';
import { ErrorResponses } from './errorResponses.ts';
import { withCors, withPreferences } from './mockRequests.ts';
import { Router } from './router.ts';

/** A handler of any operation; HandlersOf has the exact types. */
export type AnyHandler<Context> = (request: never, context: Context) => unknown;

/** All but the definition have defaults. */
export interface EngineOptions<Context> {
  readonly definition: Definition;
  /** Verifiers by name of the security scheme; none by default. */
  readonly verifiers?: SecurityOptions['verifiers'] | undefined;
  /** The protection space in `WWW-Authenticate`; by default the title of the contract. */
  readonly realm?: string | undefined;
  /** By operationId; none by default. */
  readonly handlers?: Handlers<Context> | undefined;
  /** The operations that are mocked in addition to those marked `mocked`; by default `off`. */
  readonly mock?: MockMode | undefined;
  readonly mockOptions?: MockOptions | undefined;
  /** Called after the validation of the request; its result is passed to the handler. */
  readonly context?: ((request: ContextRequest<never>) => MaybePromise<Context>) | undefined;
  /** Called before the body of an authenticated caller is read; throws a Problem to reject the request. */
  readonly admit?: ((principal: Principal) => Promise<void>) | undefined;
  /** Calls a step of a request (`validate`) in a span; undefined without tracing. */
  readonly step?: (<T>(name: string, callback: () => T) => T) | undefined;
  /** True in development: a 500 response reports how the reply of a handler violates the contract. */
  readonly exposesErrors?: boolean | undefined;
  /** The base path of all routes; by default the paths of the contract's servers. */
  readonly basePath?: string | undefined;
  /** Maps an error of the services to a Problem; undefined for an internal error. */
  readonly toProblem?: ((error: unknown) => problem.Problem | undefined) | undefined;
  /** The format of error bodies where the contract allows several, or declares none. */
  readonly errors?: ErrorFormat | undefined;
  /** By default `strict`. */
  readonly responseValidation?: ResponseValidation | undefined;
  /** True to enable CORS from any origin for mocked operations. */
  readonly hasMockCors?: boolean | undefined;
}

export type Handlers<Context> = Readonly<Record<string, AnyHandler<Context> | typeof mocked>>;

/** A response, with properties for the log. */
export interface EngineResponse extends HttpResponse {
  /** The path template of the operation; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId?: string | undefined;
  /** The error that caused a 500 or 503, or the violation of a reply that was sent nevertheless. */
  readonly cause: unknown;
  readonly traceId?: string;
}

export interface Engine {
  /** Never rejects. */
  handle(exchange: Exchange): Promise<EngineResponse>;
  /** @returns `path` if only operations with other methods have the path */
  match(request: Pick<Exchange, 'method' | 'path'>): 'operation' | 'path' | undefined;
  /**
   * @param exchange undefined for input that is not a request
   * @returns the response to an error outside of `handle`, as declared by the operation of the request
   */
  reject(error: problem.Problem, exchange?: Exchange): MaybePromise<EngineResponse>;
}

/**
 * Creates the engine of a contract.
 *
 * @throws {ContractErrors} for an operation without handler, a handler without operation, and a
 *   security scheme without verifier
 */
export async function createEngine<Context>(options: EngineOptions<Context>): Promise<Engine> {
  const { definition, verifiers = {}, realm = realmOf(definition) } = options;
  const security = new Security(definition, { verifiers, realm }, (each) =>
    isMocked(each, options),
  );
  const errors = [...handlerErrors(options), ...security.errors];
  if (errors.length > 0) throw new ContractErrors(errors);

  const validators = new Validators(definition, 'request');
  const coercions = new Coercions(validators);
  const responseValidators = new Validators(definition, 'response');
  const replies = new Replies(definition, responseValidators, options.responseValidation);
  const preparation = new Preparation(definition, validators, responseValidators);
  const loadMocks = once(() =>
    createMocks(definition, responseValidators, preparation, options.mockOptions),
  );
  const isMockedHere = (operation: Operation) => isMocked(operation, options);
  const hasMocks = definition.operations.some(isMockedHere);
  const mocks = hasMocks ? await loadMocks() : undefined;
  const errorResponses = new ErrorResponses({
    definition,
    replies,
    preparation,
    format: options.errors,
    mock: async (operation, status) => (await loadMocks()).replyWith(operation, status),
    isMocked: isMockedHere,
  });
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
      ...operationHandlers(options, compiled, preparation, replies, mocks),
    },
  });
  await backend.init();
  const reject = (error: problem.Problem, operation: Operation | undefined, cause?: unknown) => {
    const log = { route: operation?.path, operationId: operation?.operationId, cause };
    const sent = (response: HttpResponse): EngineResponse => ({ ...response, ...log });
    // The formatter of the application may throw.
    const failed = (thrown: unknown): EngineResponse => ({
      ...undeclaredResponse(problem.internalError()),
      ...log,
      cause: thrown,
    });
    try {
      const response = errorResponses.of(error, operation);
      return response instanceof Promise ? response.then(sent, failed) : sent(response);
    } catch (thrown) {
      return failed(thrown);
    }
  };
  const engine: Engine = {
    async handle(exchange) {
      let isStreaming = false;
      try {
        const reply: HttpResponse = await backend.respond(exchange);
        const { path: route, operationId } = exchange.operation ?? NO_OPERATION;
        isStreaming = releaseAfter(reply.body, exchange.release);
        const { status, headers, body } = reply;
        return { status, headers, body, route, operationId, cause: exchange.violation };
      } catch (error) {
        const sent = problemOf(error, options);
        const cause = sent === error ? sent.cause : error;
        return reject(sent, exchange.operation, cause);
      } finally {
        if (exchange.release !== undefined && !isStreaming) await exchange.release();
      }
    },
    match({ method, path }) {
      if (router.match(method, path) !== undefined) return 'operation';
      return router.allowed(path).length > 0 ? 'path' : undefined;
    },
    reject(error, exchange) {
      const operation = exchange && router.match(exchange.method, exchange.path)?.operation;
      return reject(error, operation, error.cause);
    },
  };
  if (!hasMocks) return engine;
  const operations = { router, isMocked: isMockedHere, areAllMocked: options.mock === 'all' };
  const handle = withPreferences(engine.handle, operations);
  return { ...engine, handle: options.hasMockCors ? withCors(handle, operations) : handle };
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
    // openapi-backend's securityHandlers would take five promises for each scheme.
    postSecurityHandler(_context, exchange: Exchange) {
      const read = () => {
        const prepared = preparation.request(exchange.operation!);
        const own = compiled.get(exchange.operation!)!;
        return prepared === undefined
          ? own.read(exchange)
          : prepared.then(() => own.read(exchange));
      };
      const admitted = () => {
        const { principal } = exchange;
        return admit === undefined || principal === undefined
          ? read()
          : admit(principal).then(read);
      };
      const authorized = security.authorize(exchange);
      return authorized === undefined ? admitted() : authorized.then(admitted);
    },
    validationFail({ validation }) {
      throw problem.contractViolation(validation.errors![0]!.message!);
    },
  };
}

function operationHandlers<Context>(
  options: EngineOptions<Context>,
  compiled: ReadonlyMap<Operation, CompiledOperation>,
  preparation: Preparation,
  replies: Replies,
  mocks: Mocks | undefined,
): HandlerMap {
  const entries = [...compiled.values()].map(({ operation, backendOperation }) => {
    const handle = isMocked(operation, options) ? mocks!.reply : handlerOf(operation, options);
    const respond = (exchange: Exchange, reply: HandlerReply | BestEffort) => {
      const report = (violation: Error) => {
        exchange.violation = violation;
      };
      if (!(reply instanceof BestEffort)) {
        const prepared = preparation.response(operation, reply.status);
        return prepared === undefined
          ? replies.serialize(operation, reply, report)
          : prepared.then(() => replies.serialize(operation, reply, report));
      }
      report(new InvalidReply(`${operation.operationId}: ${reply.violation}`));
      return reply.toHttpResponse();
    };
    const handleAndRespond = (_context: BackendContext, exchange: Exchange) => {
      const reply = handle(exchange);
      // A promise of another realm is not an instance of Promise.
      return 'then' in reply
        ? Promise.resolve(reply).then((each) => respond(exchange, each))
        : respond(exchange, reply);
    };
    return [backendOperation.operationId, handleAndRespond];
  });
  return Object.fromEntries(entries);
}

type MaybePromise<T> = T | Promise<T>;
type Handle = (exchange: Exchange) => MaybePromise<HandlerReply | BestEffort>;

function handlerOf<Context>(
  operation: Operation,
  { handlers, context: contextOf }: EngineOptions<Context>,
): Handle {
  type Handler = (request: unknown, context: Context) => Promise<HandlerReply>;
  const handler = handlers![operation.operationId] as Handler;
  return (exchange) => {
    const context = contextOf?.(exchange as Exchange<never>) as MaybePromise<Context>;
    return context instanceof Promise
      ? context.then((each) => handler(requestOf(exchange), each))
      : handler(requestOf(exchange), context);
  };
}

/** Loaded on demand: a tenth of the code. */
async function createMocks(
  definition: Definition,
  validators: Validators,
  preparation: Preparation,
  options: MockOptions | undefined,
): Promise<Mocks> {
  const module = await import('../mock/mockHandler.ts');
  return module.createMocks(definition, validators, preparation, options);
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

function isMocked<Context>(
  { operationId }: Operation,
  { handlers = {}, mock }: Pick<EngineOptions<Context>, 'handlers' | 'mock'>,
): boolean {
  const isHandled = Object.hasOwn(handlers, operationId) && handlers[operationId] !== mocked;
  return mock === 'all' || !isHandled;
}

function problemOf<Context>(
  error: unknown,
  { toProblem, exposesErrors }: EngineOptions<Context>,
): problem.Problem {
  const known = error instanceof problem.Problem ? error : mapped(error, toProblem);
  const isExposed = exposesErrors === true && error instanceof InvalidReply;
  return known ?? problem.internalError(isExposed ? error.message : undefined);
}

/** A mapping that throws does not map. */
function mapped(
  error: unknown,
  toProblem: EngineOptions<unknown>['toProblem'],
): problem.Problem | undefined {
  try {
    return toProblem?.(error);
  } catch {
    return undefined;
  }
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

function handlerErrors<Context>({
  definition,
  handlers = {},
  mock = 'off',
}: EngineOptions<Context>): string[] {
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

/** The title, in the characters of a quoted string (RFC 9110, section 5.6.4). */
function realmOf({ document }: Definition): string {
  return String(document.info?.title ?? 'api').replace(/[^\x20-\x7e]|["\\]/g, '');
}
