// Runs the TypeScript compiler in another process, and reports its errors.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

const BUILD_INFO = 'node_modules/.cache/stubwright.tsbuildinfo';
const OPTIONS = ['--noEmit', '--incremental', '--tsBuildInfoFile', BUILD_INFO, '--pretty', 'false'];

/** Checks one after the other: a check that is stopped at each save would never have a result. */
export class TypeCheck {
  readonly #cwd: string;
  readonly #report: (lines: readonly string[]) => void;
  #running: ChildProcess | undefined;
  /** True if files were saved after the running check has started. */
  #isOutdated = false;

  /**
   * @param cwd the folder of the project
   * @param report receives `checking…` at the start of a check, and its result at the end: the errors, or
   *   `no errors`. The last result is that of the last request.
   */
  constructor(cwd: string, report: (lines: readonly string[]) => void) {
    this.#cwd = cwd;
    this.#report = report;
  }

  /** Starts a check, after the current one; does nothing without a tsconfig.json. */
  request(): void {
    if (this.#running !== undefined) this.#isOutdated = true;
    else if (existsSync(resolve(this.#cwd, 'tsconfig.json'))) this.#start();
  }

  stop(): void {
    this.#running?.kill('SIGKILL');
    this.#running = undefined;
  }

  #start(): void {
    this.#isOutdated = false;
    const tsc = compilerOf(this.#cwd);
    if (tsc === undefined) {
      this.#report(['not checked: got no package typescript, expected it to be installed']);
      return;
    }
    this.#report(['checking…']);
    const child = spawn(process.execPath, [tsc, ...OPTIONS], {
      cwd: this.#cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#running = child;
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', ({ message }) => this.#end(child, [`not checked: ${message}`]));
    child.on('close', (code, signal) => this.#end(child, resultOf(output, code ?? signal)));
  }

  #end(child: ChildProcess, result: readonly string[]): void {
    if (this.#running !== child) return;
    this.#running = undefined;
    this.#report(result);
    if (this.#isOutdated) this.#start();
  }
}

function resultOf(output: string, end: number | NodeJS.Signals | null): readonly string[] {
  // The details of an error are indented.
  const errors = output.split('\n').filter((line) => /^\S/.test(line));
  if (errors.length > 0) return errors;
  return end === 0 ? ['no errors'] : [`not checked: tsc ended with ${end}, expected 0`];
}

/** @returns the path of the project's own compiler; of the copy of this package if it has none */
function compilerOf(cwd: string): string | undefined {
  for (const from of [resolve(cwd, 'package.json'), import.meta.url]) {
    try {
      // TypeScript 7 does not export `bin/tsc`.
      const manifest = createRequire(from).resolve('typescript/package.json');
      return resolve(dirname(manifest), 'bin/tsc');
    } catch {}
  }
  return undefined;
}
