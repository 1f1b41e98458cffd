// Faults of the disk under the SQLite store. After each, kill -9 leaves an unsynced commit, which a
// restart inherits and retries rest on; then a power cut.
import { cpSync, existsSync } from 'node:fs';
import { type Load, startWorkload } from '../../support/load.ts';
import { type ServiceProcess, TOKEN, temporaryFolder } from '../../support/service.ts';
import type { SentStep, Tables, Workload } from '../../support/workload.ts';
import { type Application, tablesIn } from '../application.ts';
import { type Fault, type Row, type Run, sumRows } from '../fault.ts';
import { Disk, type Kept } from './powerCut.ts';
import { ALL_CALLS, canPreload, type FailingCall, Shim } from './shim.ts';

/** A service on a recorded disk, under load with rivals and retries. */
interface Target {
  readonly shim: Shim;
  readonly load: Load;
  /** Resolves when it listens on a database; rejects when it ends before. */
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Causes a fault and ends it; @returns when recovery begins, as `performance.now()` counts */
type Cause = (target: Target) => Promise<number>;

const causes: Readonly<Record<string, Cause>> = {
  'SQLite: kill -9, power cut': killed,
  'SQLite: write fails (EIO)': (target) => failing(target, 'write EIO'),
  'SQLite: disk full (ENOSPC)': (target) => failing(target, 'write ENOSPC'),
  'SQLite: short writes': shortWrites,
  'SQLite: fsync fails once': fsyncFailsOnce,
  'SQLite: fsync fails, then kill -9': fsyncFailsThenKilled,
  'SQLite: fsync fails during a start': fsyncFailsAtStart,
};

export const faults: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.keys(causes).map((fault) => [fault, runDiskFault]),
);

async function killed({ start, kill }: Target): Promise<number> {
  await kill();
  const startedAt = performance.now();
  await start();
  return startedAt;
}

async function failing({ shim, load }: Target, call: FailingCall): Promise<number> {
  shim.fail(call, ALL_CALLS);
  await load.more(503, 50);
  shim.fail(call, 0);
  return performance.now();
}

async function shortWrites({ shim, load }: Target): Promise<number> {
  shim.fail('short write', ALL_CALLS);
  await load.more(200, 50);
  shim.fail('short write', 0);
  return performance.now();
}

async function fsyncFailsOnce({ shim, load }: Target): Promise<number> {
  shim.fail('fsync EIO', 1);
  await load.more(503, 1);
  return performance.now();
}

/** The pages that were not synced stay in the system's cache, and no later fsync writes them. */
async function fsyncFailsThenKilled(target: Target): Promise<number> {
  await failing(target, 'fsync EIO');
  return killed(target);
}

/** The start is refused, since what it inherits cannot be made durable. */
async function fsyncFailsAtStart({ shim, start, kill }: Target): Promise<number> {
  await kill();
  shim.fail('fsync EIO', ALL_CALLS);
  await start().then(
    () => Promise.reject(new Error('expected the start to be refused')),
    () => {},
  );
  shim.fail('fsync EIO', 0);
  const startedAt = performance.now();
  await start();
  return startedAt;
}

/** Its name is a key of {@link faults}. */
export async function runDiskFault(...[fault, rounds, application]: Run): Promise<Row> {
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round++) rows.push(await runRound(fault, application));
  return sumRows(fault, rows);
}

async function runRound(fault: string, application: Application): Promise<Row> {
  const cause = causes[fault]!;
  const workload = application.workload();
  await using cleanup = new AsyncDisposableStack();
  const folder = temporaryFolder();
  cleanup.defer(() => folder.remove());
  const shim = new Shim(folder.path);
  // A start creates no folder.
  const data = shim.root;
  const urls: [string] = ['http://127.0.0.1:1'];
  let service: ServiceProcess | undefined;
  const startOn = async (folderOfData: string, environment = {}) => {
    const DATABASE_URL = `sqlite:${folderOfData}/plants.db`;
    service = application.spawn({ API_TOKENS: TOKEN, DATABASE_URL, ...environment });
    urls[0] = await service.url;
  };
  const start = () => startOn(data, shim.environment());
  const kill = async () => {
    await service?.stop('SIGKILL');
  };
  cleanup.defer(kill);

  await start();
  const load = startWorkload(urls, workload);
  cleanup.defer(() => load.end());
  await load.more(200, 100);
  const recoveryMs = [await load.recovered(await cause({ shim, load, start, kill }))];

  shim.fail('fsync SIGKILL', 1);
  await service?.exited;
  await load.end();
  // The rows of the unsynced log are among them, as a restart finds them in the system's cache.
  const inherited = rowsOfCopy(application, data, `${folder.path}/inherited`);
  await start();
  // No new plant: its fsync would sync what was inherited.
  const attempts = await retryAll(workload, urls[0], inherited);
  await kill();
  const rowsAfter = (path: string, name: string) => {
    const rows = rowsOfCopy(application, path, `${folder.path}/${name}`);
    return [load.findings(rows), load.findings(rows, attempts)];
  };
  const disk = new Disk(shim.root, shim.logs);
  const found = (['none', 'some', 'torn'] satisfies Kept[]).flatMap((kept) => {
    disk.writeAfterCut(`${folder.path}/${kept}`, kept);
    return rowsAfter(`${folder.path}/${kept}`, `rows-${kept}`);
  });

  const after = `${folder.path}/torn`;
  await startOn(after);
  attempts.push(...(await retryAll(workload, urls[0], inherited)));
  await kill();
  found.push(...rowsAfter(after, 'rows'));
  return {
    fault,
    rounds: 1,
    acknowledged: found[0]!.acknowledged,
    lost: found.reduce((sum, { lost }) => sum + lost, 0),
    falseAnswers: found.reduce((sum, { falseAnswers }) => sum + falseAnswers, 0),
    violations: found.flatMap(({ violations }) => violations),
    unavailable: load.count(503),
    recoveryMs,
  };
}

/** Copies first: reading a database writes its log into it. */
function rowsOfCopy(application: Application, data: string, copy: string): Tables {
  if (!existsSync(`${data}/plants.db`)) return {};
  cpSync(data, copy, { recursive: true });
  return tablesIn(application, `${copy}/plants.db`);
}

/** Repeats the requests whose rows are stored, each together with its rivals. */
async function retryAll(
  workload: Workload<object>,
  url: string,
  tables: Tables,
): Promise<SentStep[]> {
  const attempts: SentStep[] = [];
  const send = async (step: object) => {
    const { status } = await workload.send(url, step);
    attempts.push({ ...step, status });
  };
  for (const group of workload.retries(tables)) await Promise.all(group.map(send));
  return attempts;
}

/** @returns the programs that the faults need and that are not installed */
export function missingPrograms(): string[] {
  return canPreload ? [] : ['cc on Linux'];
}
