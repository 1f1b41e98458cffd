// Tests that run as Node runs them fail as those of jest do.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { native } from '../jest.config.ts';

const FOLDER = resolve('build/native-tests');
const IMPORT = "import { expect, it, jest } from '@jest/globals';\n";
const FILES: Readonly<Record<string, string>> = {
  expectation: "it('is wrong', () => expect(1).toBe(2));",
  assertions: "it('is wrong', () => expect.assertions(1));",
  rejection: `it('is wrong', async () => {
    Promise.reject(new Error('lost'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`,
  exception: `it('is wrong', async () => {
    setTimeout(() => { throw new Error('late'); });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`,
  time: "jest.setTimeout(50);\nit('is wrong', () => new Promise(() => {}));",
  waiting: "it('waits', () => new Promise((resolve) => setTimeout(resolve, 200)));",
  loading: "throw new Error('no test');",
  right: `it('sees nothing of other files', () => {
    expect([process.env['LEFT'], JSON.stringify({})]).toEqual([undefined, '{}']);
  });`,
  left: `it('leaves changes', () => {
    process.env['LEFT'] = 'yes';
    jest.useFakeTimers();
    jest.spyOn(JSON, 'stringify').mockReturnValue('replaced');
  });`,
};

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(FOLDER, `${name}.test.ts`), `${IMPORT}${text}\n`);
  }
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

it('fail by expectations, errors, lost rejections and time limits, and see nothing of each other', () => {
  const config = { ...native, rootDir: resolve('.'), roots: [FOLDER], testMatch: ['**/*.test.ts'] };
  // In one process; the file that leaves changes runs first.
  const sequence = ['--testSequencer', resolve('test/support/native/byName.cjs')];
  const args = ['--config', JSON.stringify(config), '--json', '-i', ...sequence];
  const { stdout } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  const { testResults } = JSON.parse(stdout) as {
    testResults: { name: string; status: string }[];
  };
  const statuses = testResults.map(({ name, status }) => [name.match(/(\w+)\.test/)![1], status]);
  expect(Object.fromEntries(statuses)).toEqual({
    ...Object.fromEntries(Object.keys(FILES).map((name) => [name, 'failed'])),
    ...{ left: 'passed', right: 'passed', waiting: 'passed' },
  });
});
