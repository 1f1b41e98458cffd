// `stubwright replay`: sends the recorded requests of releases to a service, and checks the responses.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { FailedCheck } from '../output/errors.ts';
import { type Format, writeFindings } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { type AllowOutside, accessOf, FileOption, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly contract: string;
  readonly folder: string;
  readonly release?: string;
  readonly versions?: true;
  readonly header?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly database?: string;
  readonly situations?: string;
  readonly format: Format;
}

export function replay(io: CommandIo): Command {
  return new StubwrightCommand('replay')
    .summary('send the requests of every release to a service, and check the responses')
    .description(
      'Sends the recorded requests of every release to a service, and fails on each response that violates the contract of its release.',
    )
    .argument('[url]', 'root of the service; by default src/service.ts is started in this process')
    .option('--release <version>', 'replay one release')
    .option('--versions', 'replay the served versions alone, and check their converters')
    .option(
      '--header <header>',
      "'Name: value', sent with each request, and instead of recorded credentials; repeatable",
      headerOption,
    )
    .option('--token <token>', 'instead of the placeholder in recorded credentials')
    .option(
      '--database <url>',
      'DATABASE_URL of the service that is started; by default that of a new SQLite file, which is removed',
    )
    .addOption(
      new FileOption(
        '--situations <module>',
        'exports startIn, which starts the service in the situation that a conversation names',
      ),
    )
    .addOption(
      new FileOption('--contract <file>', 'path of the current contract').default(CONTRACT),
    )
    .option('--folder <dir>', 'of the releases', RELEASED)
    .with('format', 'json', 'allowOutside')
    .action((url: string | undefined, options: Options) => replayAndReport(url, options, io))
    .withExamples('replay', 'replay http://127.0.0.1:3000 --release 1.0.0');
}

async function replayAndReport(
  url: string | undefined,
  { header, situations, format, ...options }: Options,
  io: CommandIo,
): Promise<void> {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Error(`URL: got ${JSON.stringify(url)}, expected an http or https URL`);
  }
  const { replayFindings, replayReleases } = await import('../replay/replay.ts');
  const { cwd, allowOutside } = accessOf(io, options);
  const startIn = situations && (await startInOf(situations, cwd));
  const { report, ...result } = await replayReleases({
    ...options,
    ...{ cwd, allowOutside, env: io.env, url, headers: header },
    ...(startIn && { startIn }),
  });
  if (format === 'json') io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else if (format === 'text') io.stdout.write(`${report}\n`);
  else await writeFindings(replayFindings(result), format, 'replay', io);
  if (!result.passed) throw new FailedCheck();
}

async function startInOf(path: string, cwd = '') {
  const module = await import(pathToFileURL(resolve(cwd, path)).href);
  if (typeof module.startIn === 'function') return module.startIn;
  throw new Error(`--situations: got ${path}, expected a module that exports startIn`);
}

function headerOption(text: string, before: Readonly<Record<string, string>> = {}) {
  const [, name, value] = /^([^:\s]+):[ \t]*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error("--header: expected 'Name: value'");
  return { ...before, [name]: value! };
}
