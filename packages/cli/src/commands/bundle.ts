// `stubwright bundle`: writes a contract as one self-contained file.
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption, overlayOption } from './options.ts';

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
    .addOption(overlayOption())
    .action(async (contract: string, { output, ...options }: Options) => {
      const { stringifyJson } = await import('@stubwright/contract');
      const { loadContractFiles } = await import('../loading/load.ts');
      const { replaceFiles } = await import('../project/replaceFiles.ts');
      const { definition, publish } = await loadContractFiles(contract, accessOf(io, options));
      const isJson = /\.json$/i.test(output ?? '');
      const text = isJson ? `${stringifyJson(definition.document, 2)}\n` : (await publish()).text;
      if (output === undefined) io.raw.write(text);
      else replaceFiles(new Map([[output, text]]), io);
    });
}
