// `stubwright dev`: runs the service of a project, and follows what is saved.
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { serviceModule } from '../project/serviceModule.ts';
import { type AllowOutside, allowOutsideOption } from './options.ts';

export function dev(io: CommandIo): Command {
  return new Command('dev')
    .summary('run the service and follow what is saved: contract, types, sources')
    .addOption(allowOutsideOption())
    .action(async ({ allowOutside }: AllowOutside) => {
      // The service reads it as its setting.
      const folders = allowOutside && { CONTRACT_FOLDERS: allowOutside.join(',') };
      await serviceModule('dev');
      const { develop } = await import('../dev/develop.ts');
      await develop({ ...io, env: { ...io.env, ...folders } });
    });
}
