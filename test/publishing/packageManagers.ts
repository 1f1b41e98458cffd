// npm, pnpm and Yarn with packages of the local registry, and caches of one test.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

export const MODULES = resolve('test/publishing/node_modules');

/** @param folder of the caches */
export function managerEnv(folder: string): NodeJS.ProcessEnv {
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

/** @returns stdout and stderr @throws with both if the command fails */
export function runIn(
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
