// A store in a service of @stubwright/service: settings, log, metrics, traces, responses.

import { EventEmitter } from 'node:events';
import {
  type Environment,
  integer,
  type Log,
  type OpenContext,
  type Resources,
  type Settings,
} from '@stubwright/service';
import { Problem, type ProblemViolation } from 'stubwright';
import { openStore, type StoreOptions, withoutSecrets } from './open.ts';
import {
  type DataStore,
  type StoreEmitter,
  type StoreEvents,
  StoreUnavailable,
  storeMetrics,
} from './store.ts';
import { UnstorableText } from './table.ts';

const RETRY_AFTER_SECONDS = '1';

export interface DatabaseSettings {
  readonly databaseUrl: string;
  /** Maximum number of connections to PostgreSQL. */
  readonly databaseConnections: number;
}

/**
 * Reads DATABASE_URL and DATABASE_CONNECTIONS.
 *
 * @throws {ConfigError} for an invalid setting
 */
export function readDatabaseSettings(env: Environment, defaultUrl: string): DatabaseSettings {
  return {
    databaseUrl: env['DATABASE_URL'] || defaultUrl,
    // At least 3: two for commits, one for reads and probes.
    databaseConnections: integer(env, 'DATABASE_CONNECTIONS', 10, 3, 1000),
  };
}

export interface ServiceStoreOptions
  extends Omit<StoreOptions, 'events' | 'inSpan' | 'maxConnections'> {
  /** The plural noun for writes in the metric `store_commit_writes`. */
  readonly writes?: string;
}

/** A store, and what `open` of a service returns with it. */
export interface ServiceStore extends Omit<Resources<never>, 'services' | 'store' | 'close'> {
  readonly store: DataStore;
}

/**
 * Opens the store of a service, with its log, metrics and traces.
 *
 * @throws {StoreRefused} if the database is unusable
 * @example
 * async open(context) {
 *   const resources = await openServiceStore(context, { name: 'fleet', migrations, tables });
 *   return { ...resources, services: { store: resources.store } };
 * }
 */
export async function openServiceStore(
  { settings, log, inSpan }: OpenContext<Settings & DatabaseSettings>,
  { writes, ...options }: ServiceStoreOptions,
): Promise<ServiceStore> {
  const { databaseUrl, databaseConnections: maxConnections } = settings;
  const events = loggedEvents(log);
  const store = await openStore(databaseUrl, { ...options, events, inSpan, maxConnections });
  return { store, database: withoutSecrets(databaseUrl), addMetrics: storeMetrics(events, writes) };
}

/** Where a request may have a text that the store refuses. */
type RequestValues = Readonly<Partial<Record<ProblemViolation['in'], unknown>>>;

/**
 * For `toProblem` of a service.
 *
 * @returns 503 with Retry-After for StoreUnavailable; 400 for a text with U+0000 that the request has
 */
export function storeProblem(error: unknown, request: RequestValues = {}): Problem | undefined {
  if (error instanceof UnstorableText) return unstorableProblem(request);
  return error instanceof StoreUnavailable
    ? new Problem(503, 'the store cannot be reached, try again', {
        headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      })
    : undefined;
}

const LOCATIONS = ['path', 'query', 'header', 'cookie', 'body'] as const;
const MAX_VIOLATIONS = 50;

/** @returns undefined if the request has no such text: the handler has made it */
function unstorableProblem(request: RequestValues): Problem | undefined {
  const expected = 'text without U+0000';
  const violations = LOCATIONS.flatMap((location) =>
    [...pointersOfNul(request[location])].map(
      (pointer): ProblemViolation => ({ in: location, pointer, rule: 'pattern', expected }),
    ),
  ).slice(0, MAX_VIOLATIONS);
  if (violations.length === 0) return undefined;
  const messages = violations.map(({ in: location, pointer }) =>
    location === 'body'
      ? `${pointer} expected ${expected}`
      : `${location} ${pointer.slice(1)}: expected ${expected}`,
  );
  return new Problem(400, messages.join('; '), { violations });
}

/** @yields the JSON pointers of texts with U+0000, and of objects with such a name */
function* pointersOfNul(root: unknown): Generator<string> {
  const left: [pointer: string, value: unknown][] = [['', root]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [pointer, value] = next;
    if (typeof value === 'string' && value.includes('\0')) yield pointer;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    const entries = Object.entries(value);
    if (entries.some(([name]) => name.includes('\0'))) yield pointer;
    for (const [name, member] of entries.reverse()) {
      left.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member]);
    }
  }
}

/** SQLite verifies a large file in one synchronous call; for `blocksAtStart` of a service. */
export function storeBlocksAtStart({ databaseUrl }: DatabaseSettings): boolean {
  return databaseUrl.startsWith('sqlite:');
}

function loggedEvents(log: Log): StoreEmitter {
  return new EventEmitter<StoreEvents>()
    .on('opened', ({ file, isNew }) =>
      log.info({ file }, isNew ? 'created the database' : 'opened the database'),
    )
    .on('unavailable', (err) => log.error({ err }, 'the database is unavailable'))
    .on('exhausted', ({ connections }) =>
      log.warn({ connections }, 'all connections to the database are in use'),
    )
    .on('available', ({ durationMs }) =>
      log.info({ awayMs: Math.round(durationMs) }, 'the database is back'),
    );
}
