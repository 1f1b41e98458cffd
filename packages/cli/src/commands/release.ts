// `stubwright release`: stores the contract and the requests of its clients as a release.

import type { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { RELEASED } from '../project/layout.ts';
import type { ValueTypes } from '../types/valueTypes.ts';
import {
  type AllowOutside,
  accessOf,
  contractArgument,
  FileOption,
  npmName,
  StubwrightCommand,
} from './options.ts';

interface Options extends AllowOutside, Partial<ValueTypes> {
  readonly errorScenarios?: string;
  readonly client?: string | false;
  readonly force?: true;
}

export function release(io: CommandIo): Command {
  return new StubwrightCommand('release')
    .summary('store the contract and the requests of its clients as a release')
    .description(
      'Stores the contract as test/released/VERSION.yaml, with its documented requests and a client package. ' +
        'replay sends the requests to every later version of the service.',
    )
    .addArgument(contractArgument())
    .argument('[folder]', 'of the releases', RELEASED)
    .addOption(
      new FileOption(
        '--error-scenarios <module>',
        'exports errorScenarios, the requests for each declared response',
      ),
    )
    .option(
      '--client <name>',
      'name of the client package, as npm accepts it; by default from the title',
      (text) => npmName('--client', text),
    )
    .option('--no-client', 'write no client package beside the release')
    .with('dates', 'int64', 'force', 'allowOutside', 'overlay', 'quiet')
    .action(async (contract: string, folder: string, options: Options) => {
      const { writeRelease } = await import('../release/release.ts');
      const { deferSignals, progress } = io;
      const line = await writeRelease(contract, folder, {
        scenariosPath: options.errorScenarios,
        client: options.client,
        force: options.force,
        types: { dates: options.dates, int64: options.int64 },
        ...accessOf(io, options, contract),
        deferSignals,
        progress,
      });
      io.note(`${line}\n`);
    })
    .withExamples('release openapi.yaml');
}
