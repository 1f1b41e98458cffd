// `stubwright dev`: serves the contract and the sources as they are saved, reports what each save changed for
// whom, and keeps generated/ up to date. One process; Ctrl-C ends it.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContractErrors } from 'stubwright/internal/document/definition';
import { createLog } from 'stubwright/internal/operations/log';
import { configuredTokens } from 'stubwright/internal/service/authentication';
import { ConfigError } from 'stubwright/internal/service/settings';
import { oneLine } from 'stubwright/internal/service/startError';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { importConfig } from './freshModules.ts';
import {
  breakingSinceRelease,
  changedOperations,
  linesOf,
  lintLines,
  missingHandlers,
} from './news.ts';
import { type Outcome, Session } from './session.ts';
import { TypeCheck } from './typeCheck.ts';
import { watchSaves } from './watch.ts';

const config = await orThrow(async () => {
  if (!existsSync('src/config.ts')) {
    throw new ConfigError('src/config.ts: got no file, expected a project of stubwright init');
  }
  const readConfig = await importConfig();
  return readConfig({ MOCK: 'missing', CONTRACT, ...process.env });
});
const access = { allowOutside: config.contractFolders };
const log = createLog(config.logLevel);
const started = Promise.withResolvers<void>();
/** One save after the other, in the order in which they were made. */
let turn = started.promise;

// Before anything is read: what is saved meanwhile is read again.
const watch = await watchSaves(
  config.contract,
  (file) => enqueue(() => session.contractSaved(), file),
  () => enqueue(() => session.sourceSaved(), 'src/'),
);
const { session, service } = await orThrow(() =>
  Session.start(config, configuredTokens(config), log),
);
watch.follow(session.contract.files, true);
const types = new TypeCheck((errors) =>
  say(linesOf('types', errors.length > 0 ? errors : ['no errors'])),
);
/** The findings after the last save. */
const reported = { lint: new Set<string>() };
process.once('SIGINT', stop).once('SIGTERM', stop);

const token = service.generatedToken;
say([
  `serving ${service.url}, docs at ${service.url}/docs; save ${config.contract} or src/ to reload`,
  ...(token === undefined ? [] : ['', (await service.curl(token)) ?? '', '']),
]);
turn = turn.then(reportState);
started.resolve();

/** Without a first good version it ends: the error in one line, without the frames of a stack. */
async function orThrow<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ContractErrors) throw error;
    const lines = oneLine(error).split('\n');
    throw new Error(lines.filter((line) => line.trim() !== '' && !/^ +at /.test(line)).join(' '));
  }
}

function enqueue(act: () => Promise<Outcome>, what: string): void {
  turn = turn.then(async () => {
    const startedAt = performance.now();
    const outcome = await act();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
    await report(outcome, what, seconds);
  });
}

async function report(outcome: Outcome, what: string, seconds: string): Promise<void> {
  if (outcome.kind === 'kept') {
    say([`${time()}  ${what} cannot be served; the last good version stays`]);
    say(cappedErrors(outcome.errors));
    watch.follow(session.contract.files, false);
    return;
  }
  const { before, after, handled } = outcome;
  const news = changedOperations(before, after, session.handled);
  const handlers = linesOf(
    'handled',
    handled.map((id) => `${id}, no mock any more`),
  );
  say([`${time()}  ${what} served in ${seconds} s`, ...news, ...handlers]);
  watch.follow(after.files, true);
  await reportState();
}

/** What is left to do after each save: handlers, types, lint, clients that would break. */
async function reportState(): Promise<void> {
  const { contract, handled } = session;
  say(missingHandlers(contract, handled));
  await attempt('breaking', () => breakingSinceRelease(contract, RELEASED, access));
  // Loaded after the first start, which need not wait for the TypeScript compiler and Redocly.
  await attempt('lint', async () => {
    const { lintContract } = await import('../check/lintContract.ts');
    const { lineOf } = await import('../output/finding.ts');
    const texts = new Set((await lintContract(config.contract, access)).map(lineOf));
    const known = reported.lint;
    reported.lint = texts;
    return lintLines(texts, known);
  });
  await attempt('generated', writeGenerated);
  types.restart();
}

/** Each of these reads files that may be half saved by then; the next save asks again. */
async function attempt(word: string, act: () => Promise<readonly string[]>): Promise<void> {
  try {
    say(await act());
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    say([`  ${word.padEnd(10)} not known: ${line}`]);
  }
}

async function writeGenerated(): Promise<string[]> {
  if (resolve(config.contract) !== resolve(CONTRACT)) return [];
  const { generate, staleFiles, write } = await import('../project/generated.ts');
  const files = await generate(CONTRACT, access);
  const stale = await staleFiles(files);
  if (stale.length > 0) await write(files);
  return linesOf(
    'generated',
    stale.map((path) => `${path} written`),
  );
}

async function stop(): Promise<void> {
  process.once('SIGINT', () => process.exit(130));
  await watch.close();
  await turn;
  types.stop();
  await session.stop();
  log.flush(() => process.exit());
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

const MAX_ERRORS = 20;

function cappedErrors(errors: string): string[] {
  const lines = errors.split('\n');
  const left = lines.length - MAX_ERRORS;
  return left > 0 ? [...lines.slice(0, MAX_ERRORS), `and ${left} more lines`] : lines;
}

function time(): string {
  return new Date().toTimeString().slice(0, 8);
}
