// Which test executes which characters of the sources, and how long each test takes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Range } from './executedSources.ts';

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

/** @param path from the root of the repository */
export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

/** @returns whether a test executes the character at an offset */
export function executes({ sources }: TestCoverage, file: string, offset: number): boolean {
  return (sources[file] ?? []).some(([start, end]) => start <= offset && offset < end);
}
