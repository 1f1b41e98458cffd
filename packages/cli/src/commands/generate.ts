// `stubwright generate`: writes the types and the bundle of a contract.
import { Command } from 'commander';
import { CONTRACT } from '../check/contracts.ts';
import { generate as filesOf, staleFiles, write } from './generated.ts';

export const generate = new Command('generate')
  .summary('write the types and the bundled contract to generated/')
  .argument('[contract]', 'path of the contract', CONTRACT)
  .option('--check', 'write nothing; list the files that differ, and exit with 1 if there are any')
  .action(async (contract: string, { check }: { check?: true }) => {
    const files = await filesOf(contract);
    if (!check) return write(files);
    for (const path of await staleFiles(files)) {
      process.stderr.write(`${path} is stale: generate it again\n`);
      process.exitCode = 1;
    }
  });
