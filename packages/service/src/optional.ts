// Optional features: each module is loaded only if its setting is set.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import type { Contract } from '@stubwright/contract';
import type { CurrentOptions, Pin, Versions } from '@stubwright/versions';
import type { Engine, RateLimitOf, Verifier } from 'stubwright/internals';
import type { Recorder } from 'stubwright/recording';
import type { AdminListener, Checks } from './operations/admin/listener.ts';
import type { AddMetrics } from './operations/admin/metrics.ts';
import type { ServiceEmitter } from './operations/events.ts';
import type { Log } from './operations/log.ts';
import type { RateLimitsOptions } from './operations/rateLimit.ts';
import type { Store } from './resources.ts';
import { ConfigError, type Settings } from './settings.ts';

/**
 * @param service its name in a store that others use, too
 * @returns a function of a contract, which returns undefined without RATE_LIMIT and `x-rate-limit`
 */
export function optionalRateLimits(
  rate: Settings['rateLimit'],
  options: Omit<RateLimitsOptions, 'rate'>,
): (definition: Contract) => Promise<RateLimitOf | undefined> {
  let opened: Promise<(definition: Contract) => RateLimitOf> | undefined;
  const open = async () => {
    const { rateLimitsOf } = await import('./operations/rateLimit.ts');
    return rateLimitsOf({ rate, ...options });
  };
  return async (definition) => {
    const isLimited = definition.operations.some((operation) => operation.rateLimit !== undefined);
    if (rate === undefined && !isLimited) return undefined;
    opened ??= open();
    return (await opened)(definition);
  };
}

/** @returns what makes verifiers count in AUTH_FAILURE_LIMIT */
export async function failureGuard({
  authFailureLimit,
}: Settings): Promise<(verify: Verifier) => Verifier> {
  if (authFailureLimit === undefined) return (verify) => verify;
  const { AuthFailures } = await import('./operations/authFailures.ts');
  const failures = new AuthFailures(authFailureLimit);
  return (verify) => failures.guard(verify);
}

/**
 * @returns the listener of ADMIN_PORT with metrics; undefined if it is not set
 * @throws {ConfigError} if it cannot listen on the address
 */
export async function openAdmin(
  { admin }: Settings,
  store: Store,
  checks: Checks,
  events: ServiceEmitter,
  addMetrics?: AddMetrics,
): Promise<AdminListener | undefined> {
  if (admin === undefined) return undefined;
  const { listenForAdmin } = await import('./operations/admin/listener.ts');
  const { collectMetrics } = await import('./operations/admin/metrics.ts');
  const metrics = collectMetrics(events, () => store.waiting, addMetrics);
  try {
    return await listenForAdmin({ ...admin, checks, metrics });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `ADMIN_PORT: got ${admin.host}:${admin.port} (${code}), expected an address of this machine and a free port`,
    );
  }
}

/**
 * @param prefix of a contract that has a file of its own: `traffic.jsonl` becomes `traffic.v1.jsonl` for `/v1`
 * @returns the recorder of RECORD; undefined if it is not set
 * @throws {ConfigError} if it cannot write to the folder
 */
export async function openRecorder(
  { record }: Settings,
  log: Log,
  prefix = '',
): Promise<Recorder | undefined> {
  if (record === undefined) return undefined;
  const { recorder } = await import('stubwright/recording');
  const extension = extname(record.file);
  const base = record.file.slice(0, record.file.length - extension.length);
  const file = base + prefix.replace(/^\//, '.').replaceAll('/', '-') + extension;
  try {
    return recorder({ ...record, file, onError: (err) => log.error({ err }, 'recording') });
  } catch (error) {
    throw new ConfigError(`RECORD: ${(error as Error).message}`);
  }
}

/** A key of the policy of a contract: the versions that stay served. */
const SERVED = /^served:/m;

/**
 * @param file compatibility.yaml, which may have only the policy of `stubwright diff`
 * @returns undefined without served versions
 * @throws {ContractErrors} for an invalid file
 * @throws {ConfigError} without `@stubwright/versions`
 */
export async function openVersions(
  file: string,
  pin?: Pin | undefined,
): Promise<OpenVersions | undefined> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (!SERVED.test(text)) {
    expectNoVersions(file);
    return undefined;
  }
  const versions = await import('@stubwright/versions').catch((cause: unknown) => {
    throw new ConfigError(
      `${file} has served versions, expected the package @stubwright/versions`,
      {
        cause,
      },
    );
  });
  const configuration = versions.configurationIn(text, file);
  if (configuration === undefined) return undefined;
  const folder = dirname(resolve(file));
  expectFiles(configuration.versions, file, folder);
  const load = versions.fromFiles(folder);
  const options = { configuration, file, load, pin };
  return {
    opensAll: pin !== undefined,
    verifiers: pin === undefined ? (verifiers) => verifiers : versions.verifiedOnce,
    around: (engine, current) => versions.serveVersions(options, engine, current),
  };
}

/** Where `stubwright serve-version` generates the contracts of served versions. */
const VERSIONS = 'generated/versions';

/** An image without the configuration would answer an older version with 404, or by the current contract. */
function expectNoVersions(file: string): void {
  const folder = resolve(dirname(resolve(file)), VERSIONS);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new ConfigError(
    `${VERSIONS} has served versions, but ${file} names none: copy it to the service, or delete the folder`,
  );
}

/** In production a version is opened at its first request. */
function expectFiles(
  versions: readonly { version: string; contract: string; converters: string }[],
  file: string,
  folder: string,
): void {
  const missing = versions.flatMap(({ version, contract, converters }) =>
    [contract, converters]
      .filter((path) => !existsSync(resolve(folder, path)))
      .map((path) => `${file} serves version ${version}, expected its file ${path}`),
  );
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
}

/** Serves the older versions of a contract. */
export interface OpenVersions {
  /** True if the versions are opened at the start, also in production. */
  readonly opensAll: boolean;
  /** @returns the verifiers for the engine of the current contract */
  verifiers(ofCurrent: Verifiers): Verifiers;
  /** @returns the served versions around the engine of the current contract */
  around(engine: Engine, options: CurrentOptions): Versions;
}

type Verifiers = NonNullable<CurrentOptions['verifiers']>;

/** The global under which @opentelemetry/api 1.x registers an SDK. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** @returns undefined without an OpenTelemetry SDK (`node --import`): the API alone has a cost */
export async function openTracing(): Promise<typeof import('./operations/trace.ts') | undefined> {
  return REGISTERED in globalThis ? import('./operations/trace.ts') : undefined;
}
