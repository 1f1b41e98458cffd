// The package manager and the workspace of a new project.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { installPackages } from '../src/project/install.ts';
import { commandsOf, versionedManager } from '../src/project/managerCommands.ts';
import { workplaceOf } from '../src/project/packageManager.ts';

type Files = Record<string, string>;

function workplaceIn(files: Files, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), text);
    }
    return workplaceOf(join(folder.path, 'services/toys'), env);
  } finally {
    folder.remove();
  }
}

const workspaces = (...patterns: string[]) => JSON.stringify({ workspaces: patterns });

describe('the package manager of a project', () => {
  it.each<[string, Files, Record<string, string>, string]>([
    ['npm without any sign', {}, {}, 'npm'],
    [
      'the one that runs the command',
      {},
      { npm_config_user_agent: 'pnpm/12.0.0 node/v24' },
      'pnpm',
    ],
    [
      'the one of a lock file above, also if another one runs the command',
      { 'yarn.lock': '' },
      { npm_config_user_agent: 'npm/11.0.0 node/v24' },
      'yarn',
    ],
    [
      'the one of the field, also with a lock file of another',
      { 'package.json': '{"packageManager": "pnpm@12.0.0"}', 'yarn.lock': '' },
      {},
      'pnpm',
    ],
    ['the nearest one', { 'yarn.lock': '', 'services/package-lock.json': '{}' }, {}, 'npm'],
    ...Object.entries({
      'package-lock.json': 'npm',
      'npm-shrinkwrap.json': 'npm',
      'pnpm-lock.yaml': 'pnpm',
      'pnpm-workspace.yaml': 'pnpm',
      'yarn.lock': 'yarn',
    }).map(([file, manager]): [string, Files, Record<string, string>, string] => [
      `${manager} beside ${file}`,
      { [`services/toys/${file}`]: '' },
      { npm_config_user_agent: manager === 'npm' ? 'yarn/4.0.0' : 'npm/11.0.0' },
      manager,
    ]),
    ['npm with another agent', {}, { npm_config_user_agent: 'bun/1.0.0' }, 'npm'],
    ['none above the repository', { 'yarn.lock': '', 'services/.git/HEAD': '' }, {}, 'npm'],
  ])('is %s', (_, files, env, manager) => {
    expect(workplaceIn(files, env).manager).toBe(manager);
  });

  it.each<[string, Files, boolean | undefined]>([
    ['a member', { 'package.json': workspaces('services/*') }, true],
    ['a member', { 'package.json': '{"workspaces": {"packages": ["./services/toys/"]}}' }, true],
    ['a member', { 'package.json': workspaces('**') }, true],
    ['a member', { 'pnpm-workspace.yaml': 'packages: ["**/toys"]' }, true],
    ['no member', { 'package.json': workspaces('packages/*') }, false],
    ['no member', { 'package.json': workspaces('services/*', '!services/toys') }, false],
    ['no member', { 'package.json': workspaces('services') }, false],
    ['alone', { 'package.json': '{}' }, undefined],
    ['alone', { 'package.json': 'no JSON' }, undefined],
  ])('finds that it is %s: %j', (_, files, isMember) => {
    expect(workplaceIn(files).workspace?.isMember).toBe(isMember);
  });

  it.each<[pattern: string, members: string[]]>([
    ['services/toys', ['services/toys']],
    ['./services/toys/', ['services/toys']],
    ['services/*', ['services/toys', 'services/a.b', 'services/axb']],
    ['services/**', ['services/toys', 'services/a.b', 'services/a/toys', 'services/axb']],
    ['**/toys', ['toys', 'services/toys', 'services/a/toys']],
    ['**', ['toys', 'services/toys', 'services/a.b', 'services/a/toys', 'services/axb']],
    ['services/a.b', ['services/a.b']],
    ['services/[a-z]+', []],
  ])('reads the pattern %s', (pattern, members) => {
    const folder = temporaryFolder();
    try {
      writeFileSync(join(folder.path, 'package.json'), workspaces(pattern));
      const all = ['toys', 'services/toys', 'services/a.b', 'services/a/toys', 'services/axb'];
      const found = all.filter(
        (each) => workplaceOf(join(folder.path, each), {}).workspace?.isMember,
      );
      expect(found).toEqual(members);
    } finally {
      folder.remove();
    }
  });

  it.each<[string, Files, string | undefined, boolean]>([
    ['package.json', { 'package.json': workspaces('a') }, '../../package.json', false],
    [
      'pnpm-workspace.yaml first',
      { 'package.json': workspaces('a'), 'pnpm-workspace.yaml': 'packages: [a]' },
      '../../pnpm-workspace.yaml',
      false,
    ],
    [
      'the nearest file',
      { 'package.json': workspaces('a'), 'services/package.json': workspaces('toys') },
      '../package.json',
      true,
    ],
    [
      'no file of the project itself',
      { 'services/toys/package.json': workspaces('a') },
      undefined,
      false,
    ],
  ])('names %s', (_, files, file, isMember) => {
    const { workspace, isInRepository } = workplaceIn({ ...files, '.git/HEAD': '' });
    expect([workspace?.file, workspace?.isMember === true, isInRepository]).toEqual([
      file,
      isMember,
      true,
    ]);
    expect(workplaceIn(files).isInRepository).toBe(false);
  });
});

describe('the commands of a package manager', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const program = (text: string) =>
    writeFileSync(join(folder.path, 'pnpm'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const env = { PATH: `${folder.path}:${process.env['PATH']}` };

  it('have the version of the running one, else of the installed one', () => {
    const agent = { npm_config_user_agent: 'pnpm/12.3.4 npm/? node/v24' };
    expect(versionedManager('pnpm', agent)).toBe('pnpm@12.3.4');
    program('echo "12.0.0 $*"');
    expect(versionedManager('pnpm', env)).toBe('pnpm@12.0.0 --version');
    expect(versionedManager('pnpm', { ...env, npm_config_user_agent: 'npm/11.0.0' })).toBe(
      'pnpm@12.0.0 --version',
    );
    expect(versionedManager('pnpm', { ...env, npm_config_user_agent: 'pnpm' })).toBe(
      'pnpm@12.0.0 --version',
    );
    program('exit 1');
    expect(versionedManager('pnpm', env)).toBeUndefined();
  });

  it.each([
    ['npm', 'npm run --silent', 'npx --no', 'npm ci'],
    ['pnpm', 'pnpm --silent run', 'pnpm exec', 'pnpm install --frozen-lockfile'],
    ['yarn', 'yarn run', 'yarn run', 'yarn install --immutable'],
  ] as const)(
    'run scripts and programs, and install what is locked: %s',
    (manager, run, exec, ci) => {
      expect(commandsOf(manager)).toMatchObject({ run, exec, ci });
    },
  );

  it('install a project, and report the exit code', async () => {
    const stderr = new PassThrough();
    const install = (manager: 'pnpm' | 'yarn') =>
      installPackages({ manager, cwd: folder.path, env, stderr });
    program('cat; echo "$* in $PWD $YARN_ENABLE_IMMUTABLE_INSTALLS"; echo problem >&2');
    await install('pnpm');
    await expect(
      installPackages({ manager: 'yarn', cwd: folder.path, env: { PATH: folder.path }, stderr }),
    ).rejects.toThrow('yarn install: got spawn yarn ENOENT, expected 0: the files are written');
    program('exit 3');
    await expect(install('pnpm')).rejects.toThrow('pnpm install: got exit code 3, expected 0');
    expect(stderr.writableEnded).toBe(false);
    const lines = String(stderr.read()).trim().split('\n').sort();
    expect(lines).toEqual([
      `install --no-frozen-lockfile in ${realpathSync(folder.path)} false`,
      'problem',
    ]);
  });
});
