#!/usr/bin/env node
// The command `stubwright` is in @stubwright/cli; this runs it for `npx stubwright`, installed or not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CLI = '@stubwright/cli';
const installed = commandFrom(join(process.cwd(), 'package.json')) ?? commandFrom(import.meta.url);
if (installed !== undefined) await import(pathToFileURL(installed).href);
else runOfRegistry();

/** @returns the file of the command; undefined if the package is not installed there */
function commandFrom(from: string): string | undefined {
  try {
    const manifest = createRequire(from).resolve(`${CLI}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), bin.stubwright);
  } catch {
    return undefined;
  }
}

/** Runs the command with the package manager that runs this process: `yarn dlx` and others have registries of their own. */
function runOfRegistry(): void {
  const own = createRequire(import.meta.url)('stubwright/package.json');
  const [name] = /^(?:pnpm|bun|yarn(?!\/1\.))(?=\/)/.exec(
    process.env['npm_config_user_agent'] ?? '',
  ) ?? ['npm'];
  const { command, args } = commandWith(name, own);
  const run = spawnSync(command, [...args, ...process.argv.slice(2)], {
    stdio: 'inherit',
    ...(name === 'yarn' && { env: withoutPlugAndPlay(process.env) }),
    shell: process.platform === 'win32' && command === name,
  });
  if (run.error !== undefined) {
    process.stderr.write(`stubwright: expected ${CLI} or ${name}: ${run.error.message}\n`);
  }
  process.exitCode = run.status ?? 2;
}

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** @returns the command line that installs the command in a temporary folder, and runs it in this one */
function commandWith(
  manager: string,
  { version, peerDependencies }: Manifest,
): { command: string; args: string[] } {
  const cli = `${CLI}@${version}`;
  // It installs one package: `mock` and `dev` name those that they lack.
  if (manager === 'bun') return { command: 'bun', args: ['x', `--package=${cli}`, 'stubwright'] };
  // The peers of the command are optional.
  const peers = Object.entries(peerDependencies).map((entry) => entry.join('@'));
  const packages = [cli, `stubwright@${version}`, ...peers].map((text) => `--package=${text}`);
  if (manager === 'pnpm') return { command: 'pnpm', args: [...packages, 'dlx', 'stubwright'] };
  if (manager === 'yarn') {
    return { command: 'yarn', args: ['dlx', '--quiet', ...packages, 'stubwright'] };
  }
  const { npm_execpath: npm } = process.env;
  const args = ['exec', '--yes', ...packages, '--', 'stubwright'];
  return npm === undefined
    ? { command: 'npm', args }
    : { command: process.execPath, args: [npm, ...args] };
}

/** The command reads the packages of a project: Yarn's resolver knows those of its own only. */
function withoutPlugAndPlay(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: options = '', ...others } = env;
  const kept = options.replaceAll(/(?:--require|--experimental-loader) \S*\.pnp\.\S+/g, '').trim();
  return {
    ...others,
    YARN_NODE_LINKER: 'node-modules',
    ...(kept !== '' && { NODE_OPTIONS: kept }),
  };
}
