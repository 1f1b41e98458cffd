// `stubwright bundle`: writes a contract as one self-contained file.
import { Command } from 'commander';
import type { Access } from '../loading/containment.ts';
import { CONTRACT } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';

interface Options extends Access {
  readonly output?: string;
}

export const bundle = new Command('bundle')
  .summary('write a contract as one self-contained file')
  .argument('[contract]', 'path of the contract', CONTRACT)
  .option(
    '--output <file>',
    'file to write, JSON if its name ends with .json; by default YAML on standard output',
  )
  .addOption(allowOutsideOption())
  .action(async (contract: string, { output, ...access }: Options) => {
    const { bundleText } = await import('../project/bundleText.ts');
    const text = await bundleText(contract, { isJson: /\.json$/i.test(output ?? ''), ...access });
    if (output === undefined) process.stdout.write(text);
    else (await import('../project/replaceFiles.ts')).replaceFiles(new Map([[output, text]]));
  });
