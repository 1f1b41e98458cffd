// `stubwright init`: writes a service for a contract.
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption } from './allowOutside.ts';

interface Options extends AllowOutside {
  readonly install: boolean;
}

export function init(io: CommandIo): Command {
  return new Command('init')
    .summary('write a service for a contract')
    .description(
      'Writes a service for a contract: generated types, a mocked handler and a test for each operation, ' +
        'and the files of the project. Then installs its packages. Never overwrites a file.',
    )
    .argument('[contract]', 'path of the contract', CONTRACT)
    .argument('[dir]', 'folder of the service', '.')
    .option('--no-install', 'do not install packages')
    .addOption(allowOutsideOption())
    .action(async (contract: string, dir: string, { install, ...options }: Options) => {
      const { newProject } = await import('../project/init.ts');
      const { writeNew } = await import('../project/writeNew.ts');
      const { files, operations, untested } = await newProject(
        contract,
        dir,
        accessOf(io, options),
      );
      writeNew(dir, files, io);
      for (const line of untested) io.stderr.write(`${line}\n`);
      if (install) {
        const { installPackages } = await import('../project/install.ts');
        await installPackages({ ...io, cwd: resolve(io.cwd, dir) });
      }
      const cd = dir === '.' ? '' : `cd ${dir} && `;
      io.stdout.write(
        `${files.size} files, ${operations} operations\nNext: ${cd}make start, make test\n`,
      );
    });
}
