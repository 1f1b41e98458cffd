// `stubwright generate`: writes the types and the bundle of a contract, and files for new operations.

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { FailedCheck } from '../output/errors.ts';
import type { CommandIo } from '../output/io.ts';
import { type AllowOutside, accessOf, contractArgument, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly check?: true;
  readonly force?: true;
}

export function generate(io: CommandIo): Command {
  return new StubwrightCommand('generate')
    .summary('write generated/, and files for new operations')
    .description(
      'Writes the types and the bundled contract to generated/, with those of served versions. In a project of `stubwright init`, adds a ' +
        'handler and a test for each new operation, and lists the handlers whose operation is gone. Never ' +
        'overwrites a handler or a test.',
    )
    .addArgument(contractArgument())
    .with('check', 'force', 'allowOutside', 'overlay', 'quiet')
    .action((contract: string, options: Options) => generateOrCheck(contract, options, io))
    .withExamples('generate', 'generate --check');
}

async function generateOrCheck(contract: string, options: Options, io: CommandIo): Promise<void> {
  const { staleFiles } = await import('../project/generated.ts');
  const { generatedFiles } = await import('../serving/servedFiles.ts');
  const { expectGenerated, replaceFiles } = await import('../project/writeFiles.ts');
  const access = accessOf(io, options, contract);
  const { files, surplus, bundle } = await generatedFiles(contract, access);
  const { projectChanges } = await import('../project/projectChanges.ts');
  const { files: added, todo, gone } = await projectChanges(bundle, io.cwd);
  const errors: string[] = [];
  if (options.check) {
    const stale = await staleFiles(files, io.cwd);
    errors.push(...stale.map((path) => `${path} is stale: generate it again`));
    errors.push(...surplus.map((path) => `${path} belongs to no served version: delete it`));
    errors.push(...[...added.keys()].map((path) => `${path} is missing or stale: generate it`));
  } else {
    expectGenerated(files, { cwd: io.cwd, force: options.force });
    // Their modification times become newer than the contract's.
    replaceFiles(new Map([...files, ...added]), io);
    for (const path of surplus) rmSync(resolve(io.cwd, path));
    for (const path of added.keys()) io.note(`${path}\n`);
  }
  errors.push(...todo);
  for (const line of errors) io.stderr.write(`${line}\n`);
  for (const line of gone) io.note(`${line}\n`);
  if (errors.length > 0) throw new FailedCheck();
}
