// `stubwright release`: stores the contract and the requests of its clients as a release.
import { Command } from 'commander';
import type { Access } from '../loading/containment.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';

interface Options extends Access {
  readonly provocations?: string;
}

export const release = new Command('release')
  .summary('store the contract and the requests of its clients as a release')
  .argument('[contract]', 'path of the contract', CONTRACT)
  .argument('[folder]', 'of the releases', RELEASED)
  .option(
    '--provocations <module>',
    'exports PROVOCATIONS, the requests for each declared response',
  )
  .addOption(allowOutsideOption())
  .action(async (contract: string, folder: string, options: Options) => {
    const { writeRelease } = await import('../release/release.ts');
    await writeRelease(contract, folder, options);
  });
