// Loads a running contender with wrk or autocannon, and samples its memory.
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
  /** Microseconds, measured by the load generator. */
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 2xx, broken connections and timeouts. */
  readonly failed: number;
  /** Received bytes, including headers. */
  readonly bytes: number;
  /** Maximum of the samples during the load, in MB of 10^6 bytes. */
  readonly rssMb: number;
}

const SAMPLE_MS = 200;
/** Upper bound for the ids of one run. */
const IDS_PER_RUN = 1e8;
let runs = 0;

export async function load(
  server: Pick<Server, 'urls' | 'memory'>,
  { connections, seconds }: Load,
): Promise<Result> {
  let rssMb = server.memory().rssMb;
  const timer = setInterval(() => {
    rssMb = Math.max(rssMb, server.memory().rssMb);
  }, SAMPLE_MS);
  const share = Math.max(1, Math.round(connections / server.urls.length));
  const outputs = await Promise.all(server.urls.map((url) => loadOne(url, share, seconds)));
  clearInterval(timer);
  const sum = (pick: (each: GeneratorOutput) => number) =>
    outputs.reduce((all, each) => all + pick(each), 0);
  return {
    connections,
    seconds: Math.max(...outputs.map((each) => each.seconds)),
    requests: sum((each) => each.requests),
    perSecond: sum((each) => each.requests / each.seconds),
    // The slowest process.
    p50: Math.max(...outputs.map((each) => each.p50)),
    p99: Math.max(...outputs.map((each) => each.p99)),
    failed: sum((each) => each.failed),
    bytes: sum((each) => each.bytes),
    rssMb,
  };
}

/** Output of a load generator. */
type GeneratorOutput = Pick<Result, 'seconds' | 'requests' | 'p50' | 'p99' | 'failed' | 'bytes'>;

async function loadOne(
  url: string,
  connections: number,
  seconds: number,
): Promise<GeneratorOutput> {
  const firstId = idsOfRun();
  const command = hasWrk ? wrk : autocannon;
  const output = await run(command(url, connections, seconds, firstId));
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

function wrk(url: string, connections: number, seconds: number, firstId: number): string[] {
  const script = join(project, 'bench/load/create.lua');
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  return ['wrk', ...args, '-H', `Authorization: Bearer ${TOKEN}`, url, '--', String(firstId), REST];
}

function autocannon(url: string, connections: number, seconds: number, firstId: number): string[] {
  const script = join(project, 'bench/load/autocannon.ts');
  const args = [url, connections, seconds, TOKEN, firstId, REST].map(String);
  return [process.execPath, script, ...args];
}

/** @returns the first id of a range that no other run uses */
export function idsOfRun(): number {
  return ++runs * IDS_PER_RUN;
}

/**
 * Runs a load generator on its core.
 *
 * @returns its standard output
 */
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
