// `stubwright dev`: runs the service of a project, and follows what is saved.
import { Command } from 'commander';
import type { Access } from '../loading/containment.ts';
import { allowOutsideOption } from './allowOutside.ts';
import { errorLine } from './errorLine.ts';

export const dev = new Command('dev')
  .summary('run the service and follow what is saved: contract, types, sources')
  .addOption(allowOutsideOption())
  .action(async ({ allowOutside }: Access) => {
    // The service reads it as its setting.
    if (allowOutside !== undefined) process.env['CONTRACT_FOLDERS'] = allowOutside.join(',');
    await import('../dev/main.ts').catch((error) => {
      process.stderr.write(errorLine(error));
      // The watched files keep the process alive.
      process.exit(2);
    });
  });
