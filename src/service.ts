// Composes the plant store: handlers, verifiers, the store, its events and metrics.
import { EventEmitter } from 'node:events';
import type { Log, OpenContext, ProcessOptions, Resources } from '@stubwright/service';
import { Problem } from 'stubwright';
import { type Config, DEFAULT_DATABASE_URL, readConfig } from './config.ts';
import { handlers } from './handlers/index.ts';
import type { Services } from './handlers/services.ts';
import { type StoreEmitter, type StoreEvents, StoreUnavailable } from './plants/store.ts';
import { storeMetrics } from './plants/storeMetrics.ts';
import { tracedStore } from './plants/tracedStore.ts';
import { openStore, withoutSecrets } from './store/open.ts';

const RETRY_AFTER_SECONDS = '1';

export const service: ProcessOptions<Services, Config> = {
  readSettings: readConfig,
  handlers,
  verifiers: (verify) => ({ bearerAuth: verify }),
  realm: 'plants',
  open,
  toProblem: (error) =>
    error instanceof StoreUnavailable
      ? new Problem(503, 'the store cannot be reached, try again', {
          headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        })
      : undefined,
  errors: 'numbered',
  // SQLite verifies a large file in one synchronous call.
  blocksAtStart: ({ databaseUrl }) => databaseUrl.startsWith('sqlite:'),
};

/** @throws {StoreRefused} if the database is unusable */
async function open({
  settings: { databaseUrl, databaseConnections: maxConnections },
  log,
  inSpan,
}: OpenContext<Config>): Promise<Resources<Services>> {
  const events = loggedEvents(log);
  const createsFolder = databaseUrl === DEFAULT_DATABASE_URL;
  const plants = await openStore(databaseUrl, { createsFolder, maxConnections, events });
  return {
    services: { plants: inSpan ? tracedStore(plants, inSpan) : plants },
    store: plants,
    database: withoutSecrets(databaseUrl),
    addMetrics: storeMetrics(events),
  };
}

function loggedEvents(log: Log): StoreEmitter {
  return new EventEmitter<StoreEvents>()
    .on('opened', ({ file, isNew }) =>
      log.info({ file }, isNew ? 'created the database' : 'opened the database'),
    )
    .on('unavailable', (err) => log.error({ err }, 'the database is unavailable'))
    .on('available', ({ durationMs }) =>
      log.info({ awayMs: Math.round(durationMs) }, 'the database is back'),
    );
}
