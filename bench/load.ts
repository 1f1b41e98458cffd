// Load on a running contender: wrk, or autocannon where there is none; and the memory meanwhile.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { hasWrk, LOAD_CORE, pinned, project } from './machine.ts';
import { REST, type Server, TOKEN } from './server.ts';

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

export interface Result extends Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Microseconds, as the load generator saw it. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, broken connections, time-outs. */
  readonly failed: number;
  /** Received, headers included. */
  readonly bytes: number;
  /** The most that the server held while it was loaded, sampled. */
  readonly rssMb: number;
}

const SAMPLE_MS = 200;
/** More ids than a run can use. */
const IDS_PER_RUN = 1e8;
let runs = 0;

export async function load(server: Server, { connections, seconds }: Load): Promise<Result> {
  let rssMb = server.memory().rssMb;
  const timer = setInterval(() => {
    rssMb = Math.max(rssMb, server.memory().rssMb);
  }, SAMPLE_MS);
  const share = Math.max(1, Math.round(connections / server.urls.length));
  const told = await Promise.all(server.urls.map((url) => loadOne(url, share, seconds)));
  clearInterval(timer);
  const sum = (pick: (each: Told) => number) => told.reduce((all, each) => all + pick(each), 0);
  return {
    connections,
    seconds: Math.max(...told.map((each) => each.seconds)),
    requests: sum((each) => each.requests),
    perSecond: sum((each) => each.requests / each.seconds),
    // Of several processes the slowest one's.
    p50: Math.max(...told.map((each) => each.p50)),
    p99: Math.max(...told.map((each) => each.p99)),
    failed: sum((each) => each.failed),
    bytes: sum((each) => each.bytes),
    rssMb,
  };
}

/** What a load generator prints. */
type Told = Pick<Result, 'seconds' | 'requests' | 'p50' | 'p99' | 'failed' | 'bytes'>;

async function loadOne(url: string, connections: number, seconds: number): Promise<Told> {
  const firstId = idsOfRun();
  const command = hasWrk ? wrk : autocannon;
  const output = await run(command(url, connections, seconds, firstId));
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

function wrk(url: string, connections: number, seconds: number, firstId: number): string[] {
  const script = join(project, 'bench/load/create.lua');
  const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  return ['wrk', ...how, '-H', `Authorization: Bearer ${TOKEN}`, url, '--', String(firstId), REST];
}

function autocannon(url: string, connections: number, seconds: number, firstId: number): string[] {
  const script = join(project, 'bench/load/autocannon.ts');
  const how = [url, connections, seconds, TOKEN, firstId, REST].map(String);
  return [process.execPath, script, ...how];
}

/** @returns the first of the ids that a run of load may use, and no other does */
export function idsOfRun(): number {
  return ++runs * IDS_PER_RUN;
}

/** Runs a load generator on its core; @returns what it prints */
export function run(commandLine: readonly string[]): Promise<string> {
  const [command, args] = pinned(LOAD_CORE, commandLine);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${commandLine[0]} ended with ${code}: ${output.slice(-200)}`));
    });
  });
}
