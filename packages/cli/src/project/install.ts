// Installs the packages of a project with npm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';

interface Installation {
  /** The folder of the project. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives what npm writes. */
  readonly stderr: Writable;
}

/** @throws {Error} if npm is missing or fails; the files of the project stay */
export async function installPackages({ cwd, env, stderr }: Installation): Promise<void> {
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows npm is a script, which only a shell starts.
    shell: process.platform === 'win32',
  });
  for (const stream of [npm.stdout, npm.stderr]) stream.pipe(stderr, { end: false });
  const reason = await once(npm, 'close').then(
    ([code]) => (code === 0 ? undefined : `exit code ${code}`),
    (error: Error) => error.message,
  );
  if (reason === undefined) return;
  throw new Error(`npm install: got ${reason}, expected 0: the files are written, run npm install`);
}
