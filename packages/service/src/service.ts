// Starts a service: contract, authentication, store, engine, application and server.

import type { LoadedContract, Operation } from '@stubwright/contract';
import {
  COUNT,
  expectNumbers,
  type NumericRange,
  POSITIVE,
  SECONDS,
  TIME_MS,
} from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { removeLeftovers } from '@stubwright/contract/values';
import {
  type ApiOperation,
  isMocked,
  mockWarnings,
  originOf,
  reportingEmitter,
  type Verifier,
} from 'stubwright/internals';
import type { Recorder } from 'stubwright/recording';
import {
  type ActiveContract,
  activate,
  cursorWarning,
  type EngineParts,
  type LoadedApi,
  loadApis,
  prefixOf,
} from './activeContract.ts';
import { type Authentication, configuredTokens, openAuthentication } from './authentication.ts';
import type { AdminListener } from './operations/admin/listener.ts';
import type { KeyTimes } from './operations/auth/jwt.ts';
import type { TokenSet } from './operations/auth/tokens.ts';
import type { ServiceEvents } from './operations/events.ts';
import { createLog, type Log, logEvents, logTo } from './operations/log.ts';
import { Shedding } from './operations/shedding.ts';
import {
  failureGuard,
  openAdmin,
  openRecorder,
  openTracing,
  openVersions,
  optionalRateLimits,
} from './optional.ts';
import type {
  AnyApi,
  AnyOptions,
  CommonOptions,
  OpenContext,
  ServiceOptions,
  ServiceVerifier,
  SeveralContracts,
  WithContext,
} from './options.ts';
import { Closers, Draining, NO_STORE, type Resources, type State, stop } from './resources.ts';
import { ServedApis, serve } from './server/app.ts';
import type { Limits } from './server/server.ts';
import { limits } from './server/server.ts';
import { type Environment, readSettings, type Settings } from './settings.ts';

/** A running service. */
export interface Service {
  /** The base URL of all routes, of several contracts that of the first: `http://127.0.0.1:3000`. */
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
   * Replaces the contract; of several, the first.
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

/** What the start of a process prints. */
export interface RunningProcess extends Service {
  /** Why operations are disabled, and which; empty for a contract without errors. */
  readonly disabled: readonly string[];
}

const LOGGED_WARNINGS = 20;

/**
 * Starts a service.
 *
 * @throws {RangeError | TypeError} for a number of `settings`, `bounds` or `keyTimes` out of its range
 * @throws {TypeError} for `apis` with the same base path, or beside options of one contract
 * @throws {ConfigError} without authentication on a host that is not a loopback address
 * @throws {ContractErrors} for an invalid contract, or handlers that do not match it
 * @throws {NodeJS.ErrnoException} `EADDRINUSE`, `EACCES`, … if it cannot listen on the address
 * @throws the error of `open`
 */
export function startService<
  Services = undefined,
  Config extends Settings = Settings,
  Contexts extends readonly unknown[] = readonly [],
>(
  options: ServiceOptions<Services, Config> | SeveralContracts<Services, Config, Contexts>,
): Promise<Service>;
/** With a `context` of another type than the services. */
export function startService<Services, Config extends Settings, Context>(
  options: WithContext<Services, Config, Context>,
): Promise<Service>;
export function startService<Services, Config extends Settings>(
  options: AnyOptions<Services, Config>,
): Promise<Service> {
  return serviceOf(options);
}

/** Starts a service of one contract or of several. */
export async function serviceOf<Services, Config extends Settings>(
  options: AnyOptions<Services, Config>,
): Promise<RunningProcess> {
  const settings = options.settings ?? settingsOf(options, options.env ?? {});
  expectNumericOptions({ ...options, settings });
  const { tokens = configuredTokens(settings), log: logger = createLog(settings.logLevel) } =
    options;
  const log = logTo(logger);
  const { events, report } = reportingEmitter<ServiceEvents>();
  logEvents(events, log);
  void removeLeftovers();
  const authentication = await openAuthentication(settings, tokens, events, options.keyTimes);
  const loaded = await loadApis(options, settings);
  for (const loadedApi of loaded) logWarnings(loadedApi.contract, settings, loadedApi.options, log);
  const tracing = await openTracing();
  const opened = new Closers();
  let admin: AdminListener | undefined;
  // Closed last: probes are answered until the store is closed.
  opened.add(() => admin?.close());
  const resources = await open(options, { settings, log, inSpan: tracing?.inSpan });
  const { services, store = NO_STORE, database, addMetrics } = resources;
  opened.add(async () => {
    await store.close();
    // A start that fails has one line.
    if (state.isStopping) log.info('store closed');
  });
  opened.add(() => resources.close?.());
  const state: State = { isServing: false, isStopping: false };
  const rateLimitsOf = optionalRateLimits(settings.rateLimit, {
    service: titleOf(loaded[0]!),
    rateLimiter: options.rateLimiter,
    log,
  });
  try {
    const checks = {
      serving: () => state.isServing,
      store: () => store.isReady(),
      ...(authentication.hasKeys && { issuer: authentication.hasKeys }),
    };
    admin = await openAdmin(settings, store, checks, events, addMetrics);
    const shared: SharedParts<Services> = {
      ...{ services, report },
      verify: serviceVerifier(authentication, await failureGuard(settings)),
      log,
      warn: (message) => log.warn(message),
    };
    const isOneOfSeveral = loaded.length > 1;
    const recorders = await openRecorders(loaded, settings, { log, opened });
    const { compatibility = 'compatibility.yaml', pin } = loaded[0]!.options;
    const served = isOneOfSeveral ? undefined : await openVersions(compatibility, pin);
    const activated = async (api: LoadedApi<Services>, at: number) => {
      const rateLimitOf = await rateLimitsOf(api.contract.definition);
      // Mocks have a store of their own.
      const idempotency = settings.mock === 'all' ? undefined : api.options.idempotency?.(services);
      const ofApi = { recorder: recorders[at], openVersions: served, rateLimitOf, idempotency };
      const parts = { ...partsOf(api.options, shared), ...ofApi };
      return activate(api.contract, { ...api, isOneOfSeveral }, settings, parts, tracing);
    };
    const apis = new ServedApis(await Promise.all(loaded.map(activated)));
    authentication.tokens.setContractScopes(scopesOf(apis));
    const shedding = new Shedding(settings.shedding, store, events);
    opened.add(() => shedding.stop());
    const { middleware } = options;
    const bounds = { ...limits, ...options.bounds };
    const draining = new Draining(bounds);
    const server = await serve(apis, {
      ...{ state, settings, events, shedding, draining, log, bounds, middleware },
      tokens: authentication.tokens,
    });
    opened.add(async () => {
      // No request is shed that the drain answers.
      shedding.stop();
      draining.start();
      await server.drain();
      log.info('drained');
    });
    state.isServing = true;
    const origin = originOf(server.address);
    return {
      url: origin + apis.first.prefix,
      get operations() {
        return apis.all.flatMap(operationsOf);
      },
      curl: (token) => curlOf(apis.all, origin, token),
      adminUrl: admin?.url,
      database,
      generatedToken: authentication.generatedToken,
      disabled: loaded.flatMap(({ contract: { definition, warnings } }) =>
        definition.disabled.length === 0 ? [] : atMost(LOGGED_WARNINGS, warnings.map(textOf)),
      ),
      tokens: authentication.tokens,
      async serve(contract) {
        apis.replaceFirst(await activated({ ...loaded[0]!, contract }, 0));
        authentication.tokens.setContractScopes(scopesOf(apis));
      },
      backUp: async () => store.backUp?.(),
      stop: () => stop(state, { graceSeconds: settings.shutdownGraceSeconds, log, opened }),
    };
  } catch (error) {
    // An error of the close is a consequence; the operator needs the cause.
    await opened.close().catch((failure) => log.warn({ err: failure }, 'not closed'));
    throw error;
  }
}

/** @returns the settings of an environment */
export function settingsOf<Config extends Settings>(
  options: Pick<CommonOptions<unknown, Config>, 'readSettings'>,
  env: Environment,
): Config {
  // `readSettings` is omitted only if Config is Settings.
  return options.readSettings?.(env) ?? (readSettings(env) as Config);
}

function logWarnings<Services>(
  { warnings, definition }: LoadedContract,
  settings: Settings,
  { handlers }: Pick<AnyApi<Services>, 'handlers'>,
  log: Log,
): void {
  const { mock } = settings;
  const isMockedHere = (operation: Operation) => isMocked(operation, { handlers, mock });
  const ofMocks = mockWarnings(definition, isMockedHere);
  for (const warning of atMost(LOGGED_WARNINGS, [...warnings.map(textOf), ...ofMocks]))
    log.warn(warning);
  const ofCursors = cursorWarning(definition, settings, isMockedHere);
  if (ofCursors !== undefined) log.warn(ofCursors);
}

/** What the contracts of a service share. */
interface SharedParts<Services> extends Pick<EngineParts<never>, 'report' | 'warn'> {
  readonly services: Services;
  readonly log: Log;
  readonly verify: ServiceVerifier;
}

/** @param guard within AUTH_FAILURE_LIMIT, which the schemes share */
function serviceVerifier(
  { verifierOf }: Authentication,
  guard: (verify: Verifier) => Verifier,
): ServiceVerifier {
  return Object.assign(guard(verifierOf()), {
    forScheme: (scheme: string) => guard(verifierOf(scheme)),
  });
}

function partsOf<Services>(
  options: AnyApi<Services>,
  { services, verify, ...shared }: SharedParts<Services>,
): Omit<EngineParts<never>, 'openVersions' | 'rateLimitOf'> {
  const { context, handlers, realm, toProblem, errors, responseValidation, mockOptions, cors } =
    options;
  return {
    ...{ handlers, realm, toProblem, errors, responseValidation, mockOptions, cors },
    context: context && ((request) => context(request, services) as never),
    // `context` is omitted only if the handlers receive the services.
    services: services as never,
    verifiers: options.verifiers?.(verify) ?? {},
    ...shared,
  };
}

/** Operations of several contracts may share their ids. */
async function openRecorders<Services>(
  loaded: readonly LoadedApi<Services>[],
  settings: Settings,
  { log, opened }: { readonly log: Log; readonly opened: Closers },
): Promise<Recorder[]> {
  const recorders: Recorder[] = [];
  for (const { contract, basePath } of loaded) {
    const prefix = loaded.length > 1 ? prefixOf(contract, basePath) : '';
    const recorder = await openRecorder(settings, log, prefix);
    if (recorder === undefined) continue;
    opened.add(() => recorder.close());
    recorders.push(recorder);
  }
  return recorders;
}

function titleOf({ contract: { definition } }: { readonly contract: LoadedContract }): string {
  return String(definition.document.info?.title);
}

function scopesOf({ all }: ServedApis): string[] {
  return [...new Set(all.flatMap(({ contract }) => contract.definition.scopes))];
}

function operationsOf({ basePath, contract }: ActiveContract): ApiOperation[] {
  return contract.definition.operations.map(({ operationId, method, path, basePaths }) => ({
    operationId,
    method: method.toUpperCase(),
    path: (basePath ?? basePaths[0] ?? '') + path,
  }));
}

async function curlOf(
  apis: readonly ActiveContract[],
  origin: string,
  token: string,
): Promise<string | undefined> {
  const { exampleCurl } = await import('@stubwright/mock');
  for (const { basePath, contract } of apis) {
    const line = await exampleCurl(contract.definition, { origin, basePath, token });
    if (line !== undefined) return line;
  }
  return undefined;
}

async function open<Services, Config extends Settings>(
  options: Pick<CommonOptions<Services, Config>, 'open'>,
  context: OpenContext<Config>,
): Promise<Resources<Services>> {
  // A mocked operation receives no services.
  const isMocked = context.settings.mock === 'all';
  if (options.open !== undefined && !isMocked) return options.open(context);
  // `open` is omitted only if Services is undefined.
  const none = { services: undefined as Services };
  return options.open ? { ...none, database: 'none, every operation is mocked' } : none;
}

/** @returns the first lines, and the number of the others */
function atMost(count: number, lines: readonly string[]): readonly string[] {
  if (lines.length <= count) return lines;
  return [...lines.slice(0, count), `and ${lines.length - count} more`];
}

const PORT: NumericRange = { min: 0, max: 65_535 };
const SETTINGS = {
  ...{ port: PORT, bodyLimitBytes: COUNT, bodyMemoryBytes: COUNT },
  ...{ connectionLimit: POSITIVE, connectionLimitPerAddress: POSITIVE },
  ...{ handlerTimeoutSeconds: SECONDS, eventKeepAliveSeconds: SECONDS },
  shutdownGraceSeconds: SECONDS,
};
const RATE = { requests: POSITIVE, windowSeconds: { ...SECONDS, min: 0.001 } };

interface NumericOptions {
  readonly settings: Settings;
  readonly bounds?: Partial<Limits> | undefined;
  readonly keyTimes?: KeyTimes | undefined;
}

/** @throws {RangeError | TypeError} for a number out of its range */
function expectNumericOptions({
  settings,
  bounds = {},
  keyTimes = {} as KeyTimes,
}: NumericOptions): void {
  const { admin, shedding, rateLimit, authFailureLimit } = settings;
  expectNumbers(settings, SETTINGS, 'settings.');
  expectNumbers(admin ?? {}, { port: PORT }, 'settings.admin.');
  expectNumbers(shedding, { queueLength: COUNT, lagMs: TIME_MS }, 'settings.shedding.');
  expectNumbers(rateLimit ?? {}, RATE, 'settings.rateLimit.');
  expectNumbers(authFailureLimit ?? {}, RATE, 'settings.authFailureLimit.');
  expectNumbers(bounds, rangesOf(bounds), 'bounds.');
  expectNumbers(keyTimes, rangesOf(keyTimes), 'keyTimes.');
}

function rangesOf(bounds: object): Record<string, NumericRange> {
  const names = Object.keys(bounds);
  return Object.fromEntries(names.map((name) => [name, TIME_MS]));
}
