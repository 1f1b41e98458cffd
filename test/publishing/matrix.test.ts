// A new service with each package manager, compiler and runtime, with the published packages.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../packages/stubwright/test/support/temporaryFolder.ts';
import { freePort } from '../support/freePort.ts';
import { expectExactCreates } from './createPlants.ts';
import { install } from './install.ts';

const folder = temporaryFolder();
const MODULES = resolve('test/publishing/node_modules');
const CONTRACT = resolve('docs/stubwright/commands/openapi.yaml');
const registry = process.env['npm_config_registry']!;

/** Each package manager takes packages of this minute from the local registry, into caches of this test. */
const env = {
  ...process.env,
  ...{ ALL_TESTS: '', NODE_OPTIONS: '', CI: '', PATH: `${MODULES}/.bin:${process.env['PATH']}` },
  ...{ pnpm_config_registry: registry, pnpm_config_minimum_release_age: '0' },
  npm_config_store_dir: join(folder.path, 'pnpm-store'),
  ...{ YARN_NPM_REGISTRY_SERVER: registry, YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1' },
  ...{ YARN_GLOBAL_FOLDER: join(folder.path, 'yarn'), YARN_ENABLE_TELEMETRY: '0' },
  ...{ YARN_NPM_MINIMAL_AGE_GATE: '0', YARN_ENABLE_IMMUTABLE_INSTALLS: '0' },
};

/** @returns stdout and stderr @throws with both if the command fails */
function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout + stderr;
}

const tools = join(folder.path, 'tools');
const stubwright = (cwd: string, ...args: string[]) =>
  run(cwd, process.execPath, join(tools, 'node_modules/@stubwright/cli/dist/main.js'), ...args);

beforeAll(() => {
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{"private":true}');
  install(tools, ['stubwright', '@stubwright/cli', '@stubwright/client']);
});
afterAll(() => folder.remove());

interface Place {
  readonly manager: 'npm' | 'pnpm' | 'yarn';
  readonly runner: 'node' | 'vitest' | 'jest';
  /** The files of a workspace around the service, by name. */
  readonly workspace?: Readonly<Record<string, string>>;
}

const NODE_MODULES = 'nodeLinker: node-modules\n';
const MEMBERS = '{"private":true,"name":"root","workspaces":["services/*"]}';
const PLACES: Readonly<Record<string, Place>> = {
  'an npm workspace': { manager: 'npm', runner: 'vitest', workspace: { 'package.json': MEMBERS } },
  pnpm: { manager: 'pnpm', runner: 'node' },
  'a pnpm workspace': {
    ...{ manager: 'pnpm', runner: 'jest' },
    workspace: {
      'package.json': '{"private":true,"name":"root"}',
      'pnpm-workspace.yaml': 'packages: ["services/*"]\n',
    },
  },
  'a Yarn workspace': {
    ...{ manager: 'yarn', runner: 'node' },
    workspace: { 'package.json': MEMBERS, 'yarn.lock': '', '.yarnrc.yml': NODE_MODULES },
  },
};

describe.each(Object.entries(PLACES))(
  'a new service in %s',
  (name, { manager, runner, workspace }) => {
    const root = join(folder.path, name.replaceAll(' ', '-'));
    const project = join(root, 'services/toys');

    it('is installed, and passes its tests and its checks', () => {
      mkdirSync(root);
      for (const [file, text] of Object.entries(workspace ?? {}))
        writeFileSync(join(root, file), text);
      const args = ['--package-manager', manager, '--test', runner];
      const written = stubwright(root, 'init', CONTRACT, 'services/toys', ...args);
      expect(written).toMatch(/^\d+ files, 2 operations$/m);
      expect(run(project, manager, 'run', 'test')).not.toMatch(/\bfail [1-9]/);
      run(project, manager, 'run', 'check');
    }, 300_000);
  },
);

describe('a service that npm installed', () => {
  const project = join(folder.path, 'compiled');

  beforeAll(() => {
    stubwright(folder.path, 'init', CONTRACT, 'compiled');
  });

  it.each(['typescript5', 'typescript6', 'typescript7'])('is compiled by %s', (version) => {
    const { version: exact } = JSON.parse(
      readFileSync(join(MODULES, version, 'package.json'), 'utf8'),
    );
    install(project, ['--save-dev', `typescript@${exact}`]);
    expect(run(project, 'npx', 'tsc', '--version')).toContain(exact);
    run(project, 'npx', 'tsc', '-p', '.');
    run(project, 'npx', 'stubwright', 'generate', '--check');
    run(project, 'npx', 'stubwright', 'check');
  });

  it('is clean under typescript-eslint and Prettier', () => {
    const config = `
import js from '${MODULES}/@eslint/js/src/index.js';
import tseslint from '${MODULES}/typescript-eslint/dist/index.js';
export default tseslint.config({ ignores: ['generated'] }, js.configs.recommended, ...tseslint.configs.recommended);
`;
    writeFileSync(join(project, 'eslint.config.mjs'), config);
    run(project, 'eslint', 'src', 'test');
    run(
      project,
      'prettier',
      '--check',
      'src',
      'test',
      'package.json',
      'tsconfig.json',
      'README.md',
    );
  });
});

/** @returns true if the registry has a program for this machine */
function has(runtime: string): boolean {
  if (existsSync(join(tools, 'node_modules/.bin', runtime))) return true;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', runtime];
  const { status } = spawnSync('npm', args, { cwd: tools, env });
  const works =
    status === 0 &&
    spawnSync(join(tools, 'node_modules/.bin', runtime), ['--version']).status === 0;
  if (!works) process.stderr.write(`SKIPPED: test/publishing/matrix.test.ts found no ${runtime}\n`);
  return works;
}

describe.each([
  ['bun', ['server.ts']],
  ['deno', ['run', '--allow-all', 'server.ts']],
] as const)('%s', (runtime, args) => {
  it('creates plants with a generated client under their exact ids', async () => {
    if (!has(runtime)) return;
    const program = join(tools, 'node_modules/.bin', runtime);
    await expectExactCreates(tools, [program, ...args.slice(0, -1)]);
  });

  it('serves a fetch handler with exact integers', async () => {
    if (!has(runtime)) return;
    const project = join(folder.path, runtime);
    cpSync('docs/examples/fetch', project, { recursive: true });
    install(project, []);
    run(project, 'npx', 'stubwright', 'generate');
    const port = await freePort();
    const child = spawn(join(tools, 'node_modules/.bin', runtime), args, {
      ...{ cwd: project, stdio: ['ignore', 'ignore', 'inherit'] },
      env: { ...env, PORT: String(port) },
    });
    const ended = once(child, 'exit');
    try {
      const url = `http://127.0.0.1:${port}`;
      const isUp = () =>
        fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isUp())) {
        if (child.exitCode !== null) throw new Error(`${runtime} ended with ${child.exitCode}`);
        await setTimeout(20);
      }
      const body = '{"id":9007199254740993,"name":"Teddy bear"}';
      const headers = { 'Content-Type': 'application/json' };
      const stored = await fetch(`${url}/toys`, { method: 'POST', headers, body });
      expect([stored.status, await stored.text()]).toEqual([201, body]);
      expect((await fetch(`${url}/toys`, { method: 'POST', headers, body: '{}' })).status).toBe(
        400,
      );
    } finally {
      child.kill();
      await ended;
    }
  });
});
