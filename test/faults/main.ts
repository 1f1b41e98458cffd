// `make test-faults`: causes every fault under load, on each application, and prints one table. ROUNDS is how
// often each, FAULTS a regular expression for their names, APPLICATION one for those of the applications.
import { type Application, applications } from './application.ts';
import { families } from './families.ts';
import type { Fault, Row } from './fault.ts';
import { formatTable, isViolated } from './table.ts';

const { ROUNDS = '3', FAULTS = '', APPLICATION = '' } = process.env;
const rounds = Number(ROUNDS);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`Expected ROUNDS to be a positive integer, but it is ${ROUNDS}`);
}
const wanted = new RegExp(FAULTS);
const chosen = applications.filter(({ name }) => new RegExp(APPLICATION).test(name));
const rows: Row[] = [];
for (const family of families) {
  const faults = Object.entries(family.faults).filter(([name]) => wanted.test(name));
  const missing = family.missingPrograms?.() ?? [];
  for (const [name, fault] of faults) {
    if (missing.length > 0) report(`SKIPPED, not installed: ${missing.join(', ')}: ${name}`);
    else for (const application of chosen) await run(name, fault, application);
  }
}
process.stdout.write(formatTable(rows));
if (rows.some(isViolated)) process.exitCode = 1;

async function run(name: string, fault: Fault, application: Application): Promise<void> {
  report(`${application.name}: ${name}, ${rounds} rounds`);
  try {
    const row = await fault(name, rounds, application);
    rows.push({ ...row, fault: `${application.name}: ${name}` });
    for (const violation of row.violations.slice(0, 10)) report(`  ${violation}`);
  } catch (error) {
    process.exitCode = 1;
    report(`  did not finish: ${(error as Error).stack}`);
  }
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
