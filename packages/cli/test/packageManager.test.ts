// The package manager and the workspace of a new project.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../stubwright/test/support/temporaryFolder.ts';
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
});
