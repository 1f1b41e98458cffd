// `stubwright check`: reports what is wrong with a contract.
import { resolve } from 'node:path';
import { findingsAs } from '@stubwright/contract/formats';
import { countOf } from '@stubwright/contract/printable';
import { Command } from 'commander';
import { FailedCheck } from '../output/failedCheck.ts';
import { lineOf } from '../output/finding.ts';
import { type Format, folderInRepository, formatOption, outputFor } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type RecordingOptions, recordsIn } from '../traffic/recordsIn.ts';
import {
  type AllowOutside,
  accessOf,
  allowOutsideOption,
  callerOption,
  overlayOption,
  trafficOption,
} from './options.ts';
import { integerOption } from './serverOptions.ts';

interface Options extends AllowOutside, RecordingOptions {
  readonly errors?: string;
  readonly maxWarnings?: number;
  readonly format: Format;
}

export function check(io: CommandIo): Command {
  return new Command('check')
    .summary('check a contract: structure, lint rules, examples, error responses')
    .argument('[contract]', 'path of the contract', CONTRACT)
    .option('--errors <format>', 'error bodies of the service: problem, numbered or a module')
    .option('--max-warnings <number>', 'exit with 1 if there are more warnings', (text) =>
      integerOption('--max-warnings', text, 0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(trafficOption(': what violates the contract, and what nobody uses;'))
    .addOption(callerOption())
    .addOption(allowOutsideOption())
    .addOption(overlayOption())
    .addOption(formatOption())
    .action((contract: string, options: Options) => checkAndReport(contract, options, io));
}

async function checkAndReport(contract: string, options: Options, io: CommandIo): Promise<void> {
  const { errors: errorFormat, maxWarnings = Number.POSITIVE_INFINITY, format } = options;
  await readable(contract, io);
  const { runChecks } = await import('../check/runChecks.ts');
  const access = accessOf(io, options);
  const { findings, operations } = await runChecks(contract, { errorFormat, ...access });
  const count = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - count;
  const traffic = operations === undefined ? undefined : await trafficOf(contract, options, io);
  if (format === 'json') {
    const report = { contract, operations: operations ?? null, findings, ...traffic };
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else if (format === 'text') {
    const lines = findings.map((finding) => `${lineOf(finding)}\n`);
    const found = operations === undefined ? [] : [countOf(operations, 'operation')];
    const counts = [...found, countOf(count, 'error'), countOf(warnings, 'warning')].join(', ');
    io.stdout.write(`${lines.join('')}${contract}: ${counts}\n`);
    if (traffic !== undefined) {
      const { trafficText } = await import('../traffic/trafficCheck.ts');
      io.stdout.write(`${trafficText(traffic.traffic)}\n`);
    }
  } else
    outputFor(io, format).write(
      findingsAs(format, findings, { command: 'check', folder: folderInRepository(io) }),
    );
  if (count > 0 || warnings > maxWarnings) throw new FailedCheck();
}

/** @returns undefined without `--traffic` */
async function trafficOf(path: string, { traffic, caller, ...options }: Options, io: CommandIo) {
  const records = await recordsIn({ traffic, caller }, io);
  if (records === undefined) return undefined;
  const [{ openContract }, { checkTraffic }, served] = await Promise.all([
    import('../check/contracts.ts'),
    import('../traffic/trafficCheck.ts'),
    import('../serving/servedFiles.ts'),
  ]);
  const access = accessOf(io, options);
  const { definition } = await openContract(path, { variable: 'CONTRACT', ...access });
  const older = await served.olderContracts(definition.version, access);
  return { traffic: await checkTraffic(definition, records, older) };
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
