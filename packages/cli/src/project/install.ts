// Installs the packages of a project with npm.
import { spawnSync } from 'node:child_process';

/** @throws {Error} if npm is missing or fails; the files of the project stay */
export function install(folder: string): void {
  const { status, error } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    // On Windows npm is a script, which only a shell starts.
    {
      cwd: folder,
      stdio: ['ignore', process.stderr, process.stderr],
      shell: process.platform === 'win32',
    },
  );
  if (status === 0) return;
  const reason = error === undefined ? `exit code ${status}` : error.message;
  throw new Error(`npm install: got ${reason}, expected 0: the files are written, run npm install`);
}
