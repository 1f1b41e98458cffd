// Runs `make bench WHAT=engine`: the engine alone, in one process, without socket and store.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compare, measureSteps } from './engine/measure.ts';
import { dataFolder, describeMachine, pinned, SERVER_CORE, warnings } from './machine.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    warmup: { type: 'string', default: '100' },
    requests: { type: 'string', default: '1000' },
  },
});
const plan = {
  rounds: Number(flags.rounds),
  warmupRounds: Number(flags.warmup),
  requests: Number(flags.requests),
};

mkdirSync(dataFolder, { recursive: true });
try {
  const [command, args] = pinned(SERVER_CORE, []);
  if (args.length > 0) spawnSync(command, ['-cp', String(SERVER_CORE), String(process.pid)]);
  const machine = describeMachine();
  const { table, ours } = await compare(plan);
  process.stdout.write(`${table}\n\n${await measureSteps(plan, ours)}\n\n`);
  process.stdout.write(`${[machine, ...warnings].join('\n')}\n`);
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
