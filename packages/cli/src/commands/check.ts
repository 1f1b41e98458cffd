// `stubwright check`: reports what is wrong with a contract, and what the engine does not do.
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { countOf } from '../output/count.ts';
import { FailedCheck } from '../output/failedCheck.ts';
import { lineOf } from '../output/finding.ts';
import { type Format, findingsAs, formatOption, outputFor } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption } from './allowOutside.ts';

interface Options extends AllowOutside {
  readonly errors?: string;
  readonly maxWarnings?: number;
  readonly format: Format;
}

export function check(io: CommandIo): Command {
  return new Command('check')
    .summary('check a contract: structure, lint rules, examples, enforcement, error responses')
    .argument('[contract]', 'path of the contract', CONTRACT)
    .option('--errors <format>', 'error bodies of the service: problem, numbered or a module')
    .option('--max-warnings <number>', 'exit with 1 if there are more warnings', nonNegative)
    .addOption(allowOutsideOption())
    .addOption(formatOption())
    .action((contract: string, options: Options) => checkAndReport(contract, options, io));
}

async function checkAndReport(contract: string, options: Options, io: CommandIo): Promise<void> {
  const { errors: errorFormat, maxWarnings = Number.POSITIVE_INFINITY, format } = options;
  await readable(contract, io);
  const { runChecks } = await import('../check/checkContract.ts');
  const access = accessOf(io, options);
  const { findings, operations } = await runChecks(contract, { errorFormat, ...access });
  const count = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - count;
  if (format === 'json') {
    const report = { contract, operations: operations ?? null, findings };
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else if (format === 'text') {
    const lines = findings.map((finding) => `${lineOf(finding)}\n`);
    const found = operations === undefined ? [] : [countOf(operations, 'operation')];
    const counts = [...found, countOf(count, 'error'), countOf(warnings, 'warning')].join(', ');
    io.stdout.write(`${lines.join('')}${contract}: ${counts}\n`);
  } else outputFor(io, format).write(findingsAs(format, findings, { command: 'check' }));
  if (count > 0 || warnings > maxWarnings) throw new FailedCheck();
}

/** A contract that cannot be read is no finding. */
async function readable(path: string, { cwd }: CommandIo): Promise<void> {
  const { open } = await import('node:fs/promises');
  const file = await open(resolve(cwd, path)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path}: got ${error.code}, expected a contract`);
  });
  const isFolder = (await file.stat()).isDirectory();
  await file.close();
  if (isFolder) throw new Error(`${path}: got a folder, expected a contract`);
}

function nonNegative(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}
