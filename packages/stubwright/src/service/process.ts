// The process of a service: start, signals, exit code.
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { createLog, type Log, STANDARD_OUTPUT } from '../operations/log.ts';
import { configuredTokens, warnOfOpenFile } from './authentication.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';
import { oneLine } from './startError.ts';

/** A service as its process must know it. */
export interface ProcessService extends Service {
  /** What it stores its data in, for people: without a password. */
  readonly database?: string;
  /** SIGUSR2 @returns the path of a copy of the data; undefined where there is none to make */
  backUp?(): Promise<string | undefined>;
}

export interface ProcessOptions<Config extends Settings> {
  /** @throws {ConfigError} */
  readonly readConfig: (env: NodeJS.ProcessEnv) => Config;
  /** @param tokens the configured tokens, those of the file included */
  readonly start: (config: Config, tokens: readonly string[], log: Log) => Promise<ProcessService>;
  /**
   * True where a start blocks the event loop for long, in one call: the default action of a signal
   * must end it, since no handler would run before that call returns.
   */
  readonly blocksAtStart?: (config: Config) => boolean;
}

/** Runs a service until a signal ends it: SIGTERM and SIGINT. SIGHUP reads the tokens again. */
export async function runService<Config extends Settings>(
  options: ProcessOptions<Config>,
): Promise<void> {
  try {
    await run(options);
  } catch (error) {
    process.stderr.write(`${oneLine(error)}\n`);
    process.exitCode = 1;
  }
}

async function run<Config extends Settings>({
  readConfig,
  start,
  blocksAtStart,
}: ProcessOptions<Config>): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const tokens = configuredTokens(config);
  warnOfOpenFile(config, log);
  const running: Running = { service: undefined };
  // The kernel applies no default action to PID 1.
  const handlesSignals = process.pid === 1 || !(blocksAtStart?.(config) ?? false);
  if (handlesSignals) stopOnSignals(running, log);
  const service = await start(config, tokens, log);
  running.service = service;
  // Before the line that it listens: a signal may follow at once.
  if (!handlesSignals) stopOnSignals(running, log);
  if (config.apiTokensFile !== undefined) {
    process.on('SIGHUP', () => rereadTokens(config, service, log));
  }
  process.on('SIGUSR2', () => backUp(service, log));
  log.info({ url: service.url, admin: service.adminUrl, database: service.database }, 'listening');
  await greet(service, config);
}

/** A token that this process made is written to its terminal only, not to the log. */
async function greet(
  { url, database, madeToken, curl }: ProcessService,
  { docs }: Settings,
): Promise<void> {
  if (madeToken === undefined) return;
  const line = await curl(madeToken);
  // Not through process.stdout, for the reason in log.ts.
  writeSync(
    STANDARD_OUTPUT,
    `
  service    ${url}
${database === undefined ? '' : `  database   ${database}\n`}  docs       ${docs === 'on' ? `${url}/docs` : 'off'}

  ${line ?? 'The contract has no operation.'}

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
      // Migrations are transactions: a connection that ends rolls them back.
      log.info({ signal }, 'stopped during the start');
      // At once: a callback would wait for the step of the start that runs now.
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

async function backUp(service: ProcessService, log: Log): Promise<void> {
  const startedAt = performance.now();
  try {
    const file = await service.backUp?.();
    const durationMs = Math.round(performance.now() - startedAt);
    if (file === undefined) log.warn('not backed up: the database has tools of its own for that');
    else log.info({ file, durationMs }, 'backed up');
  } catch (error) {
    log.error({ err: error }, 'not backed up');
  }
}

/** A file that cannot be read or holds a bad entry leaves the tokens as they were. */
function rereadTokens(config: Settings, service: Service, log: Log): void {
  try {
    const tokens = configuredTokens(config);
    service.tokens.replace(tokens);
    if (tokens.length > 0) log.info({ tokens: tokens.length }, 'tokens read again');
    else log.warn('tokens read again: all are revoked');
    warnOfOpenFile(config, log);
  } catch (error) {
    log.error({ err: error }, 'tokens not read again');
  }
}
