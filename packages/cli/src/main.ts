#!/usr/bin/env node
// The command `stubwright`.
import { Command, CommanderError } from 'commander';
import { bundle } from './commands/bundle.ts';
import { errorLine } from './commands/errorLine.ts';
import { generate } from './commands/generate.ts';
import { init } from './commands/init.ts';
import { mock } from './commands/mock.ts';
import { proxy } from './commands/proxy.ts';

const program = new Command('stubwright')
  .description('Types, checks, mocks and compares OpenAPI contracts, and runs them as services')
  .showSuggestionAfterError()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
for (const command of [init, generate, bundle, mock, proxy])
  program.addCommand(command.copyInheritedSettings(program));

/** These read `process.argv` themselves. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  changelog: () => import('./commands/changelog.ts'),
  contract: () => import('./commands/contract.ts'),
  dev: () => import('./dev/main.ts'),
  diff: () => import('./commands/diff.ts'),
  lint: () => import('./commands/lint.ts'),
  manifest: () => import('./commands/manifest.ts'),
  release: () => import('./commands/release.ts'),
};

const [, , name = ''] = process.argv;
const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (run === undefined) {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = 2;
    if (!(error instanceof CommanderError)) process.stderr.write(errorLine(error));
    else if (error.exitCode === 0) process.exitCode = 0;
  }
} else {
  process.argv.splice(2, 1);
  await run();
}

/** Commander writes a suggestion on a second line. */
function oneLine(text: string): string {
  return `${text
    .trimEnd()
    .replace(/^error: /, 'stubwright: ')
    .replaceAll('\n', ' ')}\n`;
}
