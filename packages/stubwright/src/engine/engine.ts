// Handles requests: route, authenticate, media type, read, validate, handle, serialize.
import { finished, Readable } from 'node:stream';
import type { HandlerMap } from 'openapi-backend';
import { normalizedBasePath } from '../document/basePath.ts';
import { ContractErrors, type Definition, type Operation } from '../document/definition.ts';
import * as problem from '../errors/problem.ts';
import { errorFrom, shown } from '../errors/thrown.ts';
import { type MockMode, type MockOptions, mocked } from '../mock/mocked.ts';
import type { Mocks } from '../mock/mockHandler.ts';
import type { Exchange, Principal } from '../request/exchange.ts';
import { firstChunk } from '../response/byteStream.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import { type HttpResponse, Replies, type ResponseValidation } from '../response/reply.ts';
import { Coercions } from '../schema/coercion.ts';
import { Preparation } from '../schema/preparation.ts';
import { Validators } from '../schema/validator.ts';
import { Security, type SecurityOptions } from '../security/security.ts';
import { Backend } from './backend.ts';
import { CompiledOperation } from './compiledOperation.ts';
import type { EngineResponse } from './engineResponse.ts';
import { ErrorResponses } from './errorResponses.ts';
import { Failures } from './failures.ts';
import { withCors, withPreferences } from './mockRequests.ts';
import {
  type AnyHandler,
  type ContextOf,
  operationHandlers,
  withContext,
} from './operationHandlers.ts';
import { Router } from './router.ts';

type MaybePromise<T> = T | Promise<T>;

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
  readonly context?: ContextOf<Context> | undefined;
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
  /**
   * Called with an error that does not change a response: of `toProblem`, a format of errors, or the
   * removal of an upload. It must not throw. By default such errors are ignored.
   */
  readonly report?: ((error: Error) => void) | undefined;
}

export type Handlers<Context> = Readonly<Record<string, AnyHandler<Context> | typeof mocked>>;

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
  const { definition, verifiers = {}, realm = realmOf(definition), report = ignore } = options;
  const security = new Security(definition, { verifiers, realm }, (each) =>
    isMocked(each, options),
  );
  const errors = [
    ...handlerErrors(options),
    ...security.errors,
    ...realmErrors(options.realm),
    ...basePathErrors(options.basePath),
  ];
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
    report,
  });
  const compiled = new Map(
    definition.operations.map((each) => [
      each,
      new CompiledOperation(each, definition, validators, coercions),
    ]),
  );
  const router = new Router(definition, normalizedBasePath(options.basePath));
  const backend = new Backend({
    definition,
    router,
    compiled,
    step: options.step,
    handlers: {
      ...hooks(security, compiled, preparation, options.admit),
      ...operationHandlers({
        compiled: compiled.values(),
        preparation,
        replies,
        handleOf: (operation) =>
          isMockedHere(operation)
            ? mocks!.reply
            : withContext(handlerOf(operation, options), options.context),
      }),
    },
  });
  await backend.init();
  const failures = new Failures({
    errorResponses,
    toProblem: options.toProblem,
    exposesErrors: options.exposesErrors ?? false,
    report,
  });
  const engine: Engine = {
    async handle(exchange) {
      try {
        const { status, headers, body } = await openedBody(
          await backend.respond(exchange),
          exchange,
        );
        release(exchange, body, report);
        const { path: route, operationId } = exchange.operation ?? NO_OPERATION;
        return { status, headers, body, route, operationId, cause: exchange.violation };
      } catch (error) {
        release(exchange, undefined, report);
        return failures.thrown(error, exchange.operation);
      }
    },
    match({ method, path }) {
      if (router.match(method, path) !== undefined) return 'operation';
      return router.allowed(path).length > 0 ? 'path' : undefined;
    },
    reject(error, exchange) {
      const operation = exchange && router.match(exchange.method, exchange.path)?.operation;
      return failures.reject(error, operation, error.cause);
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

function handlerOf<Context>(
  { operationId }: Operation,
  { handlers }: EngineOptions<Context>,
): AnyHandler<Context> {
  return handlers![operationId] as AnyHandler<Context>;
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

/** @returns true for an operation without a handler of the application */
export function isMocked<Context>(
  { operationId }: Operation,
  { handlers = {}, mock }: Pick<EngineOptions<Context>, 'handlers' | 'mock'>,
): boolean {
  const isHandled = Object.hasOwn(handlers, operationId) && handlers[operationId] !== mocked;
  return mock === 'all' || !isHandled;
}

/**
 * Waits for the first chunk of a stream, which is discarded when the client is gone.
 *
 * @throws the error of a stream that fails before
 */
async function openedBody(response: HttpResponse, { body: source }: Exchange) {
  const { body } = response;
  if (!(body instanceof Readable)) return response;
  source.onClose?.(() => body.destroy());
  const error = await firstChunk(body);
  if (error !== undefined) throw error;
  return response;
}

/** Removes uploads without delaying the response; after the end of a stream, which may read one. */
function release(
  exchange: Exchange,
  body: HttpResponse['body'],
  report: (error: Error) => void,
): void {
  const remove = exchange.release;
  if (remove === undefined) return;
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

function ignore(): void {}

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

function basePathErrors(basePath: unknown): string[] {
  if (basePath === undefined || normalizedBasePath(basePath) !== undefined) return [];
  return [`basePath: got ${shown(basePath)}, expected a path such as /api`];
}

/** A header can carry no other characters in a way that clients agree on. */
function realmErrors(realm: unknown): string[] {
  if (realm === undefined || (typeof realm === 'string' && /^[\x20-\x7e]*$/.test(realm))) return [];
  return [`realm: got ${shown(realm)}, expected printable ASCII characters`];
}

/** The title without characters beyond ASCII. */
function realmOf({ document }: Definition): string {
  const title = String(document.info?.title ?? '');
  return title.replace(/[^\x20-\x7e]/g, '').trim() || 'api';
}
