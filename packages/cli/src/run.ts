// The command `stubwright` as a function.

import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { readInputs } from './commands/options.ts';
import { errorLine, FailedCheck } from './output/errors.ts';
import type { CommandIo, Io } from './output/io.ts';
import { hasColors, isTerminal, PrintableStream, Progress, Styles } from './output/terminal.ts';

/** In the order of the help; only the module of the command that runs is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<(io: CommandIo) => Command>>> = {
  init: async () => (await import('./commands/init.ts')).init,
  generate: async () => (await import('./commands/generate.ts')).generate,
  client: async () => (await import('./commands/client.ts')).client,
  check: async () => (await import('./commands/check.ts')).check,
  diff: async () => (await import('./commands/diff.ts')).diff,
  changelog: async () => (await import('./commands/changelog.ts')).changelog,
  release: async () => (await import('./commands/release.ts')).release,
  'serve-version': async () => (await import('./commands/serveVersion.ts')).serveVersion,
  replay: async () => (await import('./commands/replay.ts')).replay,
  coverage: async () => (await import('./commands/coverage.ts')).coverage,
  mock: async () => (await import('./commands/mock.ts')).mock,
  proxy: async () => (await import('./commands/proxy.ts')).proxy,
  dev: async () => (await import('./commands/dev.ts')).dev,
  bundle: async () => (await import('./commands/bundle.ts')).bundle,
  lsp: async () => (await import('./commands/lsp.ts')).lsp,
};

export const COMMAND_NAMES = Object.keys(COMMANDS);

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
  const isColored = !argv.includes(NO_COLOR);
  const styles = new Styles(hasColors(io.stdout, io.env, isColored));
  const ofErrors = new Styles(hasColors(io.stderr, io.env, isColored));
  const stdout = new PrintableStream(io.stdout, progress, styles);
  const stderr = new PrintableStream(io.stderr, progress, ofErrors);
  const exitCode = await exitCodeOf(
    argv.filter((argument) => argument !== NO_COLOR),
    {
      ...{ ...io, stdout, stderr, raw: io.stdout, progress, styles },
      isTerminal: isTerminal(io.stdout),
      note: (text) => void stdout.write(text),
    },
    ofErrors,
  );
  progress.clear();
  await Promise.all([flushed(stdout), flushed(stderr)]);
  await Promise.all([flushed(io.stdout), flushed(io.stderr)]);
  return isUnwritable ? 2 : exitCode;
}

async function exitCodeOf(
  argv: readonly string[],
  io: CommandIo,
  { paint }: Styles,
): Promise<number> {
  try {
    const program = await programOf(argv, io);
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof FailedCheck) || error.message !== '') {
      io.stderr.write(errorLine(error, paint));
    }
    return error instanceof FailedCheck ? 1 : 2;
  }
}

async function programOf([name = '']: readonly string[], io: CommandIo): Promise<Command> {
  const program = new Command('stubwright')
    .description('Types, checks, mocks and compares OpenAPI contracts, and runs them as services')
    .version(
      createRequire(import.meta.url)('@stubwright/cli/package.json').version,
      '-v, --version',
    )
    .option(NO_COLOR, 'write no colours, as with the environment variable NO_COLOR')
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
    })
    .configureHelp({ styleTitle: (text) => io.styles.paint('bold', text) })
    .hook('preAction', async (_, command) => {
      if (command.getOptionValue('quiet') === true) io.note = () => {};
      await readInputs(command, io);
    });
  const loaded = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const commandName of loaded) {
    const command = await COMMANDS[commandName]!();
    program.addCommand(command(io).copyInheritedSettings(program));
  }
  return program;
}

/** Commander writes a suggestion on a second line. */
function oneLine(text: string): string {
  return `${text
    .trimEnd()
    .replace(/^error: /, 'stubwright: ')
    .replaceAll('\n', ' ')}\n`;
}

/** Accepted by every command, before and after its name. */
const NO_COLOR = '--no-color';
/** Of another stream than a terminal. */
const DEFAULT_COLUMNS = 80;

function columnsOf(stream: Writable): number {
  return 'columns' in stream ? Number(stream.columns ?? DEFAULT_COLUMNS) : DEFAULT_COLUMNS;
}

/** Resolves also for a stream that is closed or has failed. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
