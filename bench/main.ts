// Runs `make bench`, `make bench WHAT=soak` and `make bench WHAT=profile`.
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Contender, contenders, ours, oursLarge } from './contenders.ts';
import { writeLargeContract } from './largeContract.ts';
import { dataFolder, describeMachine, project, warnings } from './machine.ts';
import { stopPostgres } from './postgres.ts';
import { profile } from './profile.ts';
import { type Plan, runRounds } from './rounds.ts';
import { soak } from './soak.ts';
import { measureStarts } from './starts.ts';
import { formatResults } from './table.ts';
import { compareWide } from './wide/main.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '5' },
    starts: { type: 'string', default: '11' },
    only: { type: 'string' },
    soak: { type: 'string' },
    profile: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    wide: { type: 'boolean', default: false },
  },
});

mkdirSync(dataFolder, { recursive: true });
try {
  for (const warning of warnings) say(`Warning: ${warning}`);
  const machine = describeMachine();
  say(machine);
  const large = await writeLargeContract();
  say(`The large contract has ${large.operations.toLocaleString('en')} operations`);
  const contractOf = ({ isLarge, script }: Contender) => {
    if (script !== ours.script) return isLarge ? large.path : `${project}/openapi.yaml`;
    return isLarge ? large.bundle : `${project}/generated/contract.json`;
  };
  const self = flags.large ? oursLarge : ours;
  const seconds = positive('seconds');
  if (flags.soak !== undefined) await soak(self, contractOf(self), positive('soak'), say);
  else if (flags.profile) await profile(self, contractOf(self), seconds, say);
  else if (flags.wide) await wide(machine);
  else await compare({ contractOf, seconds }, machine);
} finally {
  await stopPostgres();
  rmSync(dataFolder, { recursive: true, force: true });
}

async function compare(rest: Pick<Plan, 'contractOf' | 'seconds'>, machine: string): Promise<void> {
  const wanted = chosen();
  const rounds = await runRounds({
    ...rest,
    contenders: wanted,
    rounds: positive('rounds'),
    warmupSeconds: positive('warmup'),
    say,
  });
  const selves = wanted.filter((each) => each === ours || each === oursLarge);
  const starts = await measureStarts(selves, rest.contractOf, positive('starts'), say);
  process.stdout.write(
    `\n${formatResults(wanted, rounds, starts)}\n${[machine, ...warnings].join('\n')}\n`,
  );
  if (flags.only === undefined) await wide(machine);
}

async function wide(machine: string): Promise<void> {
  const table = await compareWide(positive('rounds'), positive('seconds'), say);
  process.stdout.write(`\n${table}\n\n${machine}\n`);
}

/** Includes this project and the base of each ratio. */
function chosen(): Contender[] {
  if (flags.only === undefined) return [...contenders];
  const names = new Set(flags.only.split(','));
  const known = contenders.map(({ name }) => name);
  const unknown = [...names].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`--only: expected ${known.join(', ')}, got ${unknown}`);
  const bases = contenders.filter(({ name }) => names.has(name)).map(({ base }) => base);
  const wanted = new Set([ours.name, ...names, ...bases]);
  return contenders.filter(({ name }) => wanted.has(name));
}

function positive(name: 'rounds' | 'seconds' | 'warmup' | 'starts' | 'soak'): number {
  const value = Number(flags[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name}: expected a positive integer, got ${flags[name]}`);
}

/** Logs progress to standard error: standard output contains only the table. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
