// `make test-faults`: causes every fault under load and prints one table. ROUNDS is how often each,
// FAULTS a regular expression for their names.
import { existsSync } from 'node:fs';
import * as failover from './failover.ts';
import type { Fault, Row } from './fault.ts';
import * as pgBouncer from './pgBouncer.ts';
import * as postgres from './postgres.ts';
import * as processes from './processes.ts';
import * as standby from './standby.ts';
import { formatTable, isViolated } from './table.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const wanted = new RegExp(process.env['FAULTS'] ?? '');
const faults: Record<string, Fault> = {
  ...processes.faults,
  ...postgres.faults,
  ...standby.faults,
};
const disk = new URL('disk/faults.ts', import.meta.url);
if (existsSync(disk)) Object.assign(faults, (await import(disk.href)).faults);
addInstalled('failovers', failover.missingPrograms(), failover.faults);
addInstalled('PgBouncer', pgBouncer.isInstalled() ? [] : ['pgbouncer'], pgBouncer.faults);

const rows: Row[] = [];
for (const [name, run] of Object.entries(faults)) {
  if (!wanted.test(name)) continue;
  process.stderr.write(`${name}, ${rounds} rounds\n`);
  try {
    const row = await run(name, rounds);
    rows.push(row);
    for (const violation of row.violations.slice(0, 10)) process.stderr.write(`  ${violation}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`  did not finish: ${(error as Error).stack}\n`);
  }
}
process.stdout.write(formatTable(rows));
if (rows.some(isViolated)) process.exitCode = 1;

function addInstalled(what: string, missing: string[], those: Record<string, Fault>): void {
  if (missing.length === 0) Object.assign(faults, those);
  else process.stdout.write(`SKIPPED: ${what}, not installed: ${missing.join(', ')}\n`);
}
