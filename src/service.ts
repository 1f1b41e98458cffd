// Composes the plant store: handlers, verifiers, the store, its events and metrics.
import { EventEmitter } from 'node:events';
import { Problem } from 'stubwright';
import type { KeyTimes, Limits, Log } from 'stubwright/service';
import * as stubwright from 'stubwright/service';
import type { Config } from './config.ts';
import { handlers } from './handlers/index.ts';
import type { Services } from './handlers/services.ts';
import {
  type PlantStore,
  type StoreEmitter,
  type StoreEvents,
  StoreUnavailable,
} from './plants/store.ts';
import { storeMetrics } from './plants/storeMetrics.ts';
import { tracedStore } from './plants/tracedStore.ts';
import { openStore, withoutSecrets } from './store/open.ts';

export interface Service extends stubwright.Service {
  /** The database, without a password; for the log. */
  readonly database: string;
  /** @returns the path of the backup; undefined for PostgreSQL, which has its own tools */
  backUp(): Promise<string | undefined>;
}

/** Overrides for tests. */
export interface ServiceParts {
  readonly bounds?: Limits;
  readonly plants?: PlantStore;
  readonly keyTimes?: KeyTimes;
}

const RETRY_AFTER_SECONDS = '1';

/** For MOCK=all. */
const NO_STORE: PlantStore = {
  create: () => Promise.reject(new StoreUnavailable('every operation is mocked')),
  find: () => Promise.reject(new StoreUnavailable('every operation is mocked')),
  isReady: () => Promise.resolve(true),
  waiting: 0,
  close: () => Promise.resolve(),
};

/**
 * Starts the plant store.
 *
 * @param tokens the configured tokens, including those of API_TOKENS_FILE
 * @throws {StoreRefused} if the database is unusable
 * @throws the errors of stubwright's startService
 */
export async function startService(
  config: Config,
  tokens: readonly string[],
  log: Log,
  { bounds, plants: opened, keyTimes }: ServiceParts = {},
): Promise<Service> {
  const isMocked = config.mock === 'all';
  let plants = opened;
  const { databaseUrl, databaseConnections: maxConnections } = config;
  const events = loggedEvents(log);
  const service = await stubwright.startService<Services>({
    settings: config,
    tokens,
    log,
    handlers,
    verifiers: (verify) => ({ bearerAuth: verify }),
    realm: 'plants',
    async open(inSpan) {
      plants ??= isMocked ? NO_STORE : await openStore(databaseUrl, { maxConnections, events });
      return { services: { plants: inSpan ? tracedStore(plants, inSpan) : plants }, store: plants };
    },
    toProblem: (error) =>
      error instanceof StoreUnavailable
        ? new Problem(503, 'the store cannot be reached, try again', {
            headers: { 'Retry-After': RETRY_AFTER_SECONDS },
          })
        : undefined,
    errors: 'numbered',
    addMetrics: storeMetrics(events),
    bounds,
    keyTimes,
  });
  return {
    ...service,
    database: isMocked ? 'none, every operation is mocked' : withoutSecrets(databaseUrl),
    backUp: async () => plants?.backUp?.(),
  };
}

function loggedEvents(log: Log): StoreEmitter {
  return new EventEmitter<StoreEvents>()
    .on('unavailable', (err) => log.error({ err }, 'the database is unavailable'))
    .on('available', ({ durationMs }) =>
      log.info({ awayMs: Math.round(durationMs) }, 'the database is back'),
    );
}
