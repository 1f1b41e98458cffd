// A jest reporter: each minute the files that run, at the end the slowest files and the names of failed tests.
import { relative } from 'node:path';

const INTERVAL_MS = 60_000;
const SLOWEST = 10;

/** The parts of https://jestjs.io/docs/configuration#custom-reporters that are read. */
interface TestFile {
  readonly path: string;
}

interface FileResult {
  readonly testFilePath: string;
  readonly perfStats: { readonly runtime: number };
  readonly testExecError?: unknown;
  readonly testResults: readonly { readonly status: string; readonly fullName: string }[];
}

export default class ProgressReporter {
  /** When each file was started, by its path. */
  readonly #started = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  onRunStart(): void {
    this.#timer = setInterval(() => process.stdout.write(this.running()), INTERVAL_MS).unref();
  }

  onTestFileStart({ path }: TestFile): void {
    this.#started.set(path, performance.now());
  }

  onTestFileResult({ path }: TestFile): void {
    this.#started.delete(path);
  }

  onRunComplete(_contexts: unknown, { testResults }: { testResults: readonly FileResult[] }): void {
    clearInterval(this.#timer);
    process.stdout.write(slowest(testResults) + failed(testResults));
  }

  /** @returns a line for each file that runs */
  running(): string {
    const lines = [...this.#started].map(([path, startedMs]) => {
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      return `RUNNING for ${seconds} s: ${relative('.', path)}\n`;
    });
    return lines.join('');
  }
}

function slowest(results: readonly FileResult[]): string {
  const files = results
    .map(({ testFilePath, perfStats }) => ({ path: testFilePath, ms: perfStats.runtime }))
    .sort((a, b) => b.ms - a.ms);
  const totalMs = files.reduce((sum, { ms }) => sum + ms, 0);
  const lines = files
    .slice(0, SLOWEST)
    .map(({ path, ms }) => `${seconds(ms)} s  ${relative('.', path)}\n`);
  return `\nThe slowest of ${files.length} files, ${seconds(totalMs)} s in all:\n${lines.join('')}`;
}

/** @returns a line for each failed test, and for each file that failed without one; empty if none failed */
export function failed(results: readonly FileResult[]): string {
  const lines = results.flatMap(({ testFilePath, testExecError, testResults }) => {
    const path = relative('.', testFilePath);
    const names = testResults.filter(({ status }) => status === 'failed');
    const tests = names.map(({ fullName }) => `  ${path}: ${fullName}\n`);
    return tests.length === 0 && testExecError !== undefined ? [`  ${path}\n`] : tests;
  });
  return lines.length === 0 ? '' : `\nFAILED:\n${lines.join('')}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(6);
}
