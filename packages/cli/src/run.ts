// The command `stubwright` as a function.
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { bundle } from './commands/bundle.ts';
import { changelog } from './commands/changelog.ts';
import { check } from './commands/check.ts';
import { client } from './commands/client.ts';
import { coverage } from './commands/coverage.ts';
import { dev } from './commands/dev.ts';
import { diff } from './commands/diff.ts';
import { generate } from './commands/generate.ts';
import { init } from './commands/init.ts';
import { mock } from './commands/mock.ts';
import { proxy } from './commands/proxy.ts';
import { release } from './commands/release.ts';
import { replay } from './commands/replay.ts';
import { serveVersion } from './commands/serveVersion.ts';
import { errorLine } from './output/errorLine.ts';
import { FailedCheck } from './output/failedCheck.ts';
import type { CommandIo, Io } from './output/io.ts';
import { PrintableStream } from './output/printableStream.ts';
import { Progress } from './output/progress.ts';

const COMMANDS = [
  ...[init, generate, client, check, diff, changelog, release, serveVersion, replay, coverage],
  ...[mock, proxy, dev, bundle],
];

/**
 * Runs a command to its end. Only `dev` depends on the process: the sources of a project run in it.
 *
 * @param argv without the program: `['check', 'openapi.yaml']`
 * @returns the exit code, once all output is written: 1 if a check fails, 2 if the command cannot do its work
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let isUnwritable = false;
  io.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A reader that needs no more output, as in `stubwright diff | head`, changes no exit code.
    if (code === 'EPIPE' || isUnwritable) return;
    isUnwritable = true;
    io.stderr.write(
      `stubwright: standard output: got ${code ?? message}, expected room to write\n`,
    );
  });
  io.stderr.on('error', () => {});
  const progress = new Progress(io.stderr);
  const stdout = new PrintableStream(io.stdout, progress);
  const stderr = new PrintableStream(io.stderr, progress);
  const exitCode = await exitCodeOf(argv, { ...io, stdout, stderr, raw: io.stdout, progress });
  progress.clear();
  await Promise.all([flushed(stdout), flushed(stderr)]);
  await Promise.all([flushed(io.stdout), flushed(io.stderr)]);
  return isUnwritable ? 2 : exitCode;
}

async function exitCodeOf(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    await programOf(io).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof FailedCheck) || error.message !== '') io.stderr.write(errorLine(error));
    return error instanceof FailedCheck ? 1 : 2;
  }
}

function programOf(io: CommandIo): Command {
  const program = new Command('stubwright')
    .description('Types, checks, mocks and compares OpenAPI contracts, and runs them as services')
    .version(createRequire(import.meta.url)('@stubwright/cli/package.json').version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(oneLine(text)),
      getOutHelpWidth: () => columnsOf(io.stdout),
      getErrHelpWidth: () => columnsOf(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const command of COMMANDS) program.addCommand(command(io).copyInheritedSettings(program));
  return program;
}

/** Commander writes a suggestion on a second line. */
function oneLine(text: string): string {
  return `${text
    .trimEnd()
    .replace(/^error: /, 'stubwright: ')
    .replaceAll('\n', ' ')}\n`;
}

/** Of another stream than a terminal. */
const DEFAULT_COLUMNS = 80;

function columnsOf(stream: Writable): number {
  return 'columns' in stream ? Number(stream.columns ?? DEFAULT_COLUMNS) : DEFAULT_COLUMNS;
}

/** Resolves also for a stream that is closed or has failed. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
