// A jest reporter: which test executes which characters of the sources, and how long each test takes.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import {
  childCoverage,
  executedSource,
  type Range,
  type ScriptCoverage,
} from './executedSources.ts';

export interface TestCoverage {
  /** Path of the test, from the root of the repository. */
  readonly test: string;
  readonly ms: number;
  readonly passed: boolean;
  /** The path of a source -> what the test, or a process that it starts, executes of it. */
  readonly sources: Readonly<Record<string, readonly Range[]>>;
  /** The test and its sources -> the digest of the text that was executed. */
  readonly digests: Readonly<Record<string, string>>;
}

/** The part of jest's result that is read. */
interface TestResult {
  readonly testFilePath: string;
  readonly perfStats: { readonly runtime: number };
  readonly numFailingTests: number;
  readonly testExecError?: unknown;
  readonly v8Coverage?: readonly { readonly result: ScriptCoverage }[];
}

export default class CoverageByTest {
  onTestResult(_test: unknown, result: TestResult): void {
    const { testFilePath, perfStats, numFailingTests, testExecError, v8Coverage = [] } = result;
    const own = v8Coverage.map(({ result }) => executedSource(result));
    const sources = Map.groupBy([...own, ...childCoverage(testFilePath)], ([path]) => path);
    const test = relative('.', testFilePath);
    const coverage: TestCoverage = {
      test,
      ms: perfStats.runtime,
      passed: numFailingTests === 0 && testExecError === undefined,
      sources: Object.fromEntries(
        [...sources].map(([path, runs]) => [path, runs.flatMap(([, ranges]) => ranges)]),
      ),
      digests: Object.fromEntries([test, ...sources.keys()].map((path) => [path, digestOf(path)])),
    };
    appendFileSync(process.env['MUTATION_COVERAGE'] as string, `${JSON.stringify(coverage)}\n`);
  }
}

/** @param path from the root of the repository */
export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

/** @returns whether a test executes the character at an offset */
export function executes({ sources }: TestCoverage, file: string, offset: number): boolean {
  return (sources[file] ?? []).some(([start, end]) => start <= offset && offset < end);
}
