// `stubwright dev`: runs the service of a project, and reloads it on every save.

import type { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { serviceModule } from '../project/serviceModule.ts';
import { type AllowOutside, StubwrightCommand } from './options.ts';

export function dev(io: CommandIo): Command {
  return new StubwrightCommand('dev')
    .summary('run the service and reload it on every save')
    .description(
      'Runs the service of a project, and reloads it on each save of the contract or the sources. Reports type errors, and changes of the contract that break clients.',
    )
    .with('allowOutside')
    .action(async ({ allowOutside }: AllowOutside) => {
      // The service reads it as its setting.
      const folders = allowOutside && { CONTRACT_FOLDERS: allowOutside.join(',') };
      await serviceModule('dev');
      const { develop } = await import('../dev/develop.ts');
      await develop({ ...io, env: { ...io.env, ...folders } });
    })
    .withExamples('dev');
}
