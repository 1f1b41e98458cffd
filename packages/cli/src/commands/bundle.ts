// `stubwright bundle`: writes a contract as one self-contained file.
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption } from './allowOutside.ts';

interface Options extends AllowOutside {
  readonly output?: string;
}

export function bundle(io: CommandIo): Command {
  return new Command('bundle')
    .summary('write a contract as one self-contained file')
    .argument('[contract]', 'path of the contract', CONTRACT)
    .option(
      '--output <file>',
      'file to write, JSON if its name ends with .json; by default YAML on standard output',
    )
    .addOption(allowOutsideOption())
    .action(async (contract: string, { output, ...options }: Options) => {
      const { generatedBundle } = await import('../project/bundleText.ts');
      const isJson = /\.json$/i.test(output ?? '');
      const text = await generatedBundle(contract, { isJson, ...accessOf(io, options) });
      if (output === undefined) io.raw.write(text);
      else (await import('../project/replaceFiles.ts')).replaceFiles(new Map([[output, text]]), io);
    });
}
