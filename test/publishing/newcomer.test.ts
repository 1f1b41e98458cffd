// A newcomer's first day, from npx to an upgrade, with a registry of its own: the upgrade is published there.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { PACKAGES } from '../../packages/tools/src/pack/manifest.ts';
import { type LocalRegistry, startRegistry } from './localRegistry.ts';

const BUILT = process.env['BUILT_PACKAGES']!;
const [VERSION, NEXT] = versions();
const folder = temporaryFolder();
const desk = join(folder.path, 'desk');
const service = join(desk, 'my-service');
let registry: LocalRegistry;

beforeAll(async () => {
  registry = await startRegistry(join(folder.path, 'registry'));
  registry.publish(BUILT);
  mkdirSync(desk);
  cpSync(resolve('docs/stubwright/commands/openapi.yaml'), join(desk, 'openapi.yaml'));
});
afterAll(async () => {
  await registry.stop();
  folder.remove();
});

/** @returns the version of the packages, and the patch after it */
function versions(): [string, string] {
  const { version } = JSON.parse(readFileSync(join(BUILT, 'stubwright/package.json'), 'utf8'));
  const [major, minor, patch] = version.split('.').map(Number);
  return [version, `${major}.${minor}.${patch + 1}`];
}

/** @returns stdout @throws with stdout and stderr if the command fails */
function run(cwd: string, command: string, ...args: string[]): string {
  const env = { ...process.env, ...registry.env, ALL_TESTS: '', NODE_OPTIONS: '' };
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** @returns the status of the response to the curl command that `make start` prints */
async function firstStatus(): Promise<string> {
  const env = { ...process.env, ...registry.env, NODE_OPTIONS: '', PORT: '0' };
  // In a group, which a signal reaches as a whole: make and the service.
  await using make = startProcess(['make', 'start'], { cwd: service, env, detached: true });
  const [, curl] = await make.printed(/^ *(curl .*)\n/m);
  return run(service, 'sh', '-c', `${curl} -sS -o response.json -w '%{http_code}'`);
}

function publishUpgrade(version: string): void {
  const upgrade = join(folder.path, version);
  for (const name of PACKAGES) {
    const target = join(upgrade, name);
    cpSync(join(BUILT, name), target, { recursive: true });
    const manifest = join(target, 'package.json');
    const text = readFileSync(manifest, 'utf8');
    // Its own version, and the ranges of the others.
    const own = /"((?:@stubwright\/\w+|stubwright|version)": "\^?)\d+\.\d+\.\d+"/g;
    writeFileSync(manifest, text.replace(own, `"$1${version}"`));
  }
  registry.publish(upgrade);
}

const installed = (name: string) =>
  JSON.parse(readFileSync(join(service, 'node_modules', name, 'package.json'), 'utf8')).version;

describe('a newcomer', () => {
  it('writes a service with npx in a folder that has only a contract', () => {
    const output = run(desk, 'npx', '--yes', 'stubwright', 'init', 'openapi.yaml', 'my-service');
    expect(output).toMatch(/^\d+ files, 2 operations\n/);
    expect(['stubwright', '@stubwright/cli'].map(installed)).toEqual([VERSION, VERSION]);
  });

  it('gets a declared response from make start', async () => {
    expect(await firstStatus()).toMatch(/^20[01]$/);
  });

  it('runs make test and make check', () => {
    expect(run(service, 'make', 'test')).toMatch(/^ℹ fail 0$/m);
    run(service, 'make', 'check');
  });

  it('upgrades with npm update', () => {
    publishUpgrade(NEXT);
    run(service, 'npm', 'update', '--no-audit', '--no-fund');
    expect(['stubwright', '@stubwright/cli'].map(installed)).toEqual([NEXT, NEXT]);
    expect(run(service, 'npx', 'stubwright', '--version')).toBe(`${NEXT}\n`);
    expect(run(service, 'npm', 'test')).toMatch(/^ℹ fail 0$/m);
    run(service, 'npm', 'run', 'check');
  });
});
