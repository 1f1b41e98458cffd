// Which test executes what: measured once, and again for each test that changed or that executes a changed source.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, type TestCoverage } from './coverage.ts';
import { jest, listedTests, TOOL } from './jestRun.ts';

/**
 * @param copy of the project, in which the tests run; one that fails is measured again
 * @param options.folder keeps the measurements
 * @param options.of start of the paths of the tests
 */
export async function measuredTests(
  copy: string,
  options: { readonly folder: string; readonly workers: number; readonly of: string },
): Promise<readonly TestCoverage[]> {
  const { folder, workers, of } = options;
  const path = join(folder, 'coverage.ndjson');
  const known = upToDate(path, copy);
  const tests = listedTests(copy).filter((test) => test.startsWith(of));
  const unknown = tests.filter((test) => !known.has(test));
  if (unknown.length > 0) {
    process.stdout.write(`${unknown.length} of ${tests.length} tests once, with coverage…\n`);
    const args = ['--config', `${TOOL}/coverage.config.ts`, '-w', String(workers)];
    const environment = { MUTATION_COVERAGE: path };
    await jest(copy, [...args, '--runTestsByPath', ...unknown], environment);
  }
  const found = upToDate(path, copy);
  return tests.flatMap((test) => found.get(test) ?? []);
}

/** Of the copy, and passed: a test that changes during the run stays as it was measured. */
function upToDate(path: string, copy: string): ReadonlyMap<string, TestCoverage> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const all = lines.map((line) => JSON.parse(line) as TestCoverage);
  const present = new Map<string, string>();
  const isCurrent = ({ passed, digests }: TestCoverage) =>
    passed &&
    Object.entries(digests).every(([file, digest]) => {
      const copied = join(copy, file);
      if (!present.has(file)) present.set(file, existsSync(copied) ? digestOf(copied) : '');
      return present.get(file) === digest;
    });
  return new Map(all.filter(isCurrent).map((measured) => [measured.test, measured]));
}
