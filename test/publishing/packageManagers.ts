// npm, pnpm and Yarn with packages of the local registry, and caches of one test.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from './install.ts';

export const MODULES = resolve('test/publishing/node_modules');

/** @param folder of the caches */
function managerEnv(folder: string): NodeJS.ProcessEnv {
  const registry = process.env['npm_config_registry']!;
  return {
    ...process.env,
    ...{ ALL_TESTS: '', NODE_OPTIONS: '', CI: '', PATH: `${MODULES}/.bin:${process.env['PATH']}` },
    ...{ pnpm_config_registry: registry, pnpm_config_minimum_release_age: '0' },
    npm_config_store_dir: join(folder, 'pnpm-store'),
    ...{ YARN_NPM_REGISTRY_SERVER: registry, YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1' },
    ...{ YARN_GLOBAL_FOLDER: join(folder, 'yarn'), YARN_ENABLE_TELEMETRY: '0' },
    ...{ YARN_NPM_MINIMAL_AGE_GATE: '0', YARN_ENABLE_IMMUTABLE_INSTALLS: '0' },
  };
}

/**
 * The package managers and @stubwright/cli, as a test calls them.
 *
 * @param folder of the caches, and of the installed command
 */
export function commandLine(folder: string) {
  const env = managerEnv(folder);
  const tools = join(folder, 'tools');
  const main = join(tools, 'node_modules/@stubwright/cli/dist/main.js');
  return {
    ...{ env, tools },
    run: (cwd: string, command: string, ...args: string[]) => runIn(cwd, env, command, ...args),
    /** Once it is installed. */
    stubwright: (cwd: string, ...args: string[]) =>
      runIn(cwd, env, process.execPath, main, ...args),
    installTools(packages: readonly string[]): void {
      mkdirSync(tools);
      writeFileSync(join(tools, 'package.json'), '{"private":true}');
      install(tools, packages);
    },
  };
}

/** @returns stdout and stderr @throws with both if the command fails */
function runIn(
  cwd: string,
  env: NodeJS.ProcessEnv,
  command: string,
  ...args: readonly string[]
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout + stderr;
}
