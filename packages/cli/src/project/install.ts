// Installs the packages of a project.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { commandsOf, type Manager } from './managerCommands.ts';

interface Installation {
  readonly manager: Manager;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives the output of the package manager. */
  readonly stderr: Writable;
}

/** @throws {Error} if the package manager is missing or fails; the files of the project stay */
export async function installPackages({ manager, cwd, env, stderr }: Installation): Promise<void> {
  const [, ...args] = commandsOf(manager).install.split(' ');
  const child = spawn(manager, args, {
    cwd,
    // Yarn would refuse to write a lock file in CI.
    env: { ...env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows it is a script, which only a shell starts.
    shell: process.platform === 'win32',
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(stderr, { end: false });
  const reason = await once(child, 'close').then(
    ([code]) => (code === 0 ? undefined : `exit code ${code}`),
    (error: Error) => error.message,
  );
  if (reason === undefined) return;
  const command = `${manager} install`;
  throw new Error(`${command}: got ${reason}, expected 0: the files are written, run ${command}`);
}
