// The reporter that names the files that run, and at the end the tests that failed.
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import ProgressReporter, { failed } from './support/progressReporter.ts';

it('reports the files that have started and not ended', () => {
  const reporter = new ProgressReporter();
  expect(reporter.running()).toBe('');
  for (const path of ['test/a.test.ts', 'test/b.test.ts']) {
    reporter.onTestFileStart({ path: resolve(path) });
  }
  reporter.onTestFileResult({ path: resolve('test/a.test.ts') });
  expect(reporter.running()).toMatch(/^RUNNING for \d+ s: test\/b\.test\.ts\n$/);
});

it('reports failed tests, and files that fail before their tests', () => {
  const file = (name: string, testExecError?: Error, ...statuses: string[]) => ({
    testFilePath: resolve(`test/${name}.test.ts`),
    perfStats: { runtime: 1 },
    testExecError,
    testResults: statuses.map((status) => ({ status, fullName: `is ${status}` })),
  });
  const files = [file('a', undefined, 'passed', 'failed'), file('b', new Error('a syntax error'))];
  expect(failed(files)).toBe('\nFAILED:\n  test/a.test.ts: is failed\n  test/b.test.ts\n');
  expect(failed([file('c', undefined, 'passed')])).toBe('');
});
