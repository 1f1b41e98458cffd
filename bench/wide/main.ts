// The second workload of `make bench`: the contenders validate 30 parameters and 200 properties, without token and store.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@stubwright/test-support/freePort';
import { CONNECTIONS } from '../contenders.ts';
import { run } from '../load.ts';
import { cpuSecondsOf, dataFolder, hasWrk, pinned, project, SERVER_CORE } from '../machine.ts';
import { median, spread } from '../statistics.ts';
import { invalidRequests, validRequest, type WideRequest, wideContract } from './contract.ts';

const OURS = 'ours';
const CONTENDERS = [
  { name: OURS, label: 'stubwright/koa', target: undefined },
  { name: 'oursNode', label: 'stubwright/node', target: undefined },
  { name: 'openapiBackend', label: 'openapi-backend + Koa', target: 2 },
  { name: 'fastifyGlue', label: 'fastify-openapi-glue', target: 1 },
  { name: 'express', label: 'express-openapi-validator', target: undefined },
] as const;

interface Running {
  readonly name: string;
  readonly label: string;
  readonly target: number | undefined;
  readonly child: ChildProcess;
  readonly port: number;
  readonly perSecond: number[];
  /** Microseconds of CPU per request. */
  readonly cpu: number[];
}

const START_LIMIT_MS = 30_000;
const WARMUP_SECONDS = 4;

/** @returns the results as a table; without wrk one line */
export async function compareWide(
  rounds: number,
  seconds: number,
  say: (line: string) => void,
): Promise<string> {
  if (!hasWrk) return 'Not measured without wrk: 30 parameters and 200 properties';
  const contract = join(dataFolder, 'wide.json');
  writeFileSync(contract, JSON.stringify(wideContract));
  const running: Running[] = [];
  try {
    for (const each of CONTENDERS) running.push(await start(each, contract));
    for (const each of running) await expectValidation(each);
    for (const each of running) await load(each, WARMUP_SECONDS);
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of 30 parameters and 200 properties`);
      for (const each of running) await measureOnce(each, seconds);
    }
    return formatted(running);
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
  }
}

async function start(
  { name, label, target }: (typeof CONTENDERS)[number],
  contract: string,
): Promise<Running> {
  const port = await freePort();
  const script = `bench/wide/${name}.ts`;
  const [command, args] = pinned(SERVER_CORE, [process.execPath, script]);
  const child = spawn(command, args, {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), CONTRACT: contract },
  });
  const running = { name, label, target, child, port, perSecond: [], cpu: [] };
  const limit = performance.now() + START_LIMIT_MS;
  while ((await statusOf(port, validRequest).catch(() => undefined)) !== 200) {
    if (child.exitCode !== null || performance.now() > limit) {
      child.kill('SIGKILL');
      throw new Error(`${name}: got no 200 for the valid request`);
    }
    await sleep(20);
  }
  return running;
}

/** @throws Error for a contender that accepts a request which violates the contract */
async function expectValidation({ name, port }: Running): Promise<void> {
  for (const each of invalidRequests) {
    const status = await statusOf(port, each);
    if (status !== 400) throw new Error(`${name}: got ${status} for ${each.label}, expected 400`);
  }
}

function statusOf(port: number, { path, headers, body }: WideRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'POST', path, agent: false as const };
    const sent = request(
      { ...options, headers: { ...headers, 'Content-Type': 'application/json' } },
      (response) => response.resume().on('end', () => resolve(response.statusCode!)),
    );
    sent.on('error', reject).end(body);
  });
}

async function load({ port, name }: Running, seconds: number) {
  const { path, headers, body } = validRequest;
  const all = { Host: '127.0.0.1', ...headers, 'Content-Type': 'application/json' };
  const lines = Object.entries({ ...all, 'Content-Length': body.length });
  const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join('');
  const file = join(dataFolder, 'wide.http');
  writeFileSync(file, `POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
  const script = join(project, 'bench/load/wide.lua');
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const output = await run(['wrk', ...args, `http://127.0.0.1:${port}`, '--', file]);
  const result = JSON.parse(output.trim().split('\n').at(-1)!);
  if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed`);
  return result as { readonly requests: number; readonly seconds: number };
}

async function measureOnce(each: Running, seconds: number): Promise<void> {
  const before = cpuSecondsOf(each.child.pid!);
  const result = await load(each, seconds);
  each.perSecond.push(result.requests / result.seconds);
  each.cpu.push(((cpuSecondsOf(each.child.pid!) - before) / result.requests) * 1e6);
}

function formatted(running: readonly Running[]): string {
  const ours = running.find(({ name }) => name === OURS)!;
  const rows = running.map(({ label, perSecond, cpu, target }) => {
    const ratios = perSecond.map((each, at) => ours.perSecond[at]! / each);
    const byCpu = median(cpu.map((each, at) => each / ours.cpu[at]!));
    const reached = `${fixed(median(ratios))} × (${spread(ratios, fixed)})`;
    const goal = target === undefined ? '' : `≥ ${target} ×`;
    const verdict = target === undefined ? '' : median(ratios) >= target ? 'pass' : 'SHORT';
    const speed = Math.round(median(perSecond)).toLocaleString('en');
    return [label, speed, median(cpu).toFixed(0), reached, fixed(byCpu), goal, verdict];
  });
  const head = ['30 parameters, 200 properties', 'requests/s', 'µs of CPU', 'reached', 'by CPU'];
  const lines = [[...head, 'target', 'verdict'], Array(7).fill('---'), ...rows];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function fixed(value: number): string {
  return value.toFixed(2);
}
