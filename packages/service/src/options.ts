// The options of a service.

import type { LoadedContract } from '@stubwright/contract';
import type { MockOptions } from '@stubwright/mock/mocked';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { IdempotencyStore } from 'stubwright/idempotency';
import type {
  ContextRequest,
  CorsOptions,
  HandlingOptions,
  Principal,
  Verifier,
} from 'stubwright/internals';
import type { KeyTimes } from './operations/auth/jwt.ts';
import type { Log } from './operations/log.ts';
import type { RateLimiter, RateLimiterLimit } from './operations/rateLimit.ts';
import type { InSpan } from './operations/trace.ts';
import type { Resources } from './resources.ts';
import type { Limits } from './server/server.ts';
import type { Environment, Settings } from './settings.ts';

/** What `open` receives. */
export interface OpenContext<Config extends Settings = Settings> {
  readonly settings: Config;
  readonly log: Log;
  /** Calls a function in a span; undefined without tracing. */
  readonly inSpan: InSpan | undefined;
}

/** The options of the process. All have defaults. */
export interface CommonOptions<Services, Config extends Settings> {
  /** Reads settings of the service's own, besides those of stubwright; by default stubwright's `readSettings`. */
  readonly readSettings?: ((env: Environment) => Config) | undefined;
  /** The environment that the settings are read from; by default an empty one, that of the process for runService. */
  readonly env?: Environment | undefined;
  /** Instead of those of the environment. */
  readonly settings?: Config | undefined;
  /** The configured tokens; by default those of API_TOKENS and API_TOKENS_FILE. */
  readonly tokens?: readonly string[] | undefined;
  /** Any pino logger; by default JSON lines on standard output, from the level of the settings. */
  readonly log?: Logger | undefined;
  /**
   * Koa middleware around each request that the server accepts, also for `/docs`. It may respond itself,
   * and change the response, whose validation is then over. `requestOf` has the id and the log of the
   * request.
   */
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * Opens the services of the handlers, after the contract is loaded. By default `services` is undefined.
   * Not called if MOCK is `all`.
   */
  readonly open?: ((context: OpenContext<Config>) => Promise<Resources<Services>>) | undefined;
  /**
   * Makes the limiters of RATE_LIMIT and `x-rate-limit`, such as those of rate-limiter-flexible in a store
   * that several processes share. Called once for each limit; by default each process counts in its memory.
   *
   * @example rateLimiter: (limit) => new RateLimiterRedis({ storeClient: redis, ...limit })
   */
  readonly rateLimiter?: ((limit: RateLimiterLimit) => RateLimiter) | undefined;
  /**
   * True if the start blocks the event loop in one long call. Signals of `runService` then keep their
   * default action during the start, since no handler could run.
   */
  readonly blocksAtStart?: ((settings: Config) => boolean) | undefined;
  /** Those of the server that are not its defaults; tests may lower these and keyTimes. */
  readonly bounds?: Partial<Limits> | undefined;
  readonly keyTimes?: KeyTimes | undefined;
}

/** Validates the credentials that are configured for a service. */
export interface ServiceVerifier extends Verifier {
  /**
   * Returns the verifier of another security scheme, which has credentials of its own.
   *
   * @returns a verifier of the static tokens with `scheme=` and this name, and of the token generated at start
   * @example verifiers: (verify) => ({ bearerAuth: verify, apiKey: verify.forScheme('apiKey') })
   */
  forScheme(scheme: string): Verifier;
}

/** How operations are served, for one contract or, as defaults, for several. All have defaults. */
export interface ServingOptions<Context>
  extends Pick<HandlingOptions<Context>, 'realm' | 'toProblem' | 'errors' | 'responseValidation'> {
  /**
   * @param verify validates the configured tokens and the JWTs of the issuer; `verify.forScheme(name)` the
   *   tokens of another scheme
   * @returns verifiers by name of the security scheme; none by default
   */
  readonly verifiers?:
    | ((verify: ServiceVerifier) => Readonly<Record<string, Verifier<never>>>)
    | undefined;
  /**
   * The origins that may call the service from a browser (CORS), unless CORS_ORIGINS lists others; by
   * default those of `x-cors` in the contract, or none.
   */
  readonly cors?: CorsOptions | undefined;
  /** For mocked operations. By default they reply with their examples. */
  readonly mockOptions?: MockOptions | undefined;
}

/** The handlers of a contract, and their second argument. */
interface HandlerOptions<Services, Context> extends Pick<HandlingOptions<Context>, 'handlers'> {
  /**
   * Called for each valid request. Its result is the second argument of the handler, by default the
   * services. A promise or another thenable is awaited. An object with `Symbol.asyncDispose` is a
   * `DisposableContext`, which ends with the request.
   */
  readonly context?:
    | ((request: ContextRequest<KoaContext>, services: Services) => Context | PromiseLike<Context>)
    | undefined;
  /**
   * Called after `open`. Keeps the responses of operations with `x-idempotency`, which need it:
   * `storeIdempotency` of `@stubwright/store`.
   */
  readonly idempotency?: ((services: Services) => IdempotencyStore<NoInfer<Context>>) | undefined;
}

/** The options of a service of one contract. All have defaults. */
export interface ServiceOptions<
  Services = undefined,
  Config extends Settings = Settings,
  Context = Services,
> extends CommonOptions<Services, Config>,
    ServingOptions<Context>,
    HandlerOptions<Services, Context> {
  /** By default loaded from the path in the settings. */
  readonly contract?: LoadedContract | undefined;
  /**
   * The path of the file with the versions of the contract that stay served; by default
   * `compatibility.yaml` in the working directory, if it exists.
   */
  readonly compatibility?: string | undefined;
  /**
   * The version of a principal whose request names none, such as the one of its first request; undefined
   * for the default. The versions need the same security. Called for each such request.
   */
  readonly pin?: ((principal: Principal) => string | undefined) | undefined;
}

/** Options with a `context` of another type than the services. */
export type WithContext<Services, Config extends Settings, Context> = ServiceOptions<
  Services,
  Config,
  Context
> &
  Required<Pick<ServiceOptions<Services, Config, Context>, 'context'>>;

/** One of the contracts of a service. */
export interface ApiContract {
  /** The contract, or the path of its bundle. The setting CONTRACT does not apply. */
  readonly contract: LoadedContract | string;
  /**
   * The path of all its routes, such as `/v1`, below the path of BASE_URL; by default the path of its
   * `servers`, or that of BASE_URL if it is set. It differs from those of the other contracts.
   */
  readonly basePath?: string | undefined;
}

/** One of the contracts of a service with its handlers, which receive the services or what `context` returns. */
export type ContractOptions<Services, Context> = ApiContract &
  ServingOptions<Context> &
  (
    | HandlerOptions<Services, Services>
    | (HandlerOptions<Services, Context> &
        Required<Pick<HandlerOptions<Services, Context>, 'context'>>)
  );

/**
 * The options of a service of several contracts: one process with one set of limits, metrics, log and
 * stop. `verifiers`, `errors` and the like apply to each contract that has none of its own.
 */
export interface SeveralContracts<
  Services,
  Config extends Settings,
  Contexts extends readonly unknown[],
> extends CommonOptions<Services, Config>,
    ServingOptions<never> {
  readonly apis: readonly [...{ [At in keyof Contexts]: ContractOptions<Services, Contexts[At]> }];
}

/** The options of one contract, with handlers of any context. */
export interface AnyApi<Services> extends ServingOptions<never> {
  readonly contract?: LoadedContract | string | undefined;
  readonly basePath?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly pin?: ((principal: Principal) => string | undefined) | undefined;
  readonly handlers?: HandlingOptions<never>['handlers'];
  readonly context?:
    | ((request: ContextRequest<KoaContext>, services: Services) => unknown)
    | undefined;
  readonly idempotency?: ((services: Services) => IdempotencyStore<never>) | undefined;
}

/** Options of a service of one contract or of several. */
export type AnyOptions<Services, Config extends Settings> = CommonOptions<Services, Config> &
  (AnyApi<Services> | (ServingOptions<never> & { readonly apis: readonly AnyApi<Services>[] }));
