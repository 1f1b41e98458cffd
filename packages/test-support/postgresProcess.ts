// PostgreSQL's processes: started as a user that it accepts, signalled, and ended with this process,
// however that ends.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { delimiter, join } from 'node:path';

/** User id of `nobody`. PostgreSQL refuses to run as root. */
const NOBODY = 65534;

/** @returns the path of a program; undefined if it is not installed */
export function installedProgram(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** As whom its programs run, for spawn. */
export const credentials: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

// The shell holds PostgreSQL while this process holds its end of file descriptor 0: when this process
// dies, it ends PostgreSQL and removes what that stored.
const GUARD = `
  exec 3<&0
  data=$1; shift
  "$@" </dev/null 3<&- &
  postgres=$!
  echo $postgres
  { cat <&3 >/dev/null; touch "$data/orphan"; kill -QUIT $postgres; } &
  guard=$!
  wait $postgres
  kill $guard 2>/dev/null
  if [ -e "$data/orphan" ]; then rm -rf "$data"; fi`;

export interface PostgresProcess {
  readonly pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Lets this process end before it, which then ends it. */
  unref(): void;
}

const READY = /ready to accept (?:read-only )?connections/;

/**
 * Resolves once it takes connections; rejects with what it said when it ends before.
 *
 * @param folder is removed when this process dies first
 * @param ready what it logs when it takes connections
 */
export function runPostgres(
  folder: string,
  command: readonly string[],
  ready = READY,
): Promise<PostgresProcess> {
  const child = spawn('sh', ['-c', GUARD, 'sh', folder, ...command], {
    ...credentials,
    cwd: folder,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let pid = 0;
    let said = '';
    child.stdout.once('data', (chunk) => {
      pid = Number(chunk);
    });
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-10_000);
      if (!ready.test(said)) return;
      resolve({
        pid,
        end: (signal) => end(child, pid, signal, exited),
        unref() {
          child.unref();
          for (const stream of child.stdio) (stream as Socket | null)?.unref();
        },
      });
    });
    exited.then(() => reject(new Error(`${command[0]} ended: ${said}`)));
  });
}

async function end(
  child: ChildProcess,
  pid: number,
  signal: NodeJS.Signals,
  exited: Promise<void>,
) {
  signalAll([pid], signal);
  await exited;
  child.stdin?.destroy();
}

export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const list = existsSync(file)
    ? readFileSync(file, 'utf8')
    : spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout;
  return list.split(/\s+/).filter(Boolean).map(Number);
}

/** Those that have ended meanwhile are left alone. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
