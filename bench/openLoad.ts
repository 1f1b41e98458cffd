// Runs openLoop.ts as a process against a running contender.
import { join } from 'node:path';
import { idsOfRun, run } from './load.ts';
import { project } from './machine.ts';
import { REST, type Server, TOKEN } from './server.ts';

export interface OpenLoad {
  /** Arrivals a second. */
  readonly rate: number;
  readonly connections: number;
  readonly seconds: number;
}

/** Latencies of responses with 200, in milliseconds. */
export interface OpenResult {
  readonly offered: number;
  readonly sent: number;
  /** Arrivals while every connection waited for a response. */
  readonly unsent: number;
  readonly good: number;
  readonly shed: number;
  /** Responses other than 200 and 503. */
  readonly other: number;
  readonly p50: number;
  readonly p99: number;
  /** Event loop utilization of the generator, 0 to 1. */
  readonly busy: number;
}

/** Sends requests at a constant rate, independent of the responses. */
export async function openLoad(server: Server, load: OpenLoad): Promise<OpenResult> {
  const { rate, connections, seconds } = load;
  const script = join(project, 'bench/load/openLoop.ts');
  const args = [server.url, connections, seconds, rate, TOKEN, idsOfRun(), REST].map(String);
  return JSON.parse(await run([process.execPath, script, ...args]));
}
