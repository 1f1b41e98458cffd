// `stubwright dev`: runs the service of a project, and reloads it on every save.
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { serviceModule } from '../project/serviceModule.ts';
import { type AllowOutside, allowOutsideOption, withExamples } from './options.ts';

export function dev(io: CommandIo): Command {
  const command = new Command('dev')
    .summary('run the service and reload it on every save')
    .description(
      'Runs the service of a project, and reloads it on each save of the contract or the sources. Reports type errors, and changes of the contract that break clients.',
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
