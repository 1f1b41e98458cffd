// A team with its own contract: the packed packages in a project of its own, test/adoption.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isRegistryReachable, temporaryFolder } from './support/service.ts';
import { install, packPackages } from './support/tarballs.ts';

const withRegistry = isRegistryReachable('test/adoption.test.ts') ? describe : describe.skip;

jest.setTimeout(180_000);

withRegistry('a project with its own contract and its own Koa application', () => {
  const folder = temporaryFolder();
  const project = join(folder.path, 'project');
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  const stubwright = (...args: string[]) =>
    node('node_modules/@stubwright/cli/dist/main.js', ...args);

  beforeAll(() => {
    cpSync('test/adoption', project, { recursive: true });
    writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
    const { stubwright, cli } = packPackages(folder.path);
    install(project, [stubwright, '@koa/cors', '@koa/router']);
    install(project, ['--save-dev', cli, '@types/node@24', '@types/koa', '@types/koa-bodyparser']);
    install(project, ['--save-dev', '@types/koa__cors']);
  });
  afterAll(() => folder.remove());

  it('generates its types and its bundle', () => {
    expect(stubwright('generate')).toMatchObject({ status: 0, stderr: '' });
  });

  it('has types without errors', () => {
    expect(node('node_modules/typescript/bin/tsc')).toMatchObject({ status: 0, stdout: '' });
  });

  it('passes the checks of its contract', () => {
    expect(stubwright('check').stdout).toMatch(/: 4 operations, 0 errors, \d+ warnings\n$/);
    expect(stubwright('diff', '--check')).toMatchObject({ status: 0 });
  });

  it('passes its own tests', () => {
    const { status, stdout, stderr } = node('--test', 'test/*.test.ts');
    expect(status === 0 ? 'passed' : stdout + stderr).toBe('passed');
    expect(stdout).toMatch(/fail 0\n/);
  });

  it('has no copy of the packages', () => {
    const listed = execFileSync('npm', ['ls', '--json', 'stubwright'], { cwd: project });
    expect(Object.keys(JSON.parse(listed.toString()).dependencies)).toContain('stubwright');
  });
});
