#!/usr/bin/env node
// The command `stubwright`.
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { bundle } from './commands/bundle.ts';
import { changelog } from './commands/changelog.ts';
import { check } from './commands/check.ts';
import { dev } from './commands/dev.ts';
import { diff } from './commands/diff.ts';
import { errorLine } from './commands/errorLine.ts';
import { generate } from './commands/generate.ts';
import { init } from './commands/init.ts';
import { manifest } from './commands/manifest.ts';
import { mock } from './commands/mock.ts';
import { proxy } from './commands/proxy.ts';
import { release } from './commands/release.ts';
import { FailedCheck } from './output/failedCheck.ts';

const program = new Command('stubwright')
  .description('Types, checks, mocks and compares OpenAPI contracts, and runs them as services')
  .version(createRequire(import.meta.url)('@stubwright/cli/package.json').version)
  .showSuggestionAfterError()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
const COMMANDS = [
  ...[init, generate, check, diff, changelog, release, manifest],
  ...[mock, proxy, dev, bundle],
];
for (const command of COMMANDS) program.addCommand(command.copyInheritedSettings(program));

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that needs no more output, as in `stubwright diff | head`, changes no exit code.
  if (code === 'EPIPE') return;
  process.stderr.write(
    `stubwright: standard output: got ${code ?? message}, expected room to write\n`,
  );
  process.exit(2);
});
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = error instanceof FailedCheck ? 1 : 2;
  if (!(error instanceof CommanderError)) process.stderr.write(errorLine(error));
  else if (error.exitCode === 0) process.exitCode = 0;
}

/** Commander writes a suggestion on a second line. */
function oneLine(text: string): string {
  return `${text
    .trimEnd()
    .replace(/^error: /, 'stubwright: ')
    .replaceAll('\n', ' ')}\n`;
}
