// A jest reporter: which test executes which characters of the sources, and how long each test takes.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Offsets, end excluded. */
export type Range = readonly [start: number, end: number];

export interface TestCoverage {
  /** Path of the test, from the root of the repository. */
  readonly test: string;
  readonly ms: number;
  readonly passed: boolean;
  /** The path of a source -> what the test executes of it, in order, without overlaps. */
  readonly sources: Readonly<Record<string, readonly Range[]>>;
  /** The test and its sources -> the digest of the text that was executed. */
  readonly digests: Readonly<Record<string, string>>;
}

interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
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
      readonly functions: readonly { readonly ranges: readonly CountedRange[] }[];
    };
  }[];
}

export default class CoverageByTest {
  onTestResult(_test: unknown, result: TestResult): void {
    const { testFilePath, perfStats, numFailingTests, testExecError, v8Coverage = [] } = result;
    const sources = v8Coverage.map(({ result: { url, functions } }) => {
      const path = relative('.', url.startsWith('file:') ? fileURLToPath(url) : url);
      return [path, executedRanges(functions.flatMap(({ ranges }) => ranges))] as const;
    });
    const test = relative('.', testFilePath);
    const coverage: TestCoverage = {
      test,
      ms: perfStats.runtime,
      passed: numFailingTests === 0 && testExecError === undefined,
      sources: Object.fromEntries(sources),
      digests: Object.fromEntries(
        [test, ...sources.map(([path]) => path)].map((path) => [path, digestOf(path)]),
      ),
    };
    appendFileSync(process.env['MUTATION_COVERAGE'] as string, `${JSON.stringify(coverage)}\n`);
  }
}

/** @param path from the root of the repository */
export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

/** The innermost of nested ranges decides whether a character was executed. */
function executedRanges(counted: readonly CountedRange[]): readonly Range[] {
  const found: Range[] = [];
  const outer: CountedRange[] = [];
  let at = 0;
  const advance = (to: number) => {
    const ran = (outer.at(-1)?.count ?? 0) > 0;
    const last = found.at(-1);
    if (ran && at < to) {
      if (last?.[1] === at) found[found.length - 1] = [last[0], to];
      else found.push([at, to]);
    }
    at = Math.max(at, to);
  };
  const closeUntil = (offset: number) => {
    for (let last = outer.at(-1); last && last.endOffset <= offset; last = outer.at(-1)) {
      advance(last.endOffset);
      outer.pop();
    }
  };
  const outerFirst = counted.toSorted(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  );
  for (const range of outerFirst) {
    closeUntil(range.startOffset);
    advance(range.startOffset);
    outer.push(range);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return found;
}

/** @returns whether a test executes the character at an offset */
export function executes({ sources }: TestCoverage, file: string, offset: number): boolean {
  return (sources[file] ?? []).some(([start, end]) => start <= offset && offset < end);
}
