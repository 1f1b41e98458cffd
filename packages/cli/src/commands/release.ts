// `stubwright release`: stores the contract and the requests of its clients as a release.
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import type { ValueTypes } from '../types/valueTypes.ts';
import {
  type AllowOutside,
  accessOf,
  allowOutsideOption,
  datesOption,
  forceOption,
  int64Option,
} from './options.ts';

interface Options extends AllowOutside, Partial<ValueTypes> {
  readonly errorScenarios?: string;
  readonly client?: string | false;
  readonly force?: true;
}

export function release(io: CommandIo): Command {
  return new Command('release')
    .summary('store the contract and the requests of its clients as a release')
    .argument('[contract]', 'path of the contract', CONTRACT)
    .argument('[folder]', 'of the releases', RELEASED)
    .option(
      '--error-scenarios <module>',
      'exports errorScenarios, the requests for each declared response',
    )
    .option('--client <name>', 'name of the client package; by default from the title')
    .option('--no-client', 'write no client package beside the release')
    .addOption(datesOption())
    .addOption(int64Option())
    .addOption(forceOption())
    .addOption(allowOutsideOption())
    .action(async (contract: string, folder: string, options: Options) => {
      const { writeRelease } = await import('../release/release.ts');
      const { deferSignals, progress } = io;
      const line = await writeRelease(contract, folder, {
        scenariosPath: options.errorScenarios,
        client: options.client,
        force: options.force,
        types: { dates: options.dates, int64: options.int64 },
        ...accessOf(io, options),
        deferSignals,
        progress,
      });
      io.stdout.write(`${line}\n`);
    });
}
