// Runs the TypeScript compiler in another process, and reports its errors.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

const BUILD_INFO = 'node_modules/.cache/stubwright.tsbuildinfo';

export class TypeCheck {
  readonly #cwd: string;
  readonly #report: (errors: readonly string[]) => void;
  #running: ChildProcess | undefined;

  /**
   * @param cwd the folder of the project
   * @param report receives the errors of each check that is not stopped, none for valid types
   */
  constructor(cwd: string, report: (errors: readonly string[]) => void) {
    this.#cwd = cwd;
    this.#report = report;
  }

  /** Stops the current check and starts another; does nothing without a tsconfig.json. */
  restart(): void {
    this.stop();
    if (!existsSync(resolve(this.#cwd, 'tsconfig.json'))) return;
    const tsc = compilerOf(this.#cwd);
    const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', BUILD_INFO];
    const child = spawn(process.execPath, [tsc, ...options, '--pretty', 'false'], {
      cwd: this.#cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#running = child;
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', () => {
      if (this.#running !== child) return;
      this.#running = undefined;
      // The details of an error are indented.
      this.#report(output.split('\n').filter((line) => /^\S/.test(line)));
    });
  }

  stop(): void {
    this.#running?.kill('SIGKILL');
    this.#running = undefined;
  }
}

/** @returns the path of the project's own compiler; of the copy of this package if it has none */
function compilerOf(cwd: string): string {
  for (const from of [resolve(cwd, 'package.json'), import.meta.url]) {
    try {
      // TypeScript 7 does not export `bin/tsc`.
      const manifest = createRequire(from).resolve('typescript/package.json');
      return resolve(dirname(manifest), 'bin/tsc');
    } catch {}
  }
  throw new Error('typescript: got no package, expected one to be installed');
}
