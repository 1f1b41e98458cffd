// `stubwright bundle`: writes a contract as one self-contained file.

import { textOf } from '@stubwright/contract/printable';
import type { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { type AllowOutside, accessOf, contractArgument, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly output?: string;
  readonly force?: true;
}

export function bundle(io: CommandIo): Command {
  return new StubwrightCommand('bundle')
    .summary('write a contract as one self-contained file')
    .description(
      'Writes a contract as one self-contained file: references to other files become references to components.',
    )
    .addArgument(contractArgument({ readsStdin: true }))
    .option(
      '--output <file>',
      'file to write, JSON if its name ends with .json; by default YAML on standard output',
    )
    .with('force', 'allowOutside', 'overlay')
    .action(async (contract: string, { output, force, ...options }: Options) => {
      const { stringifyJson } = await import('@stubwright/contract');
      const { loadContractFiles } = await import('../loading/load.ts');
      const { expectGenerated, replaceFiles } = await import('../project/writeFiles.ts');
      const { definition, publish, warnings } = await loadContractFiles(
        contract,
        accessOf(io, options, contract),
      );
      for (const warning of warnings) io.stderr.write(`${textOf(warning)}\n`);
      const isJson = /\.json$/i.test(output ?? '');
      const text = isJson ? `${stringifyJson(definition.document, 2)}\n` : (await publish()).text;
      if (output === undefined) return void io.raw.write(text);
      const files = new Map([[output, text]]);
      expectGenerated(files, { cwd: io.cwd, force });
      replaceFiles(files, io);
    })
    .withExamples('bundle openapi.yaml --output dist/openapi.json');
}
