// Tests whose modules Node imports: failures are reported, and files do not affect each other.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { native } from '../jest.config.ts';

const FOLDER = resolve('build/native-test-runner');
const IMPORT = "import { expect, it, jest } from '@jest/globals';\n";
/** By name, in the order in which one process runs them. */
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
  left: `it('leaves changes', () => {
    process.env['LEFT'] = 'yes';
    jest.useFakeTimers();
    jest.spyOn(JSON, 'stringify').mockReturnValue('replaced');
  });`,
  right: `it('sees nothing of other files', () => {
    expect([process.env['LEFT'], JSON.stringify({})]).toEqual([undefined, '{}']);
    expect(Error.stackTraceLimit).toBe(10);
  });`,
};

const pathOf = (name: string) => join(FOLDER, `${name}.test.ts`);

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(pathOf(name), `${IMPORT}${text}\n`);
  }
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

it('reports failed expectations, errors, unhandled rejections and timeouts, and restores what files change', () => {
  const config = { ...native, rootDir: resolve('.'), roots: [FOLDER], testMatch: ['**/*.test.ts'] };
  const sequencer = ['--testSequencer', resolve('test/support/givenOrder.cjs')];
  const args = ['--config', JSON.stringify(config), '--json', '--runInBand', ...sequencer];
  const { stdout } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      TEST_ORDER: Object.keys(FILES).map(pathOf).join('\n'),
    },
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
