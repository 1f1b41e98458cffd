// Starts a service: contract, authentication, store, engine, application and server.

import { type LoadedContract, loadContract } from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { removeLeftovers } from '@stubwright/contract/values';
import type { MockOptions } from '@stubwright/mock/mocked';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Logger } from 'pino';
import {
  type ApiOperation,
  type ContextRequest,
  type CorsOptions,
  type HandlingOptions,
  isMocked,
  mockWarnings,
  originOf,
  reportingEmitter,
  type Verifier,
} from 'stubwright/internals';
import { type ActiveContract, activate, type EngineParts } from './activeContract.ts';
import { type Authentication, configuredTokens, openAuthentication } from './authentication.ts';
import { expectNumericOptions } from './numericOptions.ts';
import type { AdminListener } from './operations/admin/listener.ts';
import type { KeyTimes } from './operations/auth/jwks.ts';
import type { TokenSet } from './operations/auth/tokens.ts';
import { logEvents } from './operations/eventLog.ts';
import type { ServiceEvents } from './operations/events.ts';
import { createLog, type Log, logTo } from './operations/log.ts';
import { Shedding } from './operations/shedding.ts';
import type { InSpan } from './operations/trace.ts';
import {
  openAdmin,
  openAuthFailures,
  openRateLimit,
  openRecorder,
  openTracing,
  openVersions,
} from './optional.ts';
import { NO_STORE, type Resources } from './resources.ts';
import { Draining } from './server/draining.ts';
import { type Limits, limits } from './server/limits.ts';
import { type State, serve, stop } from './serving.ts';
import { type Environment, readSettings, type Settings } from './settings.ts';

/** A running service. */
export interface Service {
  /** The base URL of all routes: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The URL of probes and metrics; undefined if ADMIN_PORT is not set. */
  readonly adminUrl: string | undefined;
  /** The database, without a password; undefined if `open` does not name it. */
  readonly database: string | undefined;
  /** The token generated at start; undefined if tokens are configured. */
  readonly generatedToken: string | undefined;
  readonly tokens: TokenSet;
  /** The path templates include the base path. */
  readonly operations: readonly ApiOperation[];
  /** @returns a curl command for a valid request; undefined if no operation has one */
  curl(token: string): Promise<string | undefined>;
  /**
   * Replaces the contract.
   *
   * @throws {ContractErrors} if the handlers do not match; the current contract stays active
   */
  serve(contract: LoadedContract): Promise<void>;
  /** @returns the path of the backup; undefined if the store creates none */
  backUp(): Promise<string | undefined>;
  /**
   * Graceful shutdown in stages, each logged: reports not ready, serves requests for the grace period,
   * completes the requests in flight, closes the store.
   */
  stop(): Promise<void>;
}

/** What `open` receives. */
export interface OpenContext<Config extends Settings = Settings> {
  readonly settings: Config;
  readonly log: Log;
  /** Calls a function in a span; undefined without tracing. */
  readonly inSpan: InSpan | undefined;
}

/** All have defaults. */
export interface ServiceOptions<
  Services = undefined,
  Config extends Settings = Settings,
  Context = Services,
> extends Pick<
    HandlingOptions<Context>,
    'handlers' | 'realm' | 'toProblem' | 'errors' | 'responseValidation'
  > {
  /** Reads settings of the service's own, besides those of stubwright; by default stubwright's `readSettings`. */
  readonly readSettings?: ((env: Environment) => Config) | undefined;
  /** The environment that the settings are read from; by default an empty one, that of the process for runService. */
  readonly env?: Environment | undefined;
  /** Instead of those of the environment. */
  readonly settings?: Config | undefined;
  /** By default loaded from the path in the settings. */
  readonly contract?: LoadedContract | undefined;
  /** The configured tokens; by default those of API_TOKENS and API_TOKENS_FILE. */
  readonly tokens?: readonly string[] | undefined;
  /** Any pino logger; by default JSON lines on standard output, from the level of the settings. */
  readonly log?: Logger | undefined;
  /**
   * Called for each valid request. Its result is the second argument of the handler, by default the
   * services. A promise or another thenable is awaited. An object with `Symbol.asyncDispose` is a
   * `DisposableContext`, which ends with the request.
   */
  readonly context?:
    | ((request: ContextRequest<KoaContext>, services: Services) => Context | PromiseLike<Context>)
    | undefined;
  /**
   * Koa middleware around each request that the server accepts, also for `/docs`. It may respond itself,
   * and change the response, whose validation is then over. `requestOf` has the id and the log of the
   * request.
   */
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * @param verify validates the configured tokens and the JWTs of the issuer
   * @returns verifiers by name of the security scheme; none by default
   */
  readonly verifiers?:
    | ((verify: Verifier) => Readonly<Record<string, Verifier<never>>>)
    | undefined;
  /**
   * Opens the services of the handlers, after the contract is loaded. By default `services` is undefined.
   * Not called if MOCK is `all`.
   */
  readonly open?: ((context: OpenContext<Config>) => Promise<Resources<Services>>) | undefined;
  /**
   * The origins that may call the service from a browser (CORS), unless CORS_ORIGINS lists others; by
   * default those of `x-cors` in the contract, or none.
   */
  readonly cors?: CorsOptions | undefined;
  /**
   * The path of the file with the versions of the contract that stay served; by default
   * `compatibility.yaml` in the working directory, if it exists.
   */
  readonly compatibility?: string | undefined;
  /** For mocked operations. By default they reply with their examples. */
  readonly mockOptions?: MockOptions | undefined;
  /** Tests may lower these and keyTimes. */
  readonly bounds?: Limits | undefined;
  readonly keyTimes?: KeyTimes | undefined;
}

/** Options with a `context` of another type than the services. */
export type WithContext<Services, Config extends Settings, Context> = ServiceOptions<
  Services,
  Config,
  Context
> &
  Required<Pick<ServiceOptions<Services, Config, Context>, 'context'>>;

const LOGGED_WARNINGS = 20;

/**
 * Starts a service.
 *
 * @throws {RangeError | TypeError} for a number of `settings`, `bounds` or `keyTimes` out of its range
 * @throws {ConfigError} without authentication on a host that is not a loopback address
 * @throws {ContractErrors} for an invalid contract, or handlers that do not match it
 * @throws {NodeJS.ErrnoException} `EADDRINUSE`, `EACCES`, … if it cannot listen on the address
 * @throws the error of `open`
 */
export function startService<Services = undefined, Config extends Settings = Settings>(
  options: ServiceOptions<Services, Config>,
): Promise<Service>;
/** With a `context` of another type than the services. */
export function startService<Services, Config extends Settings, Context>(
  options: WithContext<Services, Config, Context>,
): Promise<Service>;
export async function startService<Services, Config extends Settings, Context>(
  options: ServiceOptions<Services, Config, Context>,
): Promise<Service> {
  const settings = options.settings ?? settingsOf(options, options.env ?? {});
  expectNumericOptions({ ...options, settings });
  const { tokens = configuredTokens(settings), log: logger = createLog(settings.logLevel) } =
    options;
  const log = logTo(logger);
  const { events, report } = reportingEmitter<ServiceEvents>();
  logEvents(events, log);
  void removeLeftovers();
  const authentication = await openAuthentication(settings, tokens, events, options.keyTimes);
  const contract = options.contract ?? (await contractOf(settings));
  logWarnings(contract, settings, options, log);
  const tracing = await openTracing();
  const resources = await open(options, { settings, log, inSpan: tracing?.inSpan });
  const { services, store = NO_STORE, database, addMetrics } = resources;
  const state: State = { isServing: false, isStopping: false };
  let admin: AdminListener | undefined;
  try {
    const checks = {
      serving: () => state.isServing,
      store: () => store.isReady(),
      ...(authentication.hasKeys && { issuer: authentication.hasKeys }),
    };
    admin = await openAdmin(settings, store, checks, events, addMetrics);
    const parts = await partsOf(options, settings, authentication, { services, log, report });
    authentication.tokens.setContractScopes(contract.definition.scopes);
    const slot = { active: await activate(contract, settings, parts, tracing) };
    const shedding = new Shedding({
      ...settings.shedding,
      waiting: () => store.waiting,
      events,
    });
    const { bounds = limits, middleware } = options;
    const draining = new Draining(bounds);
    const server = await serve(slot, state, {
      ...{ settings, events, shedding, draining, log, bounds, middleware },
      tokens: authentication.tokens,
    });
    state.isServing = true;
    const origin = originOf(server.address);
    return {
      url: origin + slot.active.prefix,
      get operations() {
        return operationsOf(slot.active);
      },
      curl: (token) => curlOf(slot.active, origin, token),
      adminUrl: admin?.url,
      database,
      generatedToken: authentication.generatedToken,
      tokens: authentication.tokens,
      async serve(changed) {
        slot.active = await activate(changed, settings, parts, tracing);
        authentication.tokens.setContractScopes(changed.definition.scopes);
      },
      backUp: async () => store.backUp?.(),
      stop: () =>
        stop(state, {
          ...{ settings, log, shedding, draining, server, store, admin },
          recorder: parts.recorder,
        }),
    };
  } catch (error) {
    await store.close();
    await admin?.close();
    throw error;
  }
}

/** @returns the settings of an environment */
export function settingsOf<Config extends Settings>(
  options: Pick<ServiceOptions<unknown, Config>, 'readSettings'>,
  env: Environment,
): Config {
  // `readSettings` is omitted only if Config is Settings.
  return options.readSettings?.(env) ?? (readSettings(env) as Config);
}

function logWarnings<Context>(
  { warnings, definition }: LoadedContract,
  { mock }: Settings,
  { handlers }: Pick<HandlingOptions<Context>, 'handlers'>,
  log: Log,
): void {
  const ofMocks = mockWarnings(definition, (each) => isMocked(each, { handlers, mock }));
  for (const warning of atMost(LOGGED_WARNINGS, [...warnings.map(textOf), ...ofMocks]))
    log.warn(warning);
}

interface GivenParts<Services> {
  readonly services: Services;
  readonly log: Log;
  readonly report: (error: Error) => void;
}

async function partsOf<Services, Config extends Settings, Context>(
  options: ServiceOptions<Services, Config, Context>,
  settings: Settings,
  authentication: Authentication,
  { services, log, report }: GivenParts<Services>,
): Promise<EngineParts<Context>> {
  const authFailures = await openAuthFailures(settings);
  const verify = authFailures?.guard(authentication.verify) ?? authentication.verify;
  const { context, handlers, realm, toProblem, errors, responseValidation, mockOptions, cors } =
    options;
  return {
    ...{ handlers, realm, toProblem, errors, responseValidation, mockOptions, cors },
    context: context && ((request) => context(request, services)),
    // `context` is omitted only if Context is Services.
    services: services as Context & Services,
    verifiers: options.verifiers?.(verify) ?? {},
    admit: await openRateLimit(settings),
    recorder: await openRecorder(settings, log),
    openVersions: await openVersions(options.compatibility ?? 'compatibility.yaml'),
    ...{ log, report },
    warn: (message) => log.warn(message),
  };
}

function operationsOf({ basePath, contract }: ActiveContract): ApiOperation[] {
  return contract.definition.operations.map(({ operationId, method, path, basePaths }) => ({
    operationId,
    method: method.toUpperCase(),
    path: (basePath ?? basePaths[0] ?? '') + path,
  }));
}

async function curlOf(
  { basePath, contract }: ActiveContract,
  origin: string,
  token: string,
): Promise<string | undefined> {
  const { exampleCurl } = await import('@stubwright/mock');
  return exampleCurl(contract.definition, { origin, basePath, token });
}

async function open<Services, Config extends Settings>(
  options: Pick<ServiceOptions<Services, Config>, 'open'>,
  context: OpenContext<Config>,
): Promise<Resources<Services>> {
  // A mocked operation receives no services.
  const isMocked = context.settings.mock === 'all';
  if (options.open !== undefined && !isMocked) return options.open(context);
  // `open` is omitted only if Services is undefined.
  const none = { services: undefined as Services };
  return options.open ? { ...none, database: 'none, every operation is mocked' } : none;
}

function contractOf({ contract, mock, contractFolders }: Settings): Promise<LoadedContract> {
  return loadContract(contract, { isMocked: mock !== 'off', allowOutside: contractFolders });
}

/** @returns the first lines, and the number of the others */
function atMost(count: number, lines: readonly string[]): readonly string[] {
  if (lines.length <= count) return lines;
  return [...lines.slice(0, count), `and ${lines.length - count} more`];
}
