// `stubwright serve-version`: keeps a release served, by converters.

import { type Command, Option } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, FileOption, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly until?: string;
  readonly path?: string;
  readonly contract: string;
  readonly list?: true;
  readonly force?: true;
}

export function serveVersion(io: CommandIo): Command {
  return new StubwrightCommand('serve-version')
    .summary('keep a release served by converters, with their types')
    .description(
      'Adds the version to `served` in compatibility.yaml, writes its contract and the types of its converters ' +
        'to generated/versions/, and src/versions/VERSION.ts. The compiler lists the converters that are missing.',
    )
    .argument('[version]', 'of a release in test/released/')
    .option('--until <date>', 'the last day on which it is served, such as 2027-06-30')
    .option('--path <path>', 'the path prefix that selects it, such as /v1')
    .addOption(
      new FileOption('--contract <file>', 'path of the current contract').default(CONTRACT),
    )
    .addOption(
      new Option('--list', 'instead, list the served versions and their last days').conflicts([
        'until',
        'path',
      ]),
    )
    .with('force', 'allowOutside', 'overlay')
    .action((version: string | undefined, options: Options) => serveOrList(version, options, io))
    .withExamples('serve-version 1.0.0 --until 2027-06-30', 'serve-version --list');
}

async function serveOrList(
  version: string | undefined,
  { list, force, until, path, contract, ...options }: Options,
  io: CommandIo,
): Promise<void> {
  const access = accessOf(io, options, contract);
  const write = (lines: readonly string[]) => {
    for (const line of lines) io.stdout.write(`${line}\n`);
  };
  if (list) {
    const { servedEntries, servedList } = await import('../serving/servedVersions.ts');
    return write(servedList(servedEntries(io.cwd), Date.now()));
  }
  if (version === undefined) throw new Error('VERSION: got nothing, expected a release or --list');
  const { writeServedVersion } = await import('../serving/writeServedVersion.ts');
  const { deferSignals } = io;
  write(
    await writeServedVersion(version, contract, { ...access, until, path, force, deferSignals }),
  );
}
