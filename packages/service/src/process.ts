// Runs a service as a process: start, signals, exit code.

import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { configuredTokens, warnOfTokens } from './authentication.ts';
import { createLog, type Log, logTo, STANDARD_OUTPUT } from './operations/log.ts';
import type { AnyOptions, ServiceOptions, SeveralContracts, WithContext } from './options.ts';
import { type RunningProcess, type Service, serviceOf, settingsOf } from './service.ts';
import type { Settings } from './settings.ts';

/**
 * Runs a service until SIGTERM or SIGINT, with the settings of the environment. SIGHUP reloads the
 * tokens, SIGUSR2 creates a backup. A failed start is reported on stderr with exit code 1.
 *
 * @example await runService({ handlers });
 */
export function runService<
  Services = undefined,
  Config extends Settings = Settings,
  Contexts extends readonly unknown[] = readonly [],
>(
  options: ServiceOptions<Services, Config> | SeveralContracts<Services, Config, Contexts>,
): Promise<void>;
/** With a `context` of another type than the services. */
export function runService<Services, Config extends Settings, Context>(
  options: WithContext<Services, Config, Context>,
): Promise<void>;
export async function runService<Services, Config extends Settings>(
  options: AnyOptions<Services, Config>,
): Promise<void> {
  try {
    await run(options);
  } catch (error) {
    process.stderr.write(`${startErrorMessage(error)}\n`);
    process.exitCode = 1;
  }
}

async function run<Services, Config extends Settings>(
  options: AnyOptions<Services, Config>,
): Promise<void> {
  const settings = options.settings ?? settingsOf(options, options.env ?? process.env);
  const log = options.log ? logTo(options.log) : createLog(settings.logLevel);
  const tokens = options.tokens ?? configuredTokens(settings);
  warnOfTokens(settings, tokens, log);
  const running: Running = { service: undefined };
  // PID 1 has no default signal actions.
  const handlesSignals = process.pid === 1 || !(options.blocksAtStart?.(settings) ?? false);
  if (handlesSignals) stopOnSignals(running, log);
  const service = await serviceOf({ ...options, settings, tokens, log });
  running.service = service;
  // Before the log line `listening`: a signal may follow immediately.
  if (!handlesSignals) stopOnSignals(running, log);
  if (settings.apiTokensFile !== undefined) {
    process.on('SIGHUP', () => rereadTokens(settings, service, log));
  }
  process.on('SIGUSR2', () => backUp(service, log));
  log.info({ url: service.url, admin: service.adminUrl, database: service.database }, 'listening');
  await printGeneratedToken(service, settings);
}

/** Writes a generated token to standard output, not to the log. */
async function printGeneratedToken(
  { url, database, generatedToken, curl, disabled }: RunningProcess,
  { docs }: Settings,
): Promise<void> {
  if (generatedToken === undefined) return;
  const line = await curl(generatedToken);
  // Not process.stdout: see STANDARD_OUTPUT.
  writeSync(
    STANDARD_OUTPUT,
    `
  service    ${url}
${database === undefined ? '' : `  database   ${database}\n`}  docs       ${docs === 'on' ? `${url}/docs` : 'off'}
${disabled.map((text) => `\n  ${text}`).join('')}${disabled.length > 0 ? '\n' : ''}
  ${line ?? 'The contract has no operation with a valid example.'}

`,
  );
}

interface Running {
  /** Undefined during the start. */
  service: Service | undefined;
}

function stopOnSignals(running: Running, log: Log): void {
  let signals = 0;
  const onSignal = async (signal: NodeJS.Signals) => {
    if (++signals > 1) process.exit(1);
    const { service } = running;
    if (service === undefined) {
      // Safe during migrations: the database rolls back open transactions.
      log.info({ signal }, 'stopped during the start');
      // Without flushing: a callback would wait for the current step of the start.
      process.exit(128 + constants.signals[signal]);
    }
    log.info({ signal }, 'stopping');
    try {
      await service.stop();
      log.info('stopped');
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exitCode = 1;
    }
    log.flush(() => process.exit());
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

async function backUp(service: Service, log: Log): Promise<void> {
  const startedAt = performance.now();
  try {
    const file = await service.backUp();
    const durationMs = Math.round(performance.now() - startedAt);
    if (file === undefined) log.warn('not backed up: the database has tools of its own for that');
    else log.info({ file, durationMs }, 'backed up');
  } catch (error) {
    log.error({ err: error }, 'not backed up');
  }
}

/** Keeps the current tokens if the file is unreadable or invalid. */
function rereadTokens(config: Settings, service: Service, log: Log): void {
  try {
    const tokens = configuredTokens(config);
    service.tokens.replace(tokens);
    if (tokens.length > 0) log.info({ tokens: tokens.length }, 'tokens read again');
    else log.warn('tokens read again: all are revoked');
    warnOfTokens(config, tokens, log);
  } catch (error) {
    log.error({ err: error }, 'tokens not read again');
  }
}

/** Errors whose message is one complete line for the operator. */
const PLAIN_ERRORS = new Set(['ConfigError', 'ContractErrors', 'StoreRefused']);

/** @returns one line that names the setting to change; the stack of an unexpected error */
export function startErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (PLAIN_ERRORS.has(error.name)) return error.message;
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') return `PORT: ${address}:${port} is in use, expected a free port`;
  if (code === 'EACCES')
    return `PORT: ${address}:${port} needs privileges, expected a port above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST: expected an address of this machine: ${error.message}`;
  if (code === 'ECONNREFUSED' || code === 'ETIMEDOUT')
    return `the service cannot open its resources: ${error.message}`;
  return error.stack ?? error.message;
}
