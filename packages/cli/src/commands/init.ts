// `stubwright init`: writes a service for a contract.
import { Command } from 'commander';
import { CONTRACT } from '../project/layout.ts';

export const init = new Command('init')
  .summary('write a service for a contract')
  .description(
    'Writes a service for a contract: generated types, a mocked handler and a test for each operation, ' +
      'and the files of the project. Then installs its packages. Never overwrites a file.',
  )
  .argument('[contract]', 'path of the contract', CONTRACT)
  .argument('[dir]', 'folder of the service', '.')
  .option('--no-install', 'do not install packages')
  .action(async (contract: string, dir: string, { install }: { install: boolean }) => {
    const { newProject } = await import('../project/init.ts');
    const { writeNew } = await import('../project/writeNew.ts');
    const { files, operations, untested } = await newProject(contract, dir);
    writeNew(dir, files);
    for (const line of untested) process.stderr.write(`${line}\n`);
    if (install) (await import('../project/install.ts')).install(dir);
    const cd = dir === '.' ? '' : `cd ${dir} && `;
    process.stdout.write(
      `${files.size} files, ${operations} operations\nNext: ${cd}make start, make test\n`,
    );
  });
