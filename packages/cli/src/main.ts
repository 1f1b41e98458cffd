#!/usr/bin/env node
// The command `stubwright`: runs one of the commands with the arguments that follow its name.
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  changelog: () => import('./commands/changelog.ts'),
  contract: () => import('./commands/contract.ts'),
  dev: () => import('./dev/main.ts'),
  diff: () => import('./commands/diff.ts'),
  generate: () => import('./commands/generate.ts'),
  lint: () => import('./commands/lint.ts'),
  manifest: () => import('./commands/manifest.ts'),
  release: () => import('./commands/release.ts'),
};

const [name = ''] = process.argv.splice(2, 1);
const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (run === undefined) {
  process.stderr.write(`stubwright: got '${name}', expected ${Object.keys(COMMANDS).join(', ')}\n`);
  process.exitCode = 2;
} else {
  await run();
}
