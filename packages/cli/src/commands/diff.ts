// `stubwright diff`: reports the changes between two contracts. `--check` fails on a breaking change.
// Usage: diff.ts [--check] [BASE [CONTRACT]]; BASE is a path or a git revision, by default the newest release
import { parseArgs } from 'node:util';
import { CONTRACT, contractOf, NOT_RELEASED, RELEASED } from '../check/contracts.ts';
import { changesBetween } from '../diff/changes.ts';
import { releaseError, releasesIn } from '../diff/releases.ts';
import { countsOf, reportOf } from '../diff/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
});
const [base = releasesIn(RELEASED).at(-1)?.path, contract = CONTRACT] = positionals;

try {
  if (base === undefined) process.stdout.write(NOT_RELEASED);
  else await compare(base, contract);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function compare(base: string, contract: string): Promise<void> {
  const before = await contractOf(base);
  const after = await contractOf(contract);
  const changes = changesBetween(before, after);
  const locations = { before: before.locations, after: after.locations };
  const error = releaseError(changes, before.definition, after.definition);
  if (!values.check) {
    if (changes.length > 0) process.stdout.write(`${reportOf(changes, locations)}\n\n`);
    process.stdout.write(`${after.name} since ${before.name}: ${countsOf(changes)}\n`);
  } else if (error !== undefined) {
    const breaking = changes.filter(({ severity }) => severity === 'breaking');
    process.stderr.write(`${reportOf(breaking, locations)}\n\n${error}\n`);
    process.exitCode = 1;
  }
}
