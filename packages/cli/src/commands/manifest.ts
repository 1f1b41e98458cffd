// `stubwright manifest`: lists the constructs of a contract, and which of them the engine enforces.
import { Command } from 'commander';
import { FailedCheck } from '../output/failedCheck.ts';
import { type Format, formatOption } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption } from './allowOutside.ts';

interface Options extends AllowOutside {
  readonly check?: true;
  readonly format: Format;
}

export function manifest(io: CommandIo): Command {
  return new Command('manifest')
    .summary('list the constructs of a contract, and which of them the engine enforces')
    .argument('[contract]', 'path of the contract', CONTRACT)
    .option(
      '--check',
      'list only what is not enforced and not named under x-not-enforced; exit with 1 if there is any',
    )
    .addOption(allowOutsideOption())
    .addOption(formatOption(['text', 'json']))
    .action(async (contract: string, { check, format, ...options }: Options) => {
      const { loadContractFiles } = await import('../loading/load.ts');
      const { manifestOf, unexplained } = await import('../manifest/manifest.ts');
      const { definition } = await loadContractFiles(contract, accessOf(io, options));
      const all = manifestOf(definition);
      const rows = check ? unexplained(definition, all) : all;
      if (format === 'json')
        io.stdout.write(`${JSON.stringify({ contract, constructs: rows }, null, 2)}\n`);
      else {
        for (const { kind, construct, count, enforcement } of rows) {
          io.stdout.write(
            `${kind.padEnd(20)} ${construct.padEnd(36)} ${String(count).padStart(6)}  ${enforcement}\n`,
          );
        }
      }
      if (check && rows.length > 0) throw new FailedCheck();
    });
}
