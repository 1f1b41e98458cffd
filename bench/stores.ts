// Runs `make bench WHAT=stores`: compares the PostgreSQL store with one INSERT per create, without HTTP.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import type { NewPlant } from '../src/plants/plant.ts';
import { openPlants } from './contenders/ourStore.ts';
import { dataFolder, describeMachine, pinned, SERVER_CORE, warnings } from './machine.ts';
import { countRows, newDatabase, stopPostgres } from './postgres.ts';
import { median, spread } from './statistics.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const seconds = Number(flags.seconds);
/** Numbers of concurrent creates. */
const CONCURRENCY = [256, 32];
const TARGET = 3;

interface Store {
  readonly url: string;
  readonly create: (plant: NewPlant) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

mkdirSync(dataFolder, { recursive: true });
try {
  const [command, args] = pinned(SERVER_CORE, []);
  if (args.length > 0) spawnSync(command, ['-cp', String(SERVER_CORE), String(process.pid)]);
  const machine = describeMachine();
  const [own, pool] = [await openOwn(), await openPool()];
  const counts = new Map<Store['create'], number>();
  let id = 0n;
  const run = async ({ create }: Store, concurrency: number): Promise<number> => {
    const end = performance.now() + seconds * 1000;
    let created = 0;
    const worker = async () => {
      for (; performance.now() < end; created++) {
        await create({ id: ++id, name: 'Monstera deliciosa', tag: 'tropical' });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    counts.set(create, (counts.get(create) ?? 0) + created);
    return created / seconds;
  };
  process.stdout.write(
    `| creates at a time | this project's | spread | pg pool | spread | × | spread | target ≥ ${TARGET} × |\n|---|---|---|---|---|---|---|---|\n`,
  );
  for (const concurrency of CONCURRENCY) {
    const rounds: { ours: number; theirs: number }[] = [];
    for (let round = 0; round <= Number(flags.rounds); round++) {
      rounds.push({ ours: await run(own, concurrency), theirs: await run(pool, concurrency) });
    }
    // The first round is the warm-up.
    printRow(concurrency, rounds.slice(1));
  }
  for (const store of [own, pool]) {
    const rows = await countRows(store.url);
    const created = counts.get(store.create);
    if (rows !== created) throw new Error(`${rows} rows for ${created} creates`);
    await store.close();
  }
  process.stdout.write(`${[machine, ...warnings].join('\n')}\n`);
} finally {
  await stopPostgres();
  rmSync(dataFolder, { recursive: true, force: true });
}

async function openOwn(): Promise<Store> {
  const url = await newDatabase();
  const store = await openPlants(url);
  return { url, create: (plant) => store.create(plant), close: () => store.close() };
}

async function openPool(): Promise<Store> {
  const url = await newDatabase();
  const pool = new Pool({ connectionString: url });
  await pool.query('CREATE TABLE plant (id bigint PRIMARY KEY, name text NOT NULL, tag text)');
  const insert = 'INSERT INTO plant (id, name, tag) VALUES ($1, $2, $3)';
  return {
    url,
    create: ({ id, name, tag }) => pool.query(insert, [id, name, tag]),
    close: () => pool.end(),
  };
}

function printRow(concurrency: number, rounds: readonly { ours: number; theirs: number }[]): void {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const ours = rounds.map((each) => each.ours);
  const theirs = rounds.map((each) => each.theirs);
  const ratios = rounds.map((each) => each.ours / each.theirs);
  const figures = [
    ...[whole(median(ours)), spread(ours, whole), whole(median(theirs)), spread(theirs, whole)],
    ...[median(ratios).toFixed(2), spread(ratios, (value) => value.toFixed(2))],
    median(ratios) >= TARGET ? 'pass' : 'SHORT',
  ];
  process.stdout.write(`| ${[concurrency, ...figures].join(' | ')} |\n`);
}
