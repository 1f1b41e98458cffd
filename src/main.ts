// The process: environment, start, signals, exit code.
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { createLog, type Log, STANDARD_OUTPUT } from '../packages/stubwright/src/operations/log.ts';
import { type Config, readConfig } from './config.ts';
import { configuredTokens, warnOfOpenFile } from './identity.ts';
import { type Service, startService } from './service.ts';
import { oneLine } from './startError.ts';

try {
  await run();
} catch (error) {
  process.stderr.write(`${oneLine(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const tokens = configuredTokens(config);
  warnOfOpenFile(config, log);
  const running: Running = { service: undefined };
  const runsHandlers = runsHandlersDuringStart(config);
  if (runsHandlers) stopOnSignals(running, log);
  const service = await startService(config, tokens, log);
  running.service = service;
  // Before the line that it listens: a signal may follow at once.
  if (!runsHandlers) stopOnSignals(running, log);
  if (config.apiTokensFile !== undefined) {
    process.on('SIGHUP', () => rereadTokens(config, service, log));
  }
  process.on('SIGUSR2', () => backUp(service, log));
  log.info({ url: service.url, admin: service.adminUrl, database: service.database }, 'listening');
  await greet(service, config);
}

/** A token that this process made is told to whoever started it, and to nobody else: not to the log. */
async function greet({ url, database, madeToken, curl }: Service, { docs }: Config): Promise<void> {
  if (madeToken === undefined) return;
  const line = await curl(madeToken);
  // Not through process.stdout, for the reason in log.ts.
  writeSync(
    STANDARD_OUTPUT,
    `
  service    ${url}
  database   ${database}
  docs       ${docs === 'on' ? `${url}/docs` : 'off'}

  ${line ?? 'The contract has no operation.'}

`,
  );
}

interface Running {
  /** Undefined during the start. */
  service: Service | undefined;
}

/**
 * False where the default action of the system must end a start. SQLite checks a large file in one
 * call, and until it returns no handler runs. The kernel applies no default action to PID 1.
 */
function runsHandlersDuringStart({ databaseUrl }: Config): boolean {
  return process.pid === 1 || !databaseUrl.startsWith('sqlite:');
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
      log.error({ err: error }, 'stopped badly');
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

/** A file that cannot be read or holds a bad entry leaves the tokens as they were. */
function rereadTokens(config: Config, service: Service, log: Log): void {
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
