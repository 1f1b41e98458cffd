// Which characters of the sources a test executes, in jest's process and in those that it starts.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Offsets, end excluded. */
export type Range = readonly [start: number, end: number];

/** The path from the root of the repository, and what was executed. */
export type ExecutedSource = readonly [path: string, ranges: readonly Range[]];

export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly CountedRange[] }[];
}

interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** @returns the folder for the processes of one test; Node makes it */
export function childrenFolder(testPath: string): string {
  const name = createHash('sha256').update(testPath).digest('hex').slice(0, 16);
  return join(process.env['MUTATION_COVERAGE'] as string, '../children', name);
}

/** Reads and removes the coverage of the processes of one test. */
export function childCoverage(testPath: string): readonly ExecutedSource[] {
  const folder = childrenFolder(testPath);
  if (!existsSync(folder)) return [];
  const scripts = readdirSync(folder).flatMap((file) => scriptsIn(join(folder, file)));
  rmSync(folder, { recursive: true });
  return executedSources(scripts);
}

function scriptsIn(path: string): readonly ScriptCoverage[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).result;
  } catch (error) {
    // The process was killed while it wrote.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** @returns the sources of the project among scripts, and of the helpers of tests */
export function executedSources(scripts: readonly ScriptCoverage[]): readonly ExecutedSource[] {
  return scripts.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? relative('.', fileURLToPath(url)) : '';
    if (!/^(?:packages|test)\/.*\.ts$/.test(path) || !existsSync(path)) return [];
    return [[path, executedRanges(functions.flatMap(({ ranges }) => ranges))]];
  });
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
