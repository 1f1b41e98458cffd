// CPU cores, data folder and /proc figures of the machine. Other systems than Linux get warnings.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const project = resolve(import.meta.dirname, '..');
/** Databases and logs; BENCH_DATA names another folder, as on a memory disk, where an fsync is free. */
export const dataFolder = resolve(process.env.BENCH_DATA ?? `${import.meta.dirname}/data`);

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export const hasWrk = isProgram('wrk');
const canPin = isProgram('taskset') && availableParallelism() > LOAD_CORE;

export const warnings: readonly string[] = [
  ...(hasWrk ? [] : ['no wrk (apt-get install wrk): autocannon loads instead, and is slower']),
  ...(canPin ? [] : ['no taskset or a single core: nothing is pinned']),
];

/** @returns the command line, pinned to one core if the machine supports it */
export function pinned(core: number, command: readonly string[]): [string, string[]] {
  const all = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return [all[0]!, all.slice(1)];
}

export interface Memory {
  readonly rssMb: number;
  readonly peakMb: number;
}

/** @returns current and peak RSS of a process, in MB of 10^6 bytes; NaN without /proc */
export function memoryOf(pid: number): Memory {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const mb = (field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024e-6;
  return { rssMb: mb('VmRSS'), peakMb: mb('VmHWM') };
}

/** USER_HZ, the unit of CPU time in /proc. */
const TICKS_PER_SECOND = 100;

/** @returns the CPU time of a process in seconds; NaN without /proc */
export function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The second field, in parentheses, may contain spaces; the 14th and 15th are user and system time.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Duration of one insert with its fsync, which bounds every contender with one insert per request. */
function fsyncMicroseconds(): number {
  const file = join(dataFolder, 'fsync.db');
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE probe (id INTEGER)',
  );
  const insert = database.prepare('INSERT INTO probe VALUES (?)');
  const startedAt = performance.now();
  for (let id = 0; id < PROBES; id++) insert.run(id);
  database.close();
  return Math.round(((performance.now() - startedAt) * 1000) / PROBES);
}

const PROBES = 1000;

export function describeMachine(): string {
  const { model = 'unknown CPU' } = cpus()[0] ?? {};
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]!.toFixed(2);
  return `${model.trim()}, ${cpus().length} cores, ${memoryGb} GiB, ${type()} ${release()}, Node ${process.version}, ${fsyncMicroseconds()} µs for an insert with its fsync, load average ${load} at the start (more than 0.3: others were busy)`;
}

function isProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}
