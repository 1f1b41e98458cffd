// A jest reporter: which test executes which characters of the sources, and how long each test takes.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Offsets, end excluded. */
export type Range = readonly [start: number, end: number];

export interface TestCoverage {
  /** Path of the test, from the root of the repository. */
  readonly test: string;
  readonly ms: number;
  readonly passed: boolean;
  /** The path of a source -> executed and not executed ranges, outer ones first. */
  readonly sources: Readonly<
    Record<string, readonly { readonly range: Range; readonly ran: boolean }[]>
  >;
}

/** The part of jest's result that is read. */
interface TestResult {
  readonly testFilePath: string;
  readonly perfStats: { readonly runtime: number };
  readonly numFailingTests: number;
  readonly testExecError?: unknown;
  readonly v8Coverage?: readonly {
    readonly result: {
      readonly url: string;
      readonly functions: readonly {
        readonly ranges: readonly {
          readonly startOffset: number;
          readonly endOffset: number;
          readonly count: number;
        }[];
      }[];
    };
  }[];
}

export default class CoverageByTest {
  readonly #found: TestCoverage[] = [];

  onTestResult(_test: unknown, result: TestResult): void {
    const { testFilePath, perfStats, numFailingTests, testExecError, v8Coverage = [] } = result;
    const sources = v8Coverage.map(({ result: { url, functions } }) => {
      const path = relative('.', url.startsWith('file:') ? fileURLToPath(url) : url);
      const ranges = functions
        .flatMap((each) => each.ranges)
        .map(({ startOffset, endOffset, count }) => {
          return { range: [startOffset, endOffset] as const, ran: count > 0 };
        });
      return [path, ranges] as const;
    });
    const test = relative('.', testFilePath);
    const passed = numFailingTests === 0 && testExecError === undefined;
    const executed = Object.fromEntries(sources);
    this.#found.push({ test, ms: perfStats.runtime, passed, sources: executed });
  }

  onRunComplete(): void {
    writeFileSync(process.env['MUTATION_COVERAGE'] ?? 'coverage.json', JSON.stringify(this.#found));
  }
}

/** @returns whether a test executes the character at an offset: the innermost range decides */
export function executes({ sources }: TestCoverage, file: string, offset: number): boolean {
  const around = (sources[file] ?? []).filter(
    ({ range: [start, end] }) => start <= offset && offset < end,
  );
  const innermost = around.reduce<(typeof around)[number] | undefined>(
    (best, each) => (best === undefined || length(each.range) <= length(best.range) ? each : best),
    undefined,
  );
  return innermost?.ran === true;
}

function length([start, end]: Range): number {
  return end - start;
}
