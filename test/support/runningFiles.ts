// A jest reporter: the files that run, each minute, so that the log of a run that hangs names them.
import { relative } from 'node:path';

const INTERVAL_MS = 60_000;

/** The part of https://jestjs.io/docs/configuration#custom-reporters that is read. */
interface TestFile {
  readonly path: string;
}

export default class RunningFiles {
  /** When each file was started, by its path. */
  readonly #started = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  onRunStart(): void {
    this.#timer = setInterval(() => process.stdout.write(this.report()), INTERVAL_MS).unref();
  }

  onTestFileStart({ path }: TestFile): void {
    this.#started.set(path, performance.now());
  }

  onTestFileResult({ path }: TestFile): void {
    this.#started.delete(path);
  }

  onRunComplete(): void {
    clearInterval(this.#timer);
  }

  /** @returns a line for each file that runs */
  report(): string {
    const lines = [...this.#started].map(([path, startedMs]) => {
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      return `RUNNING for ${seconds} s: ${relative('.', path)}\n`;
    });
    return lines.join('');
  }
}
