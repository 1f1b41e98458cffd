// An open load on a running contender: openLoop.ts as a process, and what it tells.
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

/** Latencies in milliseconds, of good answers. */
export interface OpenResult {
  readonly offered: number;
  readonly sent: number;
  /** Arrivals that found every connection waiting for an answer. */
  readonly unsent: number;
  readonly good: number;
  readonly shed: number;
  /** Answers that are neither 200 nor 503. */
  readonly other: number;
  readonly p50: number;
  readonly p99: number;
  /** The share of the time for which the generator was busy. */
  readonly busy: number;
}

/** Loads a service with arrivals that do not wait for its answers. */
export async function openLoad(server: Server, load: OpenLoad): Promise<OpenResult> {
  const { rate, connections, seconds } = load;
  const script = join(project, 'bench/load/openLoop.ts');
  const how = [server.url, connections, seconds, rate, TOKEN, idsOfRun(), REST].map(String);
  return JSON.parse(await run([process.execPath, script, ...how]));
}
