// A new service with each package manager, compiler and runtime, with the published packages.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@stubwright/test-support/freePort';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { Image } from '../container/image.ts';
import { expectExactCreates } from './createPlants.ts';
import { install } from './install.ts';
import { commandLine, MODULES } from './packageManagers.ts';

const folder = temporaryFolder();
const CONTRACT = resolve('docs/stubwright/commands/openapi.yaml');
const { env, run, stubwright, tools, installTools } = commandLine(folder.path);

beforeAll(() =>
  installTools(['stubwright', '@stubwright/service', '@stubwright/cli', '@stubwright/client']),
);
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

/** Commands that run a package without installing it; newcomer.test.ts has npx. */
const RUNNERS: readonly (readonly [line: string, manager: string])[] = [
  ['pnpm dlx stubwright', 'pnpm'],
  ['yarn dlx stubwright', 'yarn'],
  // Bun writes a project for npm.
  ['bun x stubwright', 'npm'],
];

describe.each(RUNNERS)('a new service by %s init', (line, manager) => {
  const desk = join(folder.path, line.replaceAll(/\W+/g, '-'));
  const project = join(desk, 'my-service');
  const [command = '', ...args] = line.split(' ');

  it('has the files of the package manager, and is installed', () => {
    if (command === 'bun' && !has('bun')) return;
    mkdirSync(desk);
    cpSync(CONTRACT, join(desk, 'openapi.yaml'));
    const written = run(desk, command, ...args, 'init', 'openapi.yaml', 'my-service');
    expect(written).toMatch(/^\d+ files, 2 operations$/m);
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toContain(`"${manager} run check`);
    expect(existsSync(join(project, 'node_modules/stubwright/package.json'))).toBe(true);
  });
});

describe.each(['npm', 'pnpm', 'yarn'])('the Dockerfile of a service with %s', (manager) => {
  const root = join(folder.path, `image-${manager}`);
  const project = join(root, 'project');

  it('makes an image that starts, also with settings of the package manager', async () => {
    for (const each of ['context', 'empty', 'bin'])
      mkdirSync(join(root, each), { recursive: true });
    stubwright(root, 'init', CONTRACT, 'project', '--package-manager', manager);
    if (manager === 'pnpm') {
      // A frozen installation fails if the settings are not those of the lock file.
      writeFileSync(join(project, 'pnpm-workspace.yaml'), 'overrides: { koa: ^3.3.0 }\n');
      run(project, 'pnpm', 'install');
    }
    copyContext(project, join(root, 'context'));
    const before = { ...process.env };
    // The machine has the package managers; corepack would download them.
    writeFileSync(join(root, 'bin/corepack'), '#!/bin/sh\n', { mode: 0o755 });
    Object.assign(process.env, env, { PATH: `${join(root, 'bin')}:${env.PATH}` });
    let image: Image;
    try {
      image = new Image(join(project, 'Dockerfile'), join(root, 'empty'), join(root, 'context'));
    } finally {
      process.env = before;
    }
    expect(existsSync(join(image.folder, 'node_modules/koa'))).toBe(true);
    expect(existsSync(join(image.folder, 'node_modules/typescript'))).toBe(false);
    const port = await freePort();
    const service = startProcess([process.execPath, ...image.command.slice(1)], {
      cwd: image.folder,
      env: { ...image.environment, HOST: '127.0.0.1', PORT: `${port}`, ADMIN_PORT: '' },
    });
    try {
      const { status } = await service.responding(`http://127.0.0.1:${port}/v1/toys`);
      expect(status).toBe(200);
    } finally {
      await service.stop();
      image.unlock();
    }
  });
});

/** Copies what .dockerignore leaves: all files but those with `!` are excluded. */
function copyContext(project: string, target: string): void {
  const [all, ...others] = readFileSync(join(project, '.dockerignore'), 'utf8').trim().split('\n');
  expect(all).toBe('*');
  for (const pattern of others) {
    for (const file of globSync(pattern.slice(1), { cwd: project })) {
      cpSync(join(project, file), join(target, file), { recursive: true });
    }
  }
}

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

const STOPPED_CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys/{id}:
    get:
      operationId: showToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200':
          description: a toy
          content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}
`;

/** Toy 2 waits for standard input. */
const STOPPED_SERVICE = `import { once } from 'node:events';
import { runService } from '@stubwright/service';

await runService({
  handlers: {
    async showToy({ path }) {
      if (path.id === 2) {
        console.log('waiting');
        await once(process.stdin, 'data');
      }
      return { status: 200, type: 'application/json', body: { id: path.id } };
    },
  },
});
`;

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
    await using server = startProcess([join(tools, 'node_modules/.bin', runtime), ...args], {
      ...{ cwd: project, env: { ...env, PORT: String(port) } },
    });
    const url = `http://127.0.0.1:${port}`;
    expect((await server.responding(`${url}/health`)).ok).toBe(true);
    const body = '{"id":9007199254740993,"name":"Teddy bear"}';
    const headers = { 'Content-Type': 'application/json' };
    const stored = await fetch(`${url}/toys`, { method: 'POST', headers, body });
    expect([stored.status, await stored.text()]).toEqual([201, body]);
    const invalid = await fetch(`${url}/toys`, { method: 'POST', headers, body: '{}' });
    expect(invalid.status).toBe(400);
  });

  it('answers the request in flight when a service stops', async () => {
    if (!has(runtime)) return;
    const project = join(tools, `${runtime}-service`);
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'openapi.yaml'), STOPPED_CONTRACT);
    writeFileSync(join(project, 'server.ts'), STOPPED_SERVICE);
    stubwright(project, 'generate');
    await using service = startProcess([join(tools, 'node_modules/.bin', runtime), ...args], {
      cwd: project,
      env: { ...env, PORT: '0', API_TOKENS: 'a token of the test'.replaceAll(' ', '-') },
    });
    const [, url] = await service.printed(/"url":"([^"]+)"/);
    // Leaves an idle connection.
    expect((await fetch(`${url}/toys/1`)).status).toBe(200);
    const pending = fetch(`${url}/toys/2`);
    await service.printed(/^waiting$/m);
    service.child.kill('SIGTERM');
    await service.printed(/"draining"/);
    service.child.stdin!.write('continue\n');
    const response = await pending;
    expect([response.status, await response.json()]).toEqual([200, { id: 2 }]);
    await service.printed(/"stopped"/);
    expect((await service.exited).code).toBe(0);
    expect(service.output()).not.toContain('"level":50');
  });
});
