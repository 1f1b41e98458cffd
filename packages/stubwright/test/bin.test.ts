// `npx stubwright`, with and without @stubwright/cli.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A package without @stubwright/cli, and programs in place of the package managers that print their arguments. */
function installAlone(): { bin: string; npm: string } {
  const at = join(folder.path, 'node_modules/stubwright');
  mkdirSync(join(at, 'src'), { recursive: true });
  const manifest = {
    name: 'stubwright',
    version: '9.8.7',
    type: 'module',
    exports: { './package.json': './package.json' },
    peerDependencies: { koa: '^3.3.0' },
  };
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  // Node does not strip the types of files in node_modules.
  const bin = join(folder.path, 'bin.ts');
  cpSync('packages/stubwright/src/bin.ts', bin);
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  const npm = join(folder.path, 'npm.js');
  const program =
    'console.log(JSON.stringify([process.env.NODE_OPTIONS, ...process.argv.slice(2)]));process.exitCode = 1;';
  writeFileSync(npm, program);
  for (const name of ['pnpm', 'yarn', 'bun']) {
    writeFileSync(join(folder.path, name), `#!${process.execPath}\n${program}`, { mode: 0o755 });
  }
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

const CLI = '--package=@stubwright/cli@9.8.7';
/** The optional peers of the command. */
const PEERS = ['--package=stubwright@9.8.7', '--package=koa@^3.3.0'];
const COMMAND = ['stubwright', 'check', 'a.yaml'];

it.each([
  ['npm/11.0.0 node/v24', ['exec', '--yes', CLI, ...PEERS, '--', ...COMMAND]],
  ['pnpm/10.0.0 npm/?', [CLI, ...PEERS, 'dlx', ...COMMAND]],
  ['yarn/4.18.1 npm/? node/v24', ['dlx', '--quiet', CLI, ...PEERS, ...COMMAND]],
  ['yarn/1.22.22 npm/?', ['exec', '--yes', CLI, ...PEERS, '--', ...COMMAND]],
  ['bun/1.4.5', ['x', CLI, ...COMMAND]],
])(
  'runs the command of the same version with %s otherwise, and returns its exit code',
  (agent, args) => {
    const { bin, npm } = installAlone();
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'check', 'a.yaml'], {
      encoding: 'utf8',
      cwd: folder.path,
      env: {
        ...process.env,
        ...{ npm_execpath: npm, npm_config_user_agent: agent },
        PATH: `${folder.path}:${process.env['PATH']}`,
        NODE_OPTIONS: '--no-warnings',
      },
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(['--no-warnings', ...args]);
    expect(status).toBe(1);
  },
);
