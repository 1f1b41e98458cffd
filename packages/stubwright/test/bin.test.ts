// `npx stubwright`, with and without @stubwright/cli.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { temporaryFolder } from './support/temporaryFolder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A package without @stubwright/cli, and a program in place of npm that prints its arguments. */
function installAlone(): { bin: string; npm: string } {
  const at = join(folder.path, 'node_modules/stubwright');
  mkdirSync(join(at, 'src'), { recursive: true });
  const manifest = {
    name: 'stubwright',
    version: '9.8.7',
    type: 'module',
    exports: { './package.json': './package.json' },
  };
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  // Node does not strip the types of files in node_modules.
  const bin = join(folder.path, 'bin.ts');
  cpSync('packages/stubwright/src/bin.ts', bin);
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  const npm = join(folder.path, 'npm.js');
  writeFileSync(npm, 'console.log(JSON.stringify(process.argv.slice(2)));process.exitCode = 1;');
  return { bin, npm };
}

it('runs the installed command', () => {
  const bin = resolve('packages/stubwright/src/bin.ts');
  const { status, stdout } = spawnSync(process.execPath, [bin, 'diff', '--help'], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^Usage: stubwright diff /);
  expect(status).toBe(0);
});

it('runs the command of the same version from the registry otherwise, and returns its exit code', () => {
  const { bin, npm } = installAlone();
  const { status, stdout } = spawnSync(process.execPath, [bin, 'check', 'a.yaml'], {
    encoding: 'utf8',
    cwd: folder.path,
    env: { ...process.env, npm_execpath: npm },
  });
  expect(JSON.parse(stdout)).toEqual([
    ...['exec', '--yes', '--package=@stubwright/cli@9.8.7', '--', 'stubwright', 'check', 'a.yaml'],
  ]);
  expect(status).toBe(1);
});
