// strace: which system calls a process makes, and errors and signals injected into them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';

export const hasStrace = runs('strace', '-V');

export function runs(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param syscalls as `-e trace=` takes them
 * @returns a command that runs another and writes its system calls to `trace`, with the path of each
 *   file descriptor. strace is its grandchild, so that a signal reaches the command itself.
 */
export function traced(trace: string, syscalls: string): string[] {
  return ['strace', '-D', '-f', '-y', '-e', `trace=${syscalls}`, '-o', trace];
}

/**
 * Attaches strace to a running process. Resolves once every call is traced.
 *
 * @param options such as `-e inject=fsync:error=EIO`
 */
export async function attachStrace(pid: number, options: readonly string[]): Promise<ChildProcess> {
  const strace = spawn('strace', ['-f', '-p', String(pid), ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (chunk) => /attached/.test(String(chunk)) && resolve());
    strace.on('exit', () => reject(new Error('strace ended')));
  });
  return strace;
}
