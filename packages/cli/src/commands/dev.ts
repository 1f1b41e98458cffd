// `stubwright dev`: runs the service of a project, and follows what is saved.
import { Command } from 'commander';

export const dev = new Command('dev')
  .summary('run the service and follow what is saved: contract, types, sources')
  .action(async () => {
    await import('../dev/main.ts');
  });
