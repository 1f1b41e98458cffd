// `make test-faults`: causes every fault under load and prints one table. ROUNDS is how often each,
// FAULTS a regular expression for their names.
import { families } from './families.ts';
import type { Fault, Row } from './fault.ts';
import { formatTable, isViolated } from './table.ts';

const { ROUNDS = '3', FAULTS = '' } = process.env;
const rounds = Number(ROUNDS);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`Expected ROUNDS to be a positive integer, but it is ${ROUNDS}`);
}
const wanted = new RegExp(FAULTS);
const rows: Row[] = [];
for (const family of families) {
  const faults = Object.entries(family.faults).filter(([name]) => wanted.test(name));
  const missing = family.missingPrograms?.() ?? [];
  for (const [name, fault] of faults) {
    if (missing.length > 0) report(`SKIPPED, not installed: ${missing.join(', ')}: ${name}`);
    else await run(name, fault);
  }
}
process.stdout.write(formatTable(rows));
if (rows.some(isViolated)) process.exitCode = 1;

async function run(name: string, fault: Fault): Promise<void> {
  report(`${name}, ${rounds} rounds`);
  try {
    const row = await fault(name, rounds);
    rows.push(row);
    for (const violation of row.violations.slice(0, 10)) report(`  ${violation}`);
  } catch (error) {
    process.exitCode = 1;
    report(`  did not finish: ${(error as Error).stack}`);
  }
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
