// `stubwright coverage`: fails on declared responses that no test received.

import { resolve } from 'node:path';
import type { Finding } from '@stubwright/contract';
import type { Command } from 'commander';
import {
  coverageOf,
  coverageTable,
  forgetObserved,
  HANDLER_INDEX,
  implementedIn,
  OBSERVED,
  observedResponses,
} from '../coverage/coverage.ts';
import { FailedCheck } from '../output/errors.ts';
import { type Format, writeFindings } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, FileOption, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly contract: string;
  readonly handlers: string;
  readonly keep?: true;
  readonly format: Format;
}

export function coverage(io: CommandIo): Command {
  return new StubwrightCommand('coverage')
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
    .option('--keep', 'keep the record; by default the next run of the tests starts a new one')
    .with('allowOutside', 'overlay', 'format', 'json')
    .action((folder: string, options: Options) => report(folder, options, io))
    .withExamples('coverage --handlers src/handlers/index.ts');
}

async function report(folder: string, options: Options, io: CommandIo): Promise<void> {
  const { cwd } = io;
  const observed = observedResponses(resolve(cwd, folder));
  if (observed === undefined) {
    throw new Error(`${folder}: not found, expected the record of a run of the tests`);
  }
  const { openContract } = await import('../check/contracts.ts');
  const access = accessOf(io, options, options.contract);
  const contract = await openContract(options.contract, { variable: 'CONTRACT', ...access });
  const isImplemented = await implementedIn(resolve(cwd, options.handlers));
  const responses = coverageOf(contract.definition, observed, isImplemented);
  const missing = responses.filter(({ state }) => state === 'missing');
  const findings = missing.map(({ name, pointer }): Finding => {
    const position = contract.locations.position(pointer);
    const message = `${name}: no test received it`;
    return { level: 'error', rule: 'response-not-tested', message, position };
  });
  const { format } = options;
  if (format === 'json') io.stdout.write(`${JSON.stringify({ responses }, null, 2)}\n`);
  else if (format === 'text') io.stdout.write(coverageTable(responses).replace(/^\n/, ''));
  else await writeFindings(findings, format, 'coverage', io);
  if (options.keep === undefined) forgetObserved(resolve(cwd, folder));
  if (missing.length > 0) throw new FailedCheck();
}
