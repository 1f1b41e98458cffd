// The contracts of a service, and which of them a request belongs to.

import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadedContract, loadContract, normalizedBasePath, shown } from '@stubwright/contract';
import type { Middleware } from 'koa';
import { type Exchange, type HttpRequest, originForm } from 'stubwright/internals';
import type { ActiveContract, ServedAt } from './activeContract.ts';
import type { TokenSet } from './operations/auth/tokens.ts';
import type { ServiceEmitter } from './operations/events.ts';
import type { Log } from './operations/log.ts';
import type { Shedding } from './operations/shedding.ts';
import type { AnyApi, AnyOptions } from './options.ts';
import type { Closers } from './resources.ts';
import { createApp, type Draining } from './server/app.ts';
import { type HttpServer, type Limits, listen } from './server/server.ts';
import type { Settings } from './settings.ts';

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
    apis.map(async (each, at) => ({
      options: { ...defaults, ...each },
      contract: await loaded(expectedContract(each, at), settings),
      ...locationOf(each, at, settings),
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
  const own = normalizedBasePath(basePath);
  if (own === undefined) {
    throw new TypeError(
      `apis[${at}].basePath: got ${shown(basePath)}, expected a path such as /v1`,
    );
  }
  const path = (prefix ?? '') + own;
  return { basePath: path, serverUrl: (baseUrl?.origin ?? '') + path || '/' };
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

/** The contracts that a service serves. */
export class ServedApis {
  readonly #active: ActiveContract[];
  /** The longest base path first. */
  #byPrefix: ActiveContract[] = [];

  /** @throws {TypeError} for contracts with the same base path */
  constructor(active: readonly ActiveContract[]) {
    this.#active = [...active];
    this.#sort();
    const prefixes = active.map(({ prefix }) => prefix);
    const twice = prefixes.find((prefix, at) => prefixes.indexOf(prefix) !== at);
    if (twice === undefined) return;
    throw new TypeError(
      `apis: got two contracts with the base path ${twice || '/'}, expected another basePath for each`,
    );
  }

  get all(): readonly ActiveContract[] {
    return this.#active;
  }

  get first(): ActiveContract {
    return this.#active[0]!;
  }

  /** Replaces the first contract, the only one in development. */
  replaceFirst(active: ActiveContract): void {
    this.#active[0] = active;
    this.#sort();
  }

  /** @returns the contract with the operation of a request, or with its path */
  of(exchange: Exchange): ActiveContract {
    if (this.#active.length === 1) return this.#active[0]!;
    let ofPath: ActiveContract | undefined;
    for (const activeContract of this.#byPrefix) {
      const match = activeContract.engine.match(exchange);
      if (match === 'operation') return activeContract;
      if (match === 'path') ofPath ??= activeContract;
    }
    return ofPath ?? this.below(exchange);
  }

  /** @returns the contract whose base path is the start of the path, or else the first */
  below({ url }: Pick<HttpRequest, 'url'>): ActiveContract {
    if (this.#active.length === 1) return this.first;
    const [path = ''] = originForm(url).split('?');
    const isBelow = ({ prefix }: ActiveContract) =>
      path === prefix || path.startsWith(`${prefix}/`);
    return this.#byPrefix.find(isBelow) ?? this.first;
  }

  #sort(): void {
    this.#byPrefix = this.#active.toSorted((a, b) => b.prefix.length - a.prefix.length);
  }
}

export interface State {
  /** Reported by the readiness probe. */
  isServing: boolean;
  isStopping: boolean;
}

interface Serving {
  readonly settings: Settings;
  readonly events: ServiceEmitter;
  readonly shedding: Shedding;
  readonly draining: Draining;
  readonly log: Log;
  readonly bounds: Limits;
  readonly middleware: readonly Middleware[] | undefined;
  readonly tokens: TokenSet;
}

/** Listens with the engines and the documentation of the contracts. */
export async function serve(
  apis: ServedApis,
  state: State,
  { settings, events, shedding, draining, log, bounds, middleware, tokens }: Serving,
): Promise<HttpServer> {
  const app = createApp({
    engine: {
      handle: (exchange) => apis.of(exchange).engine.handle(exchange),
      reject: (error, exchange) =>
        (exchange ? apis.of(exchange) : apis.first).engine.reject(error, exchange),
    },
    fallback: async (request) => apis.below(request).docs?.respond(request),
    events,
    shed: shedding.rejection,
    draining,
    log,
    middleware,
    callerOf: tokens.callerOf,
    bodyLimitBytes: settings.bodyLimitBytes,
    bodyMemoryBytes: settings.bodyMemoryBytes,
    closesAfter: (response) => (state.isStopping ? server.isLast(response) : undefined),
  });
  const server = await listen(app.callback(), {
    host: settings.host,
    port: settings.port,
    maxConnections: settings.connectionLimit,
    maxConnectionsPerAddress: settings.connectionLimitPerAddress,
    events,
    bounds,
    errorResponse: (error) => apis.first.engine.reject(error),
  });
  return server;
}

interface Stopping {
  readonly graceSeconds: number;
  readonly log: Log;
  readonly opened: Closers;
}

/** Shuts down in stages, each logged. */
export async function stop(state: State, { graceSeconds, log, opened }: Stopping): Promise<void> {
  state.isServing = false;
  state.isStopping = true;
  log.info({ graceSeconds }, 'not ready');
  await sleep(graceSeconds * 1000);
  log.info('draining');
  await opened.close();
}
