// `stubwright generate`: writes the types and the bundle of a contract, and files for new operations.
import { Command } from 'commander';
import type { Access } from '../loading/containment.ts';
import { CONTRACT } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';

interface Options extends Access {
  readonly check?: true;
}

export const generate = new Command('generate')
  .summary('write generated/, and files for new operations')
  .description(
    'Writes the types and the bundled contract to generated/. In a project of `stubwright init`, adds a ' +
      'handler and a test for each new operation, and lists the handlers whose operation is gone. Never ' +
      'overwrites a handler or a test.',
  )
  .argument('[contract]', 'path of the contract', CONTRACT)
  .addOption(allowOutsideOption())
  .option('--check', 'write nothing; list the files that differ, and exit with 1 if there are any')
  .action(async (contract: string, { check, ...access }: Options) => {
    const { generateIn, staleFiles, write } = await import('../project/generated.ts');
    const { files, bundle } = await generateIn('.', contract, access);
    const { projectChanges } = await import('../project/projectChanges.ts');
    const { files: added, todo, gone } = await projectChanges(bundle);
    if (check) {
      for (const path of await staleFiles(files)) report(`${path} is stale: generate it again`);
      for (const path of added.keys()) report(`${path} is missing or stale: generate it`);
    } else {
      await write(new Map([...files, ...added]));
      for (const path of added.keys()) process.stdout.write(`${path}\n`);
    }
    for (const line of todo) report(line);
    for (const line of gone) process.stdout.write(`${line}\n`);
  });

function report(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
