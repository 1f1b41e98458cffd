// The package manager and the workspace of a new project.
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { installPackages, versionedManager, workplaceOf } from '../src/project/packageManager.ts';
import { createFolder } from './support/toyProject.ts';

type Files = Record<string, string>;

function workplaceIn(files: Files, env: Record<string, string> = {}) {
  using folder = createFolder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  return workplaceOf(join(folder.path, 'services/toys'), env);
}

const workspaces = (...patterns: string[]) => JSON.stringify({ workspaces: patterns });
const PNPM = { 'pnpm-workspace.yaml': 'packages: [a]' };
const NPM = { 'package.json': workspaces('a') };

describe('the package manager of a project', () => {
  it.each<[string, Files, agent: string, string]>([
    ['npm without any sign', {}, '', 'npm'],
    ['the one that runs the command', {}, 'pnpm/12.0.0 node/v24', 'pnpm'],
    ['pnpm in its workspace', PNPM, 'npm/11', 'pnpm'],
    ['npm with another agent', {}, 'bun/1.0.0', 'npm'],
    ['npm outside of the repository', { ...PNPM, 'services/.git/HEAD': '' }, '', 'npm'],
  ])('is %s', (_, files, agent, manager) => {
    expect(workplaceIn(files, { npm_config_user_agent: agent }).manager).toBe(manager);
  });

  const nearest = { ...NPM, 'services/package.json': workspaces('toys') };
  it.each<[string, Files, string | undefined]>([
    ['package.json', NPM, '../../package.json'],
    ['pnpm-workspace.yaml first', { ...NPM, ...PNPM }, '../../pnpm-workspace.yaml'],
    ['the nearest file', nearest, '../package.json'],
    ['no file of the project itself', { 'services/toys/package.json': workspaces('a') }, undefined],
    ['no file without members', { 'package.json': '{}' }, undefined],
    ['no file that is no JSON', { 'package.json': '{' }, undefined],
  ])('names %s', (_, files, file) => {
    const { workspace, isInRepository } = workplaceIn({ ...files, '.git/HEAD': '' });
    expect([workspace, isInRepository]).toEqual([file, true]);
    expect(workplaceIn(files).isInRepository).toBe(false);
  });
});

describe('the commands of a package manager', () => {
  const folder = createFolder();
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
