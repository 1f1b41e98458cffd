// Runs jest in a copy of the project.
import { execFileSync, spawn } from 'node:child_process';
import { join, relative } from 'node:path';

export const TOOL = 'test/mutation';
const JEST_ENVIRONMENT = { NODE_OPTIONS: '--experimental-vm-modules', NODE_NO_WARNINGS: '1' };

/** @param args with the config @returns the exit code; undefined after the time limit */
export function jest(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  timeoutMs?: number,
): Promise<number | undefined> {
  const child = spawn(process.execPath, jestArguments(folder, args), {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, ...JEST_ENVIRONMENT, ...environment },
  });
  return new Promise((done, fail) => {
    const timer = timeoutMs && setTimeout(() => killGroup(child.pid as number), timeoutMs);
    child.once('error', fail);
    child.once('exit', (code) => {
      clearTimeout(timer);
      killGroup(child.pid as number);
      done(code ?? undefined);
    });
  });
}

/** Also the processes that an interrupted test started. */
function killGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function jestArguments(folder: string, args: readonly string[]): string[] {
  return [join(folder, 'node_modules/jest/bin/jest.js'), ...args, '--silent'];
}

/** @returns the paths of the tests of `make test` */
export function listedTests(folder: string): readonly string[] {
  const list = execFileSync(process.execPath, jestArguments(folder, ['--listTests', '--json']), {
    cwd: folder,
    env: { ...process.env, ...JEST_ENVIRONMENT },
    encoding: 'utf8',
  });
  return (JSON.parse(list) as string[]).map((test) => relative(folder, test)).sort();
}
