// `stubwright init`: writes a service for a contract.
import { Command } from 'commander';
import type { Access } from '../loading/containment.ts';
import { CONTRACT } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';

interface Options extends Access {
  readonly install: boolean;
}

export const init = new Command('init')
  .summary('write a service for a contract')
  .description(
    'Writes a service for a contract: generated types, a mocked handler and a test for each operation, ' +
      'and the files of the project. Then installs its packages. Never overwrites a file.',
  )
  .argument('[contract]', 'path of the contract', CONTRACT)
  .argument('[dir]', 'folder of the service', '.')
  .addOption(allowOutsideOption())
  .option('--no-install', 'do not install packages')
  .action(async (contract: string, dir: string, { install, ...access }: Options) => {
    const { newProject } = await import('../project/init.ts');
    const { writeNew } = await import('../project/writeNew.ts');
    const { files, operations, untested } = await newProject(contract, dir, access);
    writeNew(dir, files);
    for (const line of untested) process.stderr.write(`${line}\n`);
    if (install) (await import('../project/install.ts')).install(dir);
    const cd = dir === '.' ? '' : `cd ${dir} && `;
    process.stdout.write(
      `${files.size} files, ${operations} operations\nNext: ${cd}make start, make test\n`,
    );
  });
