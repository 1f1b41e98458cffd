// Loads the contracts of a service, and creates the engine and the documentation of each.

import { randomBytes } from 'node:crypto';
import {
  type Contract,
  type LoadedContract,
  loadContract,
  normalizedBasePath,
  type Operation,
  pageRulesOf,
  shown,
} from '@stubwright/contract';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineResponse,
} from 'stubwright/internals';
import { Docs, versionedDocs } from './docs/docs.ts';
import type { OpenVersions, openTracing } from './optional.ts';
import type { AnyApi, AnyOptions } from './options.ts';
import { isLoopback, type Settings } from './settings.ts';

export interface ActiveContract {
  readonly contract: LoadedContract;
  readonly engine: Pick<Engine, 'handle' | 'reject' | 'match'>;
  /** Undefined if DOCS is off. */
  readonly docs: Pick<Docs, 'respond'> | undefined;
  /** The base path of all routes; undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** The base path of the first route; `''` for none. */
  readonly prefix: string;
}

/** The engine options that do not depend on contract or settings. */
export type EngineParts<Context> = Pick<
  EngineOptions<Context>,
  | ('handlers' | 'context' | 'services' | 'log' | 'verifiers' | 'realm' | 'rateLimitOf')
  | ('toProblem' | 'errors' | 'responseValidation' | 'mockOptions' | 'cors' | 'recorder')
  | ('idempotency' | 'report' | 'warn')
> & {
  /** Undefined without served versions. */
  readonly openVersions: OpenVersions | undefined;
};

/** Where a contract is served. */
export interface ServedAt {
  /** The base path of all routes; undefined for the paths of the contract's servers. */
  readonly basePath: string | undefined;
  /** The only server of the published contract; undefined for its own servers. */
  readonly serverUrl: string | undefined;
}

/** A contract of the options, loaded. */
export interface LoadedApi<Services> extends ServedAt {
  readonly options: AnyApi<Services>;
  readonly contract: LoadedContract;
}

/**
 * @returns the contracts of `apis`, or the one of the options
 * @throws {TypeError} for `apis` beside options of one contract, and for a `basePath` that is no path
 * @throws {ContractErrors} for an invalid contract
 */
export async function loadApis<Services, Config extends Settings>(
  options: AnyOptions<Services, Config>,
  settings: Settings,
): Promise<LoadedApi<Services>[]> {
  if (!('apis' in options)) {
    const contract = await loaded(options.contract ?? settings.contract, settings);
    const { baseUrl } = settings;
    return [{ options, contract, basePath: baseUrl && pathOf(baseUrl), serverUrl: baseUrl?.href }];
  }
  const { apis, ...defaults } = options;
  expectAlone(defaults);
  if (apis.length === 0) throw new TypeError('apis: got none, expected one or more');
  return Promise.all(
    apis.map(async (api, at) => ({
      options: { ...defaults, ...api },
      contract: await loaded(expectedContract(api, at), settings),
      ...locationOf(api, at, settings),
    })),
  );
}

async function loaded(
  contract: LoadedContract | string,
  { mock, contractFolders }: Settings,
): Promise<LoadedContract> {
  if (typeof contract !== 'string') return contract;
  return loadContract(contract, { isMocked: mock !== 'off', allowOutside: contractFolders });
}

function expectedContract<Services>({ contract }: AnyApi<Services>, at: number) {
  if (contract !== undefined) return contract;
  throw new TypeError(
    `apis[${at}].contract: got undefined, expected a contract or the path of its bundle`,
  );
}

function expectAlone(defaults: object): void {
  const ofOne = ['contract', 'handlers', 'context', 'idempotency', 'compatibility', 'pin'].filter(
    (name) => name in defaults,
  );
  if (ofOne.length === 0) return;
  throw new TypeError(`got ${ofOne.join(', ')} beside apis, expected them in each of apis`);
}

function locationOf<Services>(
  { basePath }: AnyApi<Services>,
  at: number,
  { baseUrl }: Settings,
): ServedAt {
  const prefix = baseUrl && pathOf(baseUrl);
  if (basePath === undefined) return { basePath: prefix, serverUrl: baseUrl?.href };
  const ownPath = normalizedBasePath(basePath);
  if (ownPath === undefined) {
    throw new TypeError(
      `apis[${at}].basePath: got ${shown(basePath)}, expected a path such as /v1`,
    );
  }
  const path = (prefix ?? '') + ownPath;
  return { basePath: path, serverUrl: (baseUrl?.origin ?? '') + path || '/' };
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

interface Placement extends ServedAt {
  /** True if log, metrics and spans name the base path: the service has other contracts. */
  readonly isOneOfSeveral: boolean;
}

/** @throws {ContractErrors} if handlers or verifiers do not match the contract */
export async function activate<Context>(
  contract: LoadedContract,
  { basePath, serverUrl, isOneOfSeveral }: Placement,
  settings: Settings,
  { openVersions, ...parts }: EngineParts<Context>,
  tracing: Awaited<ReturnType<typeof openTracing>>,
): Promise<ActiveContract> {
  const { definition, publish } = contract;
  const { baseUrl, isProduction, mock, handlerTimeoutSeconds, sunset } = settings;
  const options: EngineOptions<Context> = {
    ...parts,
    verifiers: openVersions?.verifiers(parts.verifiers ?? {}) ?? parts.verifiers,
    definition,
    basePath,
    ...{ mock, sunset },
    keepAliveMs: Math.round(settings.eventKeepAliveSeconds * 1000),
    handlerTimeoutMs:
      handlerTimeoutSeconds > 0 ? Math.ceil(handlerTimeoutSeconds * 1000) : undefined,
    exposeErrors: !isProduction,
    warn: isProduction ? undefined : parts.warn,
    step: tracing?.tracedStep,
    cursorSecrets: cursorSecretsOf(settings),
    cors: settings.cors ?? parts.cors,
    hasMockCors: true,
  };
  const created = await createEngine(options);
  const prefix = prefixOf(contract, basePath);
  const current = isOneOfSeveral ? namedEngine(created, prefix) : created;
  const ownDocs =
    settings.docs === 'on'
      ? new Docs({ definition, publish, serverUrl, prefix, reject: current.reject })
      : undefined;
  const versions = openVersions?.around(current, options);
  // In production each version is opened at its first request, without a pin.
  if (!isProduction || openVersions?.opensAll) await versions?.openAll();
  const docs = versions && ownDocs ? versionedDocs(ownDocs, versions, baseUrl) : ownDocs;
  const engine = versions ? { ...versions.engine, match: current.match } : current;
  return { contract, engine: tracing?.tracedEngine(engine) ?? engine, docs, basePath, prefix };
}

/** @returns an engine whose responses name their contract by its base path */
function namedEngine(engine: Engine, prefix: string): Engine {
  const named = (response: EngineResponse): EngineResponse => ({
    ...response,
    api: prefix || '/',
    route: response.route === undefined ? undefined : prefix + response.route,
  });
  return {
    ...engine,
    handle: async (exchange) => named(await engine.handle(exchange)),
    async reject(error, exchange) {
      return named(await engine.reject(error, exchange));
    },
  };
}

/** @returns the base path of the first route; `''` for none */
export function prefixOf({ definition }: LoadedContract, basePath: string | undefined): string {
  return basePath ?? definition.operations[0]?.basePaths[0] ?? '';
}

type CursorSettings = Pick<Settings, 'cursorSecrets' | 'host' | 'isProduction'>;

let generated: readonly string[] | undefined;

/**
 * @returns the configured secrets; without any, one of this process in development on a loopback host, and
 *   undefined otherwise: other processes would reject its cursors
 */
function cursorSecretsOf(settings: CursorSettings): readonly string[] | undefined {
  if (settings.cursorSecrets?.length) return settings.cursorSecrets;
  if (settings.isProduction || !isLoopback(settings.host)) return undefined;
  generated ??= [randomBytes(32).toString('base64url')];
  return generated;
}

/** @returns a warning for handlers that may send cursors without CURSOR_SECRET */
export function cursorWarning(
  { operations }: Contract,
  settings: CursorSettings,
  isMocked: (operation: Operation) => boolean,
): string | undefined {
  if (settings.cursorSecrets?.length) return undefined;
  const signing = operations.filter((operation) => !isMocked(operation) && hasCursors(operation));
  if (signing.length === 0) return undefined;
  const effect =
    cursorSecretsOf(settings) === undefined
      ? 'page() fails'
      : 'other processes, and this one after a restart, reject the cursors of page()';
  const ids = signing.map(({ operationId }) => operationId).join(', ');
  return `CURSOR_SECRET is not set: ${effect} (${ids})`;
}

function hasCursors(operation: Operation): boolean {
  const { kind, parameter } = pageRulesOf(operation)?.pagination ?? {};
  return (kind === 'cursor' || kind === 'link') && parameter !== undefined;
}
