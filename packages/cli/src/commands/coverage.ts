// `stubwright coverage`: fails on declared responses that no test received.

import { resolve } from 'node:path';
import type { Finding } from '@stubwright/contract';
import { findingsAs } from '@stubwright/contract/formats';
import { textOf } from '@stubwright/contract/printable';
import { Command } from 'commander';
import type { Coverage } from '../coverage/coverage.ts';
import { EXEMPTIONS } from '../coverage/exemptions.ts';
import { HANDLER_INDEX } from '../coverage/implemented.ts';
import { forgetObserved, OBSERVED, observedResponses } from '../coverage/observed.ts';
import { FailedCheck } from '../output/failedCheck.ts';
import {
  type Format,
  folderInRepository,
  formatOption,
  jsonOption,
  outputFor,
} from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { FileOption } from './inputs.ts';
import {
  type AllowOutside,
  accessOf,
  allowOutsideOption,
  overlayOption,
  withExamples,
} from './options.ts';

interface Options extends AllowOutside {
  readonly contract: string;
  readonly handlers: string;
  readonly exemptions: string;
  readonly keep?: true;
  readonly format: Format;
}

export function coverage(io: CommandIo): Command {
  const command = new Command('coverage')
    .summary('fail on declared responses that no test received')
    .description(
      'Compares the responses that the tests received with those that the contract declares, and fails on each that no test received.',
    )
    .argument('[folder]', 'the record of the test clients, their option `observed`', OBSERVED)
    .addOption(new FileOption('--contract <file>', 'path of the contract').default(CONTRACT))
    .option(
      '--handlers <module>',
      'exports handlers; operations without a function in it are not compared',
      HANDLER_INDEX,
    )
    .option('--exemptions <file>', 'YAML, a map of responses to reasons', EXEMPTIONS)
    .option('--keep', 'keep the record; by default the next run of the tests starts a new one')
    .addOption(allowOutsideOption())
    .addOption(overlayOption())
    .addOption(formatOption())
    .addOption(jsonOption())
    .action((folder: string, options: Options) => report(folder, options, io));
  return withExamples(command, 'coverage --handlers src/handlers/index.ts');
}

async function report(folder: string, options: Options, io: CommandIo): Promise<void> {
  const { cwd } = io;
  const observed = observedResponses(resolve(cwd, folder));
  if (observed === undefined) {
    throw new Error(`${folder}: not found, expected the record of a run of the tests`);
  }
  const [{ openContract }, { coverageOf }, { exemptionsIn }, { implementedIn }] = await Promise.all(
    [
      import('../check/contracts.ts'),
      import('../coverage/coverage.ts'),
      import('../coverage/exemptions.ts'),
      import('../coverage/implemented.ts'),
    ],
  );
  const access = accessOf(io, options, options.contract);
  const contract = await openContract(options.contract, { variable: 'CONTRACT', ...access });
  const exemptions = exemptionsIn(options.exemptions, cwd);
  const isImplemented = await implementedIn(resolve(cwd, options.handlers));
  const found = coverageOf(contract.definition, observed, exemptions, isImplemented);
  const missing = found.responses.filter(({ state }) => state === 'missing');
  const findings = [
    ...missing.map(({ name, pointer }): Finding => {
      const position = contract.locations.position(pointer);
      return {
        level: 'error',
        rule: 'response-not-tested',
        message: `${name}: no test received it`,
        position,
      };
    }),
    ...found.unneeded.map(
      (each): Finding => ({ level: 'warning', rule: 'exemption-not-needed', ...each }),
    ),
  ];
  const text = await coverageText(found, findings, options.format, folderInRepository(io));
  outputFor(io, options.format).write(text);
  if (options.keep === undefined) forgetObserved(resolve(cwd, folder));
  if (missing.length > 0) throw new FailedCheck();
}

async function coverageText(
  coverage: Coverage,
  findings: readonly Finding[],
  format: Format,
  folder: string,
): Promise<string> {
  if (format === 'json') {
    const unneeded = coverage.unneeded.map(textOf);
    return `${JSON.stringify({ ...coverage, unneeded }, null, 2)}\n`;
  }
  if (format !== 'text') return findingsAs(format, findings, { command: 'coverage', folder });
  const { coverageTable } = await import('../coverage/coverage.ts');
  return coverageTable(coverage).replace(/^\n/, '');
}
