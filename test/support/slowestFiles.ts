// A jest reporter: the files that took the most time, at the end of a run.
import { relative } from 'node:path';

const SHOWN = 10;

/** The part of https://jestjs.io/docs/configuration#custom-reporters that is read. */
interface Results {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly perfStats: { readonly runtime: number };
  }[];
}

export default class SlowestFiles {
  onRunComplete(_contexts: unknown, { testResults }: Results): void {
    const files = testResults
      .map(({ testFilePath, perfStats }) => ({ path: testFilePath, ms: perfStats.runtime }))
      .sort((a, b) => b.ms - a.ms);
    const totalMs = files.reduce((sum, { ms }) => sum + ms, 0);
    process.stdout.write(
      [
        '',
        `The slowest of ${files.length} files, ${seconds(totalMs)} s in all:`,
        ...files.slice(0, SHOWN).map(({ path, ms }) => `${seconds(ms)} s  ${relative('.', path)}`),
        '',
      ].join('\n'),
    );
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(6);
}
