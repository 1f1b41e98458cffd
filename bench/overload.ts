// Runs `make bench WHAT=overload`: measures goodput and latency at multiples of the peak load.
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ours } from './contenders.ts';
import { load } from './load.ts';
import { dataFolder, describeMachine, project, warnings } from './machine.ts';
import { type OpenResult, openLoad } from './openLoad.ts';
import { Server } from './server.ts';
import { median } from './statistics.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '2000' },
  },
});
const seconds = Number(flags.seconds);
const connections = Number(flags.connections);

const MULTIPLES = [1, 2, 5, 10];
/** Numbers of connections. The better result is the peak. */
const PEAK_CONNECTIONS = [32, 512];

interface CpuTime {
  readonly cpuSeconds: number;
}

interface Row {
  readonly multiple: number;
  readonly result: OpenResult & CpuTime;
  /** 200s per second over those at the peak of the same round. */
  readonly ofPeak: number;
  /** The same per CPU second, which excludes other work on the machine. */
  readonly ofPeakByCpu: number;
}

mkdirSync(dataFolder, { recursive: true });
try {
  const machine = describeMachine();
  const rows: Row[] = [];
  const peaks: number[] = [];
  for (let round = 1; round <= Number(flags.rounds); round++) {
    process.stderr.write(`round ${round}\n`);
    const { peak, measured } = await runRound();
    peaks.push(peak);
    rows.push(...measured);
  }
  printTable(rows, median(peaks));
  process.stdout.write(`${[machine, ...warnings].join('\n')}\n`);
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}

async function runRound(): Promise<{ peak: number; measured: Row[] }> {
  const server = await Server.start(ours, `${project}/openapi.yaml`);
  try {
    await load(server, { connections: 32, seconds: 2 });
    const closed = [];
    for (const each of PEAK_CONNECTIONS) {
      closed.push(await withCpu(server, () => load(server, { connections: each, seconds })));
    }
    const best = closed.toSorted((a, b) => b.perSecond - a.perSecond)[0]!;
    const measured: Row[] = [];
    for (const multiple of MULTIPLES) {
      const rate = Math.round(best.perSecond * multiple);
      const offered = { rate, connections, seconds };
      const result = await withCpu(server, () => openLoad(server, offered));
      if (result.other > 0) throw new Error(`${result.other} responses other than 200 and 503`);
      measured.push({
        multiple,
        result,
        ofPeak: result.good / seconds / best.perSecond,
        ofPeakByCpu: result.good / result.cpuSeconds / (best.requests / best.cpuSeconds),
      });
    }
    await server.stop();
    await expectStored(server, measured);
    return { peak: best.perSecond, measured };
  } finally {
    await server.stop();
    server.clear();
  }
}

/** Adds the CPU time of the service during the call. */
async function withCpu<T>(server: Server, act: () => Promise<T>): Promise<T & CpuTime> {
  const before = server.cpuSeconds();
  const result = await act();
  return { ...result, cpuSeconds: server.cpuSeconds() - before };
}

/** @throws Error if an acknowledged plant is missing */
async function expectStored(server: Server, measured: readonly Row[]): Promise<void> {
  const acknowledged = measured.reduce((sum, { result }) => sum + result.good, 0);
  const rows = await server.rows();
  if (rows < acknowledged) throw new Error(`${rows} rows for ${acknowledged} responses with 200`);
}

function printTable(rows: readonly Row[], peak: number): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say('| load | offered/s | 200/s | of peak | by CPU | p50 ms | p99 ms | 503/s | not sent/s |');
  say('|------|-----------|-------|---------|--------|--------|--------|-------|------------|');
  for (const multiple of MULTIPLES) {
    const own = rows.filter((row) => row.multiple === multiple);
    const mid = (of: (row: Row) => number) => median(own.map(of));
    const perSecond = (field: 'offered' | 'good' | 'shed' | 'unsent') =>
      Math.round(mid(({ result }) => result[field]) / seconds).toLocaleString('en');
    const figures = [
      ...[`${multiple} ×`, perSecond('offered'), perSecond('good')],
      ...[mid(({ ofPeak }) => ofPeak), mid(({ ofPeakByCpu }) => ofPeakByCpu)].map(twoDigits),
      ...[mid(({ result }) => result.p50), mid(({ result }) => result.p99)].map(twoDigits),
      ...[perSecond('shed'), perSecond('unsent')],
    ];
    say(`| ${figures.join(' | ')} |`);
  }
  say(`\nPeak ${Math.round(peak).toLocaleString('en')} creates/s; ${connections} connections`);
}

function twoDigits(value: number): string {
  return value.toFixed(2);
}
