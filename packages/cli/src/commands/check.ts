// `stubwright check`: reports what is wrong with a contract, and what the engine does not do.
import { Command, InvalidArgumentError } from 'commander';
import type { Access } from '../loading/containment.ts';
import { lineOf } from '../output/finding.ts';
import { type Format, findingsAs, formatOption } from '../output/formats.ts';
import { CONTRACT } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';

interface Options extends Access {
  readonly errors?: string;
  readonly maxWarnings?: number;
  readonly format: Format;
}

export const check = new Command('check')
  .summary('check a contract: structure, lint rules, examples, enforcement, error responses')
  .argument('[contract]', 'path of the contract', CONTRACT)
  .option('--errors <format>', 'error bodies of the service: problem, numbered or a module')
  .option('--max-warnings <number>', 'exit with 1 if there are more warnings', nonNegative)
  .addOption(allowOutsideOption())
  .addOption(formatOption())
  .action(async (contract: string, { errors, maxWarnings, format, ...access }: Options) => {
    await readable(contract);
    const { checkContract } = await import('../check/checkContract.ts');
    const { findings, operations } = await checkContract(contract, {
      errorFormat: errors,
      ...access,
    });
    const count = findings.filter(({ level }) => level === 'error').length;
    const warnings = findings.length - count;
    if (format === 'json') {
      const report = { contract, operations: operations ?? null, findings };
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    } else if (format === 'text') {
      const lines = findings.map((finding) => `${lineOf(finding)}\n`);
      const found = operations === undefined ? [] : [`${operations} operations`];
      const counts = [...found, `${count} errors`, `${warnings} warnings`].join(', ');
      process.stdout.write(`${lines.join('')}${contract}: ${counts}\n`);
    } else process.stdout.write(findingsAs(format, findings, 'check'));
    if (count > 0 || warnings > (maxWarnings ?? Number.POSITIVE_INFINITY)) process.exitCode = 1;
  });

/** A contract that cannot be read is no finding. */
async function readable(path: string): Promise<void> {
  const { open } = await import('node:fs/promises');
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
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
