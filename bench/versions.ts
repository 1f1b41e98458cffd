// Runs `make bench WHAT=versions`: what older versions of a contract cost.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tableOf } from './engine/measure.ts';
import { dataFolder, describeMachine, warnings } from './machine.ts';
import { median, spread } from './statistics.ts';
import { engineSender } from './versions/engine.ts';
import { contract, DEPTH, requestOf } from './versions/toys.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    requests: { type: 'string', default: '500' },
    starts: { type: 'string', default: '15' },
  },
});
const WARMUP_ROUNDS = 20;
const MAX_OF_DEPTH_0 = 2;
const MAX_UNUSED_BYTES = 1024 * 1024;
const CONNECTIONS = 16;

interface Case {
  readonly label: string;
  /** A request that others are compared with. */
  readonly base: string;
  readonly max?: number;
  /** Sends so many requests. @returns microseconds of CPU time for one */
  readonly measure: (requests: number) => Promise<number>;
}

/** Measures all in alternation. @returns a row for each */
async function compare(cases: readonly Case[]): Promise<string[][]> {
  const measured = new Map<string, number[]>(cases.map(({ label }) => [label, []]));
  for (let round = -WARMUP_ROUNDS; round < Number(flags.rounds); round++) {
    for (let turn = 0; turn < cases.length; turn++) {
      const { label, measure } = cases[(turn + round + WARMUP_ROUNDS) % cases.length]!;
      const found = await measure(Number(flags.requests));
      if (round >= 0) measured.get(label)!.push(found);
    }
  }
  return cases.map(({ label, base, max }) => {
    const own = measured.get(label)!;
    const ratios = own.map((each, at) => each / measured.get(base)![at]!);
    const ratio = median(ratios);
    const figures = [median(own).toFixed(1), spread(own, (each) => each.toFixed(1))];
    const verdict = max === undefined ? '' : ratio <= max ? 'pass' : 'SHORT';
    return [label, ...figures, ratio.toFixed(2), max === undefined ? '' : `≤ ${max}`, verdict];
  });
}

const NAMES = { POST: 'a toy is stored', GET: '100 toys are listed' } as const;
const METHODS = ['POST', 'GET'] as const;
type Method = (typeof METHODS)[number];

/** In this process, where no request waits for another. */
async function engineCases(): Promise<Case[]> {
  const [served, alone] = [await engineSender(), await engineSender(false)];
  const measured = (send: () => Promise<void>) => async (requests: number) => {
    const startedAt = process.cpuUsage();
    for (let at = 0; at < requests; at++) await send();
    const { user, system } = process.cpuUsage(startedAt);
    return (user + system) / requests;
  };
  return METHODS.flatMap((method) => {
    const base = `engine: ${NAMES[method]}, no older version`;
    const label = (depth: number) => `engine: ${NAMES[method]}, depth ${depth}`;
    return [
      { label: base, base, measure: measured(alone(method, 0)) },
      ...[0, 1, DEPTH].map((depth) => ({
        ...{ label: label(depth), base, measure: measured(served(method, depth)) },
      })),
    ];
  });
}

interface Started {
  readonly url: string;
  /** Of the start. */
  readonly cpuMs: number;
  readonly bytes: number;
}

/** @param file compatibility.yaml, which may be missing */
async function start(
  file: string,
  execArgv: readonly string[] = [],
): Promise<{ readonly child: ChildProcess; readonly started: Started }> {
  const child = fork('bench/versions/service.ts', [file], { execArgv: [...execArgv] });
  const [started] = (await once(child, 'message')) as [Started];
  return { child, started };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const answered = once(child, 'message');
  child.send('cpu');
  const [{ user, system }] = (await answered) as [NodeJS.CpuUsage];
  return user + system;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

async function sendTo(url: string, method: Method, depth: number): Promise<void> {
  const { url: path, text } = requestOf(method, depth);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  const sent = request(url + path, { method, agent, headers: method === 'POST' ? headers : {} });
  sent.end(text);
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path}: got ${response.statusCode}`);
}

/** The CPU time of the process of the service. */
function serviceCases(child: ChildProcess, { url }: Started): Case[] {
  return METHODS.flatMap((method) => {
    const base = `service: ${NAMES[method]}, depth 0`;
    return [0, 1, DEPTH].map((depth) => ({
      label: `service: ${NAMES[method]}, depth ${depth}`,
      base,
      ...(depth === DEPTH && { max: MAX_OF_DEPTH_0 }),
      async measure(requests: number) {
        const before = await cpuOf(child);
        for (let at = 0; at < requests; at += CONNECTIONS) {
          const batch = Array.from({ length: CONNECTIONS }, () => sendTo(url, method, depth));
          await Promise.all(batch);
        }
        return ((await cpuOf(child)) - before) / (Math.ceil(requests / CONNECTIONS) * CONNECTIONS);
      },
    }));
  });
}

/** Memory and start time of a service that lists versions which no request names. */
async function unused(): Promise<string[][]> {
  const files = new Map([0, 1, DEPTH].map((count) => [count, writeVersions(count)]));
  const found = new Map<number, Started[]>([...files.keys()].map((count) => [count, []]));
  for (let at = 0; at < Number(flags.starts); at++) {
    for (const [count, file] of files) {
      const { child, started } = await start(file, ['--expose-gc']);
      await stop(child);
      found.get(count)!.push(started);
    }
  }
  const fixed = (value: number) => value.toFixed(1);
  return Array.from(found, ([count, starts]) => {
    const [base, single] = [found.get(0)!, found.get(1)!];
    const added = (of: (each: Started) => number, others: readonly Started[]) =>
      median(starts.map(of)) - median(others.map(of));
    const bytes = added((each) => each.bytes, base) / Math.max(1, count);
    const cpu = starts.map((each) => each.cpuMs);
    const ofOthers = added((each) => each.cpuMs, single);
    return [
      `${count} unused versions`,
      `${fixed(median(cpu))} (${spread(cpu, fixed)})`,
      count > 1 ? `${fixed(ofOthers)} for ${count - 1} more` : '',
      `${(bytes / 1024).toFixed(0)} KiB`,
      '≤ 1 MiB',
      bytes <= MAX_UNUSED_BYTES ? 'pass' : 'SHORT',
    ];
  });
}

/** @returns the path of a compatibility.yaml with the latest versions */
function writeVersions(count = DEPTH): string {
  const entries = Array.from({ length: DEPTH }, (_, at) => {
    const [name, yaml] = [`${at + 1}.0.0`, contract(at)];
    const document = `openapi: 3.1.0\ninfo: {title: Toys, version: ${name}}\n${yaml}`;
    writeFileSync(join(dataFolder, `${name}.yaml`), document);
    const toys = join(import.meta.dirname, 'versions/toys.ts');
    const module = `import { convertersOf } from '${toys}';\nexport const converters = convertersOf(${at});\n`;
    writeFileSync(join(dataFolder, `${name}.ts`), module);
    return `    - { version: '${name}', path: /v${at + 1}, contract: ${name}.yaml, converters: ${name}.ts }\n`;
  });
  const file = join(dataFolder, `compatibility-${count}.yaml`);
  const listed = entries.slice(DEPTH - count);
  writeFileSync(file, listed.length === 0 ? '' : `served:\n  versions:\n${listed.join('')}`);
  return file;
}

mkdirSync(dataFolder, { recursive: true });
try {
  const machine = describeMachine();
  const file = writeVersions();
  const header = ['request', 'µs of CPU', 'spread', 'ratio', 'target', 'verdict'];
  const engine = await compare(await engineCases());
  const { child, started } = await start(file);
  const service = await compare(serviceCases(child, started));
  await stop(child);
  process.stdout.write(`${tableOf(header, [...engine, ...service])}\n\n`);
  const rows = await unused();
  process.stdout.write(
    `${tableOf(['', 'ms of CPU of the start', '', 'memory of each', 'target', 'verdict'], rows)}\n\n`,
  );
  process.stdout.write(`${[machine, ...warnings].join('\n')}\n`);
} finally {
  agent.destroy();
  rmSync(dataFolder, { recursive: true, force: true });
}
