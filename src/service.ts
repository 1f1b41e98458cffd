// The one place that puts the parts together: contract, store, tokens, engine, application, server.
// Knows no environment and no process; main.ts does.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LoadedContract,
  loadContract,
  loadMockable,
} from '../packages/stubwright/src/loading/load.ts';
import type { Admin } from '../packages/stubwright/src/operations/admin/open.ts';
import type { KeyTimes } from '../packages/stubwright/src/operations/auth/issuerKeys.ts';
import type { TokenSet } from '../packages/stubwright/src/operations/auth/tokens.ts';
import type { Log } from '../packages/stubwright/src/operations/log.ts';
import { Shedding } from '../packages/stubwright/src/operations/shedding.ts';
import { createApp } from '../packages/stubwright/src/server/app.ts';
import { type Limits, limits, listen } from '../packages/stubwright/src/server/server.ts';
import type { Config } from './config.ts';
import { openIdentity } from './identity.ts';
import { openAdmin } from './optional.ts';
import { type PlantStore, StoreUnavailable } from './plants/store.ts';
import { serving } from './served.ts';
import { openStore, withoutSecrets } from './store/open.ts';

export interface Service {
  /** Where it listens, with the prefix of every route: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** What it stores plants in, for people: without a password. */
  readonly database: string;
  /** Where probes and metrics are served, if they are. */
  readonly adminUrl: string | undefined;
  /** The token made at start, where none was configured. */
  readonly madeToken: string | undefined;
  readonly tokens: TokenSet;
  /** A request that gets a success, as a curl line; undefined for a contract without operations. */
  curl(token: string): Promise<string | undefined>;
  /**
   * Answers by another contract from now on.
   *
   * @throws {ContractFaults} for one that the handlers do not fit; the one before stays
   */
  serve(contract: LoadedContract): Promise<void>;
  /** @returns the path of a copy of the store; undefined for a store that is no file */
  backUp(): Promise<string | undefined>;
  /**
   * Stops in stages, each logged: not ready, a grace period in which it goes on serving, then what is
   * in flight is answered, then the store is closed.
   */
  stop(): Promise<void>;
}

/** What a test may put in place of what the configuration says. */
export interface ServiceParts {
  readonly bounds?: Limits;
  readonly plants?: PlantStore;
  readonly keyTimes?: KeyTimes;
}

/** Where every operation is mocked, nobody stores anything. */
const NO_STORE: PlantStore = {
  create: () => Promise.reject(new StoreUnavailable('every operation is mocked')),
  find: () => Promise.reject(new StoreUnavailable('every operation is mocked')),
  isReady: () => Promise.resolve(true),
  waiting: 0,
  observe: () => {},
  close: () => Promise.resolve(),
};

/** A contract with more of them is no news at every start. */
const WARNINGS_TOLD = 20;

/**
 * Starts the service.
 *
 * @param tokens the configured tokens, those of the file included
 * @throws {ConfigError} without tokens on a host that others reach
 * @throws {ContractFaults | StoreRefused} and the system's error for an address that is taken
 */
export async function startService(
  config: Config,
  tokens: readonly string[],
  log: Log,
  { bounds = limits, plants: opened, keyTimes }: ServiceParts = {},
): Promise<Service> {
  const identity = await openIdentity(config, tokens, log, keyTimes);
  const load = config.mock === 'off' ? loadContract : loadMockable;
  const contract = await load(config.contract);
  for (const warning of atMost(WARNINGS_TOLD, contract.warnings)) log.warn(warning);
  const isMocked = config.mock === 'all';
  const plants = opened ?? (isMocked ? NO_STORE : await openLogged(config, log));
  let isServing = false;
  let isStopping = false;
  let admin: Admin | undefined;
  try {
    admin = await openAdmin(config, plants, {
      serving: () => isServing,
      store: () => plants.isReady(),
      ...(identity.hasKeys && { issuer: identity.hasKeys }),
    });
    const metrics = admin?.metrics;
    const serve = await serving(config, plants, identity);
    let served = await serve(contract);
    const shedding = new Shedding({
      ...config.shedding,
      waiting: () => plants.waiting,
      onBegin: (queue, lagMs) => log.warn({ queue, lagMs }, 'shedding load'),
      onEnd: (refused) => log.warn({ refused }, 'shedding over'),
    });
    const app = createApp({
      engine: { handle: (exchange) => served.engine.handle(exchange) },
      beside: async (request) => served.site?.answer(request),
      log,
      shed: (req) => shedding.refusal(req),
      onAnswer:
        metrics && (({ operationId, status }, ms) => metrics.answered(operationId, status, ms)),
      bodyLimitBytes: config.bodyLimitBytes,
      bodyMemoryBytes: config.bodyMemoryBytes,
      isStopping: () => isStopping,
    });
    const server = await listen(app.callback(), {
      host: config.host,
      port: config.port,
      maxConnections: config.connectionLimit,
      maxConnectionsPerAddress: config.connectionLimitPerAddress,
      onDrop: () => metrics?.connectionDropped(),
      bounds,
      onRefusal: ({ status, message }) => {
        log.info({ status, reason: message }, 'refused');
        metrics?.answered(undefined, status, 0);
      },
    });
    isServing = true;
    const url = urlOf(server.address, served.prefix);
    return {
      url,
      database: isMocked ? 'none, every operation is mocked' : withoutSecrets(config.databaseUrl),
      adminUrl: admin?.url,
      madeToken: identity.madeToken,
      tokens: identity.tokens,
      async curl(token) {
        const { exampleCurl } = await import('../packages/stubwright/src/mock/exampleRequest.ts');
        return exampleCurl(served.contract.definition, url, token);
      },
      async serve(changed) {
        served = await serve(changed);
      },
      backUp: async () => plants.backUp?.(),
      async stop() {
        const graceSeconds = config.shutdownGraceSeconds;
        isServing = false;
        isStopping = true;
        log.info({ graceSeconds }, 'not ready');
        await sleep(graceSeconds * 1000);
        log.info('draining');
        shedding.stop();
        await server.drain();
        log.info('drained');
        await plants.close();
        log.info('store closed');
        await admin?.close();
      },
    };
  } catch (error) {
    await plants.close();
    await admin?.close();
    throw error;
  }
}

function openLogged({ databaseUrl, databaseConnections }: Config, log: Log): Promise<PlantStore> {
  return openStore(databaseUrl, {
    maxConnections: databaseConnections,
    events: {
      onAway: (err) => log.error({ err }, 'the database is away'),
      onBack: (awayMs) => log.info({ awayMs: Math.round(awayMs) }, 'the database is back'),
    },
  });
}

/** The first lines, and one more for how many are left. */
function atMost(count: number, lines: readonly string[]): readonly string[] {
  if (lines.length <= count) return lines;
  return [...lines.slice(0, count), `and ${lines.length - count} more`];
}

function urlOf(
  { address, family, port }: { address: string; family: string; port: number },
  path: string,
) {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}${path}`;
}
