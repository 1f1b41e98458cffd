// The reporter that names the files that run, while they run.
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import RunningFiles from './support/runningFiles.ts';

it('reports the files that have started and not ended', () => {
  const reporter = new RunningFiles();
  expect(reporter.report()).toBe('');
  for (const path of ['test/a.test.ts', 'test/b.test.ts']) {
    reporter.onTestFileStart({ path: resolve(path) });
  }
  reporter.onTestFileResult({ path: resolve('test/a.test.ts') });
  expect(reporter.report()).toMatch(/^RUNNING for \d+ s: test\/b\.test\.ts\n$/);
});
