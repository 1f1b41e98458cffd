// `stubwright init`: writes a service for a contract.

import { join, resolve } from 'node:path';
import { countOf } from '@stubwright/contract/printable';
import { type Command, Option } from 'commander';
import type { Access } from '../loading/containment.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { MANAGERS, type Manager } from '../project/packageManager.ts';
import { TARGETS, type TargetName } from '../project/projectFiles.ts';
import { STORES, type StoreName } from '../project/storeFiles.ts';
import { RUNNERS, type RunnerName } from '../project/testRunner.ts';
import { type AllowOutside, accessOf, contractArgument, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly install: boolean;
  readonly packageManager?: Manager;
  readonly test: RunnerName;
  readonly store?: StoreName;
  readonly target?: TargetName;
  readonly force?: true;
}

export function init(io: CommandIo): Command {
  return new StubwrightCommand('init')
    .summary('write a service for a contract')
    .description(
      'Writes a service for a contract: generated types, a mocked handler and a test for each operation, ' +
        'and the files of the project. Then installs its packages.',
    )
    .addArgument(contractArgument())
    .argument('[dir]', 'folder of the service', '.')
    .addOption(
      new Option(
        '--package-manager <name>',
        'by default pnpm in its workspaces, else the one that runs this command',
      ).choices(MANAGERS),
    )
    .addOption(
      new Option('--test <runner>', 'test runner').choices(Object.keys(RUNNERS)).default('node'),
    )
    .addOption(new Option('--store <database>', 'keep data with @stubwright/store').choices(STORES))
    .addOption(
      new Option('--target <runtime>', 'also write the entry of another runtime')
        .choices(TARGETS)
        // A store needs files or connections of a process.
        .conflicts('store'),
    )
    .option('--no-install', 'do not install packages')
    .with('force', 'allowOutside', 'quiet')
    .action((contract: string, dir: string, options: Options) =>
      writeProject(contract, dir, options, io),
    )
    .withExamples('init openapi.yaml my-service');
}

async function writeProject(
  contract: string,
  dir: string,
  { install, packageManager, test, store, target, force, ...options }: Options,
  io: CommandIo,
): Promise<void> {
  const { newProject } = await import('../project/newProject.ts');
  const { expectNone, replaceFiles } = await import('../project/writeFiles.ts');
  const access = { ...accessOf(io, options), env: io.env, packageManager, test, store, target };
  const { files, operations, notes, workplace } = await newProject(contract, dir, access);
  const written = new Map([...files].map(([path, content]) => [join(dir, path), content]));
  if (!force) expectNone(written.keys(), io.cwd);
  replaceFiles(written, { ...io, replacesLinks: true });
  for (const line of notes) io.stderr.write(`${line}\n`);
  const cwd = resolve(io.cwd, dir);
  await reportErrors({ ...access, cwd }, io);
  if (install) {
    const { installPackages } = await import('../project/packageManager.ts');
    await installPackages({ ...io, manager: workplace.manager, cwd });
  }
  const cd = dir === '.' ? '' : `cd ${dir} && `;
  io.note(
    `${files.size} files, ${countOf(operations, 'operation')}\nNext: ${cd}make start, make test\n`,
  );
}

/** Reports the errors that `make check` of the project will report; the packages of its lint rules are not installed yet. */
async function reportErrors(access: Access, { stderr }: CommandIo): Promise<void> {
  const { runChecks } = await import('../check/runChecks.ts');
  const { lineOf } = await import('../output/formats.ts');
  const { findings } = await runChecks(CONTRACT, { ...access, structLevel: 'error' });
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  const shown = errors.slice(0, MAX_ERRORS).map((error) => `${lineOf(error)}\n`);
  const left = errors.length - shown.length;
  stderr.write(shown.join('') + (left > 0 ? `and ${left} more\n` : ''));
  stderr.write(`make check fails: ${CONTRACT} has ${countOf(errors.length, 'error')}\n`);
}

const MAX_ERRORS = 20;
