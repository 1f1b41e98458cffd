// `stubwright bundle`: writes a contract as one self-contained file.
import { Command } from 'commander';
import { CONTRACT } from '../project/layout.ts';

export const bundle = new Command('bundle')
  .summary('write a contract as one self-contained file')
  .argument('[contract]', 'path of the contract', CONTRACT)
  .option(
    '--output <file>',
    'file to write, JSON if its name ends with .json; by default YAML on standard output',
  )
  .action(async (contract: string, { output }: { output?: string }) => {
    const { bundleText } = await import('../project/bundleText.ts');
    const text = await bundleText(contract, /\.json$/i.test(output ?? ''));
    if (output === undefined) process.stdout.write(text);
    else (await import('../project/replaceFiles.ts')).replaceFiles(new Map([[output, text]]));
  });
