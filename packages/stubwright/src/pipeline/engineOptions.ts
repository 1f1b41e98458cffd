// The options of an engine, and their errors.
import {
  COUNT,
  type Contract,
  normalizedBasePath,
  numberViolation,
  type Operation,
  type Problem,
  rateLimitErrors,
  SHARE,
  shown,
  TIME_MS,
  TIMER_MS,
} from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { type MockMode, type MockOptions, mocked } from '@stubwright/mock/mocked';
import type { SunsetPolicy } from '../deprecation/deprecations.ts';
import type { IdempotencyStore } from '../idempotency/idempotencyStore.ts';
import type { ContextRequest, Exchange, RequestLog } from '../request/exchange.ts';
import type { ErrorFormat } from '../response/errorFormat.ts';
import type { ResponseValidation } from '../response/reply.ts';
import type { SecurityOptions } from '../security/security.ts';
import { type CorsOptions, corsViolation, declaredCors } from './corsPolicy.ts';
import type { Recorder, RequestEntry } from './engineResponse.ts';

/** What an API and its engine are given alike. All have defaults. */
export interface HandlingOptions<Context> {
  /** Handlers by operationId, or `mocked`; none by default. */
  readonly handlers?: AnyHandlers<Context> | undefined;
  /** The operations that are mocked in addition to those marked `mocked`; by default `off`. */
  readonly mock?: MockMode | undefined;
  /** The protection space in `WWW-Authenticate` (RFC 9110, section 11.5); by default the title of the contract. */
  readonly realm?: string | undefined;
  /** The parent of the log of each request, such as a pino logger; by default its lines are discarded. */
  readonly log?: RequestLog | undefined;
  /** Maps an error of the services to a Problem; undefined for an internal error. */
  readonly toProblem?: ToProblem | undefined;
  /**
   * The format of error bodies where the contract allows several, or declares none: `problem` (RFC 9457,
   * the default), `numbered` (`{error, message}`), or a function.
   */
  readonly errors?: ErrorFormat | undefined;
  /** By default `strict`. */
  readonly responseValidation?: ResponseValidation | undefined;
  /**
   * True in development: a 500 response reports how a reply violates the contract, and a warning of the
   * process each property that a handler returns and the contract does not declare. By default false.
   */
  readonly exposeErrors?: boolean | undefined;
  /** The base path of all routes, such as `/api`; by default the paths of the contract's servers. */
  readonly basePath?: string | undefined;
  /**
   * Maximum time for a verifier, for a handler with its context, and for the disposal of the context, in
   * milliseconds; then the signal of the request is aborted, the response is a 503, and a later result is
   * discarded. By default there is no limit.
   */
  readonly handlerTimeoutMs?: number | undefined;
  /**
   * The interval of comments that keep idle event streams open, in milliseconds; by default 15,000, and 0
   * for none.
   */
  readonly keepAliveMs?: number | undefined;
  /**
   * The origins that may call the API from a browser (CORS); by default those of `x-cors` in the contract,
   * or none.
   */
  readonly cors?: CorsOptions | undefined;
  /**
   * The secrets of the cursors that `page` of `stubwright/pages` signs, the same in all processes: the first
   * one signs, all verify. By default there is none, and `page` throws where it needs one.
   */
  readonly cursorSecrets?: readonly string[] | undefined;
  /** Records who sends what: `recorder` of `stubwright/recording`; by default nothing is recorded. */
  readonly recorder?: Recorder | undefined;
}

/** All but the definition have defaults. */
export interface EngineOptions<Context> extends HandlingOptions<Context> {
  readonly definition: Contract;
  /** Verifiers by name of the security scheme; none by default. */
  readonly verifiers?: SecurityOptions['verifiers'] | undefined;
  readonly mockOptions?: MockOptions | undefined;
  /** Called after the validation of the request; its result is passed to the handler. */
  readonly context?: ContextOf<Context> | undefined;
  /** Passed to the handlers without `context`; not disposed. */
  readonly services?: Context | undefined;
  /** @returns undefined for an operation without a rate limit */
  readonly rateLimitOf?: RateLimitOf | undefined;
  /** Calls a step of a request (`validate`) in a span; undefined without tracing. */
  readonly step?: TraceStep | undefined;
  /** True to enable CORS from any origin for mocked operations, without `cors`. */
  readonly hasMockCors?: boolean | undefined;
  /**
   * Called with an error that does not change a response: of `toProblem`, a format of errors, or the
   * removal of an upload. It must not throw. By default such errors are ignored.
   */
  readonly report?: ((error: Error) => void) | undefined;
  /** Of requests that use a part with `x-sunset`; served by default. */
  readonly sunset?: SunsetPolicy | undefined;
  /** Of operations with `x-idempotency`. Its type is that of the context that handlers receive. */
  readonly idempotency?: IdempotencyStore<never> | undefined;
  /** For an older contract that stays served; undefined for the current one. */
  readonly entryOf?: RequestEntryOf | undefined;
  /** Called in development, once for each property that a handler returns and the contract does not declare. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** The values of a request whose handler has thrown, as they were received. */
export interface FailedRequest {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly header?: Readonly<Record<string, unknown>> | undefined;
  readonly cookie?: Readonly<Record<string, unknown>> | undefined;
  /** Undefined without a body, and for one that the handler reads itself. */
  readonly body?: unknown;
}

export type ToProblem = (error: unknown, request: FailedRequest) => Problem | undefined;

/** A handler of any operation; HandlersOf has the exact types. */
export type AnyHandler<Context> = (request: never, context: Context) => unknown;

/** Creates the second argument of a handler. */
export type ContextOf<Context> = (request: ContextRequest<never>) => Context | PromiseLike<Context>;

/**
 * Counts a request of a caller, before its body is read.
 *
 * @param principals at least one, by name of the scheme
 * @returns headers of its response
 * @throws {Problem} to reject it
 */
export type Admit = (
  principals: Exchange['principals'],
) => Promise<Readonly<Record<string, string>> | undefined>;

/** @returns undefined if the requests of the operation are not counted */
export type RateLimitOf = (operation: Operation) => Admit | undefined;

/** @returns that of the current contract; undefined for an operation that the current contract does not have */
export type RequestEntryOf = (operation: Operation) => RequestEntry | undefined;

/** Calls a step of a request (`validate`) in a span. */
export type TraceStep = <T>(name: string, callback: () => T) => T;

export type AnyHandlers<Context> = Readonly<Record<string, AnyHandler<Context> | typeof mocked>>;

/** In characters: 32 hexadecimal digits have 128 bits. */
export const MIN_SECRET_LENGTH = 32;

/** @returns true for an operation without a handler of the application */
export function isMocked<Context>(
  { operationId }: Operation,
  { handlers = {}, mock }: Pick<HandlingOptions<Context>, 'handlers' | 'mock'>,
): boolean {
  const isHandled = Object.hasOwn(handlers, operationId) && handlers[operationId] !== mocked;
  return mock === 'all' || !isHandled;
}

/** @returns a line for each option that this contract does not allow */
export function optionErrors<Context>(options: EngineOptions<Context>): string[] {
  const { definition, realm, basePath, cors, cursorSecrets = [] } = options;
  // A header can carry no other characters in a way that clients agree on.
  const isRealm =
    realm === undefined || (typeof realm === 'string' && /^[\x20-\x7e]*$/.test(realm));
  const isBasePath = basePath === undefined || normalizedBasePath(basePath) !== undefined;
  const usedCors = cors ?? declaredCors(definition);
  const corsError = usedCors === undefined ? undefined : corsViolation(usedCors);
  return [
    ...handlerErrors(options),
    isRealm ? [] : `realm: got ${shown(realm)}, expected printable ASCII characters`,
    isBasePath ? [] : `basePath: got ${shown(basePath)}, expected a path such as /api`,
    ...numberErrors(options),
    corsError === undefined ? [] : `${cors === undefined ? 'x-cors' : 'cors'}: ${corsError}`,
    // A secret is not in the message.
    ...cursorSecrets.map(({ length }, at) =>
      length >= MIN_SECRET_LENGTH
        ? []
        : `cursorSecrets: expected at least ${MIN_SECRET_LENGTH} characters in each, got ${length} at ${at}`,
    ),
  ].flat();
}

function handlerErrors<Context>({
  definition,
  handlers = {},
  mock = 'off',
  entryOf,
}: EngineOptions<Context>): string[] {
  if (mock === 'all') return [];
  const declared = new Set(definition.operations.map(({ operationId }) => operationId));
  const missing = [...declared].filter((id) => mock === 'off' && !Object.hasOwn(handlers, id));
  const unknown = Object.keys(handlers).filter((id) => !declared.has(id));
  const served = definition.operations.filter(
    (operation) => !isMocked(operation, { handlers, mock }),
  );
  const causes = disablingErrors(definition);
  return [
    ...served.flatMap(({ errors }) => errors),
    // Those of the current contract apply to an older one.
    ...(entryOf === undefined ? served : []).flatMap((operation) =>
      rateLimitErrors(operation).map(
        ({ message }) => `${operation.route}: x-rate-limit: ${message}`,
      ),
    ),
    ...missing.map((id) => `operation ${id} has no handler`),
    ...unknown.flatMap(
      (id) => causes.get(id) ?? `handler ${id} belongs to no operation of the contract`,
    ),
  ];
}

/** @returns the errors of disabled operations, by operationId */
function disablingErrors({ disabledOperations, errors }: Contract): Map<string, string[]> {
  return new Map(
    disabledOperations.map(({ operationId, method, path }) => [
      operationId,
      errors.filter(({ operations }) => operations.includes(`${method} ${path}`)).map(textOf),
    ]),
  );
}

function numberErrors<Context>(options: EngineOptions<Context>): string[] {
  const { handlerTimeoutMs, keepAliveMs, mockOptions = {} } = options;
  const { delayMs, errorRate, items, itemIntervalMs } = mockOptions;
  const [shortest, longest]: readonly (number | undefined)[] = [delayMs ?? []].flat();
  const violations = [
    numberViolation('handlerTimeoutMs', handlerTimeoutMs, TIMER_MS),
    numberViolation('keepAliveMs', keepAliveMs, TIME_MS),
    numberViolation('mockOptions.delayMs', shortest, TIME_MS),
    numberViolation('mockOptions.delayMs', longest, { ...TIME_MS, min: Number(shortest) }),
    numberViolation('mockOptions.errorRate', errorRate, SHARE),
    numberViolation('mockOptions.items', items, COUNT),
    numberViolation('mockOptions.itemIntervalMs', itemIntervalMs, TIME_MS),
  ];
  return violations.filter((violation) => violation !== undefined);
}
