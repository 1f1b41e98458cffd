// `stubwright release`: stores the contract and the requests of its clients as a release.
import { Command } from 'commander';
import { CONTRACT, RELEASED } from '../project/layout.ts';

export const release = new Command('release')
  .summary('store the contract and the requests of its clients as a release')
  .argument('[contract]', 'path of the contract', CONTRACT)
  .argument('[folder]', 'of the releases', RELEASED)
  .option(
    '--provocations <module>',
    'exports PROVOCATIONS, the requests for each declared response',
  )
  .action(async (contract: string, folder: string, options: { provocations?: string }) => {
    const { writeRelease } = await import('../release/release.ts');
    await writeRelease(contract, folder, options.provocations);
  });
