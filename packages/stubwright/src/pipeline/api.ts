// An API: a contract with its handlers, for the adapters of Koa, Node and fetch.

import { EventEmitter } from 'node:events';
import {
  COUNT,
  type Contract,
  type ContractBundle,
  contractOf,
  errorFrom,
  expectNumbers,
  isThenable,
  type LoadedContract,
  type LoadOptions,
  loadContract,
  type MaybePromise,
  type Problem,
} from '@stubwright/contract';
import type { DeprecatedUsage } from '../deprecation/deprecations.ts';
import type { IdempotencyStore } from '../idempotency/idempotencyStore.ts';
import { type BodyLimits, bodyLimits } from '../request/body/nodeBody.ts';
import type { ContextRequest, Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import type { Verifier } from '../security/security.ts';
import { createEngine } from './engine.ts';
import type { HandlingOptions } from './engineOptions.ts';
import type { Engine, EngineResponse } from './engineResponse.ts';

/** All but the contract have defaults. */
export interface ApiOptions<Context = undefined, Native = unknown>
  extends HandlingOptions<Context> {
  /**
   * The path of the bundle that `stubwright generate` writes, or the bundle itself as an imported JSON module.
   * Also the path of OpenAPI files, with @stubwright/cli.
   */
  readonly contract: string | ContractBundle | LoadedContract;
  /** Verifiers by name of the security scheme; none by default. */
  readonly verifiers?: Readonly<Record<string, Verifier<Native>>> | undefined;
  /**
   * Called for each valid request. Its result is the second argument of the handler: the user, a
   * transaction. A promise or another thenable is awaited. By default undefined. An object with
   * `Symbol.asyncDispose` is a {@link DisposableContext}, which ends with the request.
   */
  readonly context?:
    | ((request: ContextRequest<Native>) => Context | PromiseLike<Context>)
    | undefined;
  /**
   * Keeps the responses of operations with `x-idempotency`, which need it: `memoryIdempotency` of
   * `stubwright/idempotency`, or `storeIdempotency` of `@stubwright/store`.
   */
  readonly idempotency?: IdempotencyStore<NoInfer<Context>> | undefined;
  /** Maximum size of one request body; by default 1 MiB. */
  readonly bodyLimitBytes?: number | undefined;
  /** Maximum total size of the request bodies that are being read or handled; by default 256 MiB. */
  readonly bodyMemoryBytes?: number | undefined;
}

/** A contract with its handlers. @typeParam Native the request type of the adapter */
export interface Api<Native = unknown> {
  readonly operations: readonly ApiOperation[];
  /** Emits an event for each response. Listeners run synchronously: they must be fast. */
  readonly events: ApiEmitter;
  /** @internal */
  readonly [internals]: ApiInternals<Native>;
}

/** The key of an API for the adapters. */
export const internals: unique symbol = Symbol('internals');

/** For the adapters. */
interface ApiInternals<Native> {
  readonly handle: (exchange: Exchange<Native>) => Promise<EngineResponse>;
  readonly match: (exchange: Exchange<Native>) => 'operation' | 'path' | undefined;
  readonly bodies: BodyLimits;
  /** Emits `internalError`. */
  readonly report: (error: Error) => void;
}

/** An operation of an API. */
export interface ApiOperation {
  readonly operationId: string;
  /** In upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
}

const BODY_LIMIT_BYTES = 1024 * 1024;
const BODY_MEMORY_BYTES = 256 * 1024 * 1024;

/**
 * Creates an API, for `stubwright/koa`, `stubwright/node` or `stubwright/fetch`.
 *
 * @throws {ContractErrors} for an invalid contract, an operation without handler, a handler without
 *   operation, a security scheme without verifier, and an option out of its range
 * @throws {RangeError | TypeError} for a size that is not an integer from 0
 * @example
 * const api = await createApi({ contract: 'generated/contract.json', handlers });
 * app.use(koaMiddleware(api));
 */
export async function createApi<Context = undefined, Native = unknown>(
  options: ApiOptions<Context, Native>,
): Promise<Api<Native>> {
  const { contract, bodyLimitBytes, bodyMemoryBytes, mock, ...rest } = options;
  expectNumbers(
    { bodyLimitBytes, bodyMemoryBytes },
    { bodyLimitBytes: COUNT, bodyMemoryBytes: COUNT },
  );
  const isMocked = mock !== undefined && mock !== 'off';
  const { definition } = await loaded(contract, { isMocked });
  const { events, report } = reportingEmitter<ApiEvents>();
  const warn = rest.exposeErrors ? emitWarning : undefined;
  const engine = await createEngine({ ...rest, mock, definition, report, warn });
  return {
    operations: definition.operations.map(({ operationId, method, path }) => ({
      operationId,
      method: method.toUpperCase(),
      path,
    })),
    events,
    [internals]: {
      handle(exchange) {
        return events.listenerCount('responded') > 0
          ? handleAndEmit(engine, exchange, events)
          : engine.handle(exchange);
      },
      match: engine.match,
      bodies: bodyLimits(bodyLimitBytes ?? BODY_LIMIT_BYTES, bodyMemoryBytes ?? BODY_MEMORY_BYTES),
      report,
    },
  };
}

function loaded(
  contract: ApiOptions['contract'],
  options: LoadOptions,
): MaybePromise<LoadedContract> {
  if (typeof contract === 'string') return loadContract(contract, options);
  return 'definition' in contract ? contract : contractOf(contract, options);
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'ContractWarning');
}

async function handleAndEmit(
  engine: Engine,
  exchange: Exchange,
  events: ApiEmitter,
): Promise<EngineResponse> {
  const startedAt = performance.now();
  const response = await engine.handle(exchange);
  const { route, operationId, status, cause, reason, deprecated } = response;
  const durationMs = performance.now() - startedAt;
  const { method } = exchange;
  events.emit('responded', {
    ...{ method, route, operationId, status, durationMs, cause, reason, deprecated },
  });
  return response;
}

interface Reporting<Events extends Record<keyof Events, unknown[]>> {
  /** The error of a listener, also of an async one, becomes the event `internalError`. */
  readonly events: EventEmitter<Events>;
  /** Emits `internalError`; without a listener, writes the error to stderr. Never throws. */
  readonly report: (error: Error) => void;
}

export function reportingEmitter<
  Events extends Record<keyof Events, unknown[]>,
>(): Reporting<Events> {
  const events = new EventEmitter<Events>();
  const report = (error: Error) => {
    if (!emit('internalError', error)) writeToStderr(error);
  };
  const emit = (name: string, ...values: unknown[]): boolean => {
    const failed = name === 'internalError' ? writeToStderr : report;
    const listeners = (events as EventEmitter).rawListeners(name);
    for (const listener of listeners) {
      try {
        const result: unknown = Reflect.apply(listener, events, values);
        if (isThenable(result)) {
          Promise.resolve(result).catch((thrown) => failed(errorFrom(thrown)));
        }
      } catch (thrown) {
        failed(errorFrom(thrown));
      }
    }
    return listeners.length > 0;
  };
  return { events: Object.assign(events, { emit }), report };
}

/** As Koa does for an application without an `error` listener. */
function writeToStderr(error: Error): void {
  try {
    console.error(error);
  } catch {
    // The error has a getter that throws.
  }
}

/** Payloads by event name, for a contract without a service. */
export interface ApiEvents {
  /** An operation, or a request that matches none, has a response. */
  responded: [response: ApiResponse];
  /**
   * An error that does not change a response: of a listener, of `toProblem`, of a format of errors, of a
   * body stream after its first chunk, of a handler after its time limit, or of the removal of an upload.
   * Without a listener, it is written to stderr.
   */
  internalError: [error: Error];
}

export type ApiEmitter = EventEmitter<ApiEvents>;

/** A response that an API has sent, without its body. */
export interface ApiResponse {
  /** A token (RFC 9110, section 9.1). */
  readonly method: string | undefined;
  /** The path template; undefined if no operation matches. */
  readonly route: string | undefined;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The error that caused a 500 or 503, or the violation of a reply that was sent; for the log only. */
  readonly cause: unknown;
  /** The message of an error if the declared response has no room for it. */
  readonly reason?: string | undefined;
  /** Undefined for a request without deprecated parts. */
  readonly deprecated?: DeprecatedUsage | undefined;
}

/** @param exchange the rejected request; undefined for input that is not a request */
export type ErrorResponder = (error: Problem, exchange?: Exchange) => MaybePromise<HttpResponse>;

/**
 * @param options `basePath` is that of all routes; undefined for the paths of the contract's servers
 * @returns a function that returns the response that the operation of a request declares for an error
 */
export async function errorResponder(options: {
  readonly definition: Contract;
  readonly basePath: string | undefined;
}): Promise<ErrorResponder> {
  // Loads openapi-backend, which no other tool needs.
  const { createEngine } = await import('./engine.ts');
  const { reject } = await createEngine({ ...options, mock: 'all' });
  return reject;
}
