// `make corpus DIR=path`: starts, mocks and sweeps each contract of a folder, and prints a table.
// Usage: corpus.ts DIR [NAME…]; with names, only contracts whose path contains one of them
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { Sweep } from './sweep.ts';

/** Limits for one contract; one that exceeds a limit is stopped and fails. */
const START_LIMIT_MS = 60_000;
const SWEEP_LIMIT_MS = 180_000;
/** Operations that are listed for failures with the same cause. */
const MAX_OPERATIONS = 2;
/** Lines of the start error that are printed. */
const MAX_ERROR_LINES = 3;

interface Row extends Partial<Sweep> {
  readonly name: string;
  /** Undefined for a contract that did not start. */
  readonly startMs?: number;
  /** The longest event loop delay after the start. */
  readonly loopDelayMs?: number;
  readonly failures: readonly string[];
}

const [folder = '', ...names] = process.argv.slice(2);
const contracts = contractsIn(folder);
if (contracts.length === 0) {
  process.stderr.write(`DIR: got ${JSON.stringify(folder)}, expected a folder with contracts\n`);
  process.exit(1);
}
const wanted = contracts.filter(
  (contract) => names.length === 0 || names.some((name) => contract.includes(name)),
);
const width = Math.max(...wanted.map((text) => text.length));
print(
  [
    'contract',
    'openapi',
    'operations',
    'disabled',
    'start',
    'warnings',
    'valid',
    'invalid',
    'failed',
  ],
  [' invalid mocks', 'loop delay'],
);
const rows: Row[] = [];
for (const name of wanted) {
  const row = await rowOf(name);
  rows.push(row);
  printRow(row);
}
printTotal();
process.exitCode = rows.some(({ failures }) => failures.length > 0) ? 1 : 0;

/** The contracts at the top of the folder, and those that `multi/ENTRIES` lists. */
function contractsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => /\.(?:ya?ml|json)$/i.test(name));
  const list = join(folder, 'multi/ENTRIES');
  const entries = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  return [...files.sort(), ...entries];
}

async function rowOf(name: string): Promise<Row> {
  const path = join(folder, name);
  const startedAt = performance.now();
  const service = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'loopDelay.ts'), 'src/main.ts'],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: '',
        CONTRACT: path,
        // An entry of multi/ may refer to all files of its repository.
        CONTRACT_FOLDERS: folder,
        MOCK: 'all',
        PORT: '0',
        API_TOKENS: 'token',
        LAG_LIMIT: '60000',
      },
    },
  );
  try {
    const started = await startOf(service);
    if ('failure' in started) return { name, failures: [`not started: ${started.failure}`] };
    const startMs = performance.now() - startedAt;
    service.send('reset');
    const causes = new Set<string>();
    started.onCause = (cause) => causes.add(cause);
    const sweep = await sweepOf(path, started.origin);
    const loopDelayMs = await loopDelayOf(service);
    const logged = [...causes].map((cause) => `logged: ${cause}`);
    if (typeof sweep === 'string')
      return { name, startMs, loopDelayMs, failures: [sweep, ...logged] };
    return { name, startMs, loopDelayMs, ...sweep, failures: [...sweep.failures, ...logged] };
  } finally {
    service.kill('SIGKILL');
  }
}

interface LogLine {
  readonly url?: string;
  readonly status?: number;
  readonly err?: { readonly stack?: string };
}

interface Started {
  /** Scheme, host and port. */
  readonly origin: string;
  onCause: (cause: string) => void;
}

function startOf(service: ChildProcess): Promise<Started | { readonly failure: string }> {
  const errors: string[] = [];
  service.stderr!.on('data', (text) => errors.push(String(text)));
  return new Promise((resolve) => {
    const limit = setTimeout(
      () => resolve({ failure: `not within ${START_LIMIT_MS / 1000} s` }),
      START_LIMIT_MS,
    );
    service.on('close', (code) => {
      clearTimeout(limit);
      resolve({ failure: firstLines(errors.join('')) || `exit code ${code}` });
    });
    let started: Started | undefined;
    createInterface({ input: service.stdout! }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { url, status, err } = JSON.parse(line) as LogLine;
      if (err !== undefined && (status ?? 500) >= 500) started?.onCause(causeOf(err.stack ?? ''));
      if (url === undefined || started !== undefined) return;
      clearTimeout(limit);
      started = { origin: new URL(url).origin, onCause: () => {} };
      resolve(started);
    });
  });
}

function firstLines(text: string): string {
  const lines = text.trim().split('\n');
  const more = lines.length > MAX_ERROR_LINES ? [`and ${lines.length - MAX_ERROR_LINES} more`] : [];
  return [...lines.slice(0, MAX_ERROR_LINES), ...more].join('\n         ');
}

/** @returns the message of an error, and the source location that threw it */
function causeOf(stack: string): string {
  const [message = ''] = stack.split('\n');
  const location = /src\/[^)\s]+/.exec(stack)?.[0];
  return `${message.slice(0, 200)}${location === undefined ? '' : ` (${location})`}`;
}

/** @returns the result, or the reason why there is none */
function sweepOf(path: string, url: string): Promise<Sweep | string> {
  const worker = new Worker(new URL('./sweepThread.ts', import.meta.url), {
    workerData: { path, url, folder },
  });
  return new Promise((resolve) => {
    const limit = setTimeout(
      () => resolve(`the sweep took longer than ${SWEEP_LIMIT_MS / 1000} s`),
      SWEEP_LIMIT_MS,
    );
    worker.on('message', (sweep: Sweep) => resolve(sweep));
    worker.on('error', (error) => resolve(`the sweep failed: ${causeOf(error.stack ?? '')}`));
    worker.on('exit', () => {
      clearTimeout(limit);
      resolve('the sweep ended without a result');
    });
  }).finally(() => worker.terminate()) as Promise<Sweep | string>;
}

function loopDelayOf(service: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    service.once('message', (message) => resolve((message as { loopDelayMs: number }).loopDelayMs));
    service.once('exit', () => resolve(Number.NaN));
    service.send('read', () => {});
  });
}

function printRow({ name, version = '', operations, startMs, loopDelayMs, ...row }: Row): void {
  const { warnings, disabled, valid, invalid, invalidMocks, failures } = row;
  const start = startMs === undefined ? 'no' : `${(startMs / 1000).toFixed(1)} s`;
  const delay = loopDelayMs === undefined ? '' : `${loopDelayMs} ms`;
  print(
    [name, version, operations, disabled, start, warnings, valid, invalid, failures.length],
    [invalidMocks, delay],
  );
  for (const line of grouped(failures)) process.stdout.write(`    ${line}\n`);
}

function print(cells: readonly unknown[], more: readonly unknown[]): void {
  const [name, ...rest] = [...cells, ...more].map((cell) => String(cell ?? ''));
  const line = [name!.padEnd(width), ...rest.map((text) => text.padStart(11))].join('');
  process.stdout.write(`${line}\n`);
}

/** Groups equal failures of several operations, with a count. */
function grouped(failures: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const failure of failures) {
    const [what = '', operation = ''] = failure.split(/ {2}(?=[A-Z]+ \/[^ ]*$)/);
    groups.set(what, [...(groups.get(what) ?? []), operation]);
  }
  return [...groups].map(([what, operations]) => {
    const shown = operations.filter(Boolean).slice(0, MAX_OPERATIONS).join(', ');
    return `${String(operations.length).padStart(4)} × ${what}${shown === '' ? '' : `  (${shown})`}`;
  });
}

function printTotal(): void {
  const sum = (count: (row: Row) => number | undefined) =>
    rows.reduce((total, row) => total + (count(row) ?? 0), 0);
  const isStarted = ({ startMs }: Row) => startMs !== undefined;
  const started = rows.filter(isStarted).length;
  const passed = rows.filter(({ failures }) => failures.length === 0).length;
  process.stdout.write(
    `\n${rows.length} contracts, ${started} started, ${passed} without a failure; ` +
      `${sum(({ operations }) => operations)} operations, ${sum(({ disabled }) => disabled)} disabled, ` +
      `${sum(({ valid }) => valid)} valid and ${sum(({ invalid }) => invalid)} invalid requests, ` +
      `${sum(({ failures }) => failures.length)} failures\n`,
  );
}
