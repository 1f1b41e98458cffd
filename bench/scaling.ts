// Runs `make bench WHAT=scaling`: creates per second of processes on SQLite and PostgreSQL, without HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Postgres, query } from '@stubwright/test-support/postgres';
import { dataFolder, describeMachine, warnings } from './machine.ts';
import { median, spread } from './statistics.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  },
});
const CREATES_AT_A_TIME = '256';
const PARTITIONS = 8;

interface Topology {
  readonly name: string;
  /** One URL for each process; the databases are new. */
  urls(): Promise<string[]>;
}

mkdirSync(dataFolder, { recursive: true });
const postgres = await Postgres.start({ above: dataFolder });
const replicated = await Postgres.start({ above: dataFolder });
const standby = await replicated.startStandby();
let files = 0;

const topologies: readonly Topology[] = [
  { name: 'SQLite, one process', urls: async () => [`sqlite:${dataFolder}/${files++}.db`] },
  { name: 'PostgreSQL, one process', urls: async () => [await postgres.createDatabase()] },
  { name: 'PostgreSQL, two processes', urls: () => shared(2) },
  { name: 'PostgreSQL, four processes', urls: () => shared(4) },
  { name: `two processes, ${PARTITIONS} partitions`, urls: partitioned },
  {
    name: 'two processes, a database each',
    urls: () => Promise.all([postgres.createDatabase(), postgres.createDatabase()]),
  },
  {
    name: 'one process, a synchronous standby',
    urls: async () => [await replicated.createDatabase()],
  },
];

try {
  const machine = describeMachine();
  const rates = new Map<Topology, number[]>(topologies.map((each) => [each, []]));
  for (let round = 0; round < Number(flags.rounds); round++) {
    for (const topology of topologies) rates.get(topology)!.push(await creates(topology));
  }
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  process.stdout.write('| processes and databases | creates/s | spread |\n|---|---|---|\n');
  for (const [{ name }, found] of rates) {
    process.stdout.write(`| ${name} | ${whole(median(found))} | ${spread(found, whole)} |\n`);
  }
  process.stdout.write(`${[machine, ...warnings].join('\n')}\n`);
} finally {
  await Promise.all([standby.remove(), replicated.remove(), postgres.remove()]);
  rmSync(dataFolder, { recursive: true, force: true });
}

async function shared(processes: number): Promise<string[]> {
  return Array(processes).fill(await postgres.createDatabase());
}

async function partitioned(): Promise<string[]> {
  const url = await postgres.createDatabase();
  const partitions = Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `CREATE TABLE plant_${at} PARTITION OF plant FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at})`,
  );
  await query(
    url,
    `CREATE TABLE plant_migration (version integer PRIMARY KEY);
     INSERT INTO plant_migration VALUES (1);
     CREATE TABLE plant (id bigint PRIMARY KEY, name text NOT NULL, tag text) PARTITION BY HASH (id);
     ${partitions.join(';')}`,
  );
  return [url, url];
}

/** Runs a process for each URL at the same time. @returns the sum of their rates */
async function creates({ urls }: Topology): Promise<number> {
  const rates = (await urls()).map(async (url, at) => {
    const args = ['bench/load/creates.ts', url, String(at), CREATES_AT_A_TIME, flags.seconds];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return Number(output);
  });
  return (await Promise.all(rates)).reduce((sum, each) => sum + each, 0);
}
