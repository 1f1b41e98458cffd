// `stubwright dev`: runs the service of a project, and follows what is saved.
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { serviceModule } from '../project/serviceModule.ts';
import { type AllowOutside, allowOutsideOption, withExamples } from './options.ts';

export function dev(io: CommandIo): Command {
  const command = new Command('dev')
    .summary('run the service and follow what is saved: contract, types, sources')
    .description(
      'Runs the service of a project, and reloads it on each save of the contract or the sources. Reports type errors, and what a change of the contract breaks for clients.',
    )
    .addOption(allowOutsideOption())
    .action(async ({ allowOutside }: AllowOutside) => {
      // The service reads it as its setting.
      const folders = allowOutside && { CONTRACT_FOLDERS: allowOutside.join(',') };
      await serviceModule('dev');
      const { develop } = await import('../dev/develop.ts');
      await develop({ ...io, env: { ...io.env, ...folders } });
    });
  return withExamples(command, 'dev');
}
