// A team with its own contract: the published packages in a project of its own, test/adoption.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { install } from './install.ts';

describe('a project with its own contract and its own Koa application', () => {
  const folder = temporaryFolder();
  const project = join(folder.path, 'project');
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  const stubwright = (...args: string[]) =>
    node('node_modules/@stubwright/cli/dist/main.js', ...args);

  beforeAll(() => {
    cpSync('test/adoption', project, { recursive: true });
    writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
    install(project, ['stubwright', '@stubwright/service', '@koa/cors', '@koa/router']);
    const types = ['node@24', 'koa', 'koa-bodyparser', 'koa__cors'].map((name) => `@types/${name}`);
    install(project, ['--save-dev', '@stubwright/cli', ...types]);
  });
  afterAll(() => folder.remove());

  it('generates its types and its bundle', () => {
    expect(stubwright('generate')).toMatchObject({ status: 0, stderr: '' });
  });

  it('has types without errors', () => {
    expect(node('node_modules/typescript/bin/tsc')).toMatchObject({ status: 0, stdout: '' });
  });

  it('passes the checks of its contract', () => {
    expect(stubwright('check').stdout).toMatch(/: 4 operations, 0 errors, \d+ warnings?\n$/);
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
