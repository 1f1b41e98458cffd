// The options of several commands.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Access } from '../loading/containment.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { DATE_TYPES, INT64_TYPES } from '../types/valueTypes.ts';
import { FileOption } from './inputs.ts';

export interface AllowOutside {
  readonly allowOutside?: readonly string[];
  readonly overlay?: readonly string[];
  readonly quiet?: true | undefined;
}

const VARIABLE = 'CONTRACT_FOLDERS';

/** May be repeated; the environment variable separates folders by commas. */
export function allowOutsideOption(): Option {
  return new Option(
    '--allow-outside <dir>',
    `folder that references may lead to, besides the contract's folder or repository; repeatable (env: ${VARIABLE})`,
  ).argParser((text: string, before: readonly string[] = []) => [...before, ...listed(text)]);
}

/** Of the commands that read one contract. */
export function overlayOption(): Option {
  return new FileOption(
    '--overlay <file>',
    'OpenAPI overlay to apply to the contract, after those of stubwright.yaml; repeatable',
  ).argParser((file: string, files: readonly string[] = []) => [...files, file]);
}

/**
 * @param contract that the overlays apply to
 * @throws {Error} for a path that is no folder
 */
export function accessOf(
  { cwd, env, sources, stderr }: CommandIo,
  { allowOutside, overlay = [], quiet }: AllowOutside,
  contract: string = CONTRACT,
): Required<Omit<Access, 'sources' | 'isRelease'>> & Pick<Access, 'sources'> {
  const folders = allowOutside ?? listed(env[VARIABLE] ?? '');
  for (const folder of folders) {
    const kind = statSync(resolve(cwd, folder), { throwIfNoEntry: false });
    if (!kind?.isDirectory()) throw new Error(`--allow-outside: got ${folder}, expected a folder`);
  }
  const overlays = { contract, files: overlay };
  const reported = new Set<string>();
  // A command may read a contract twice.
  const onOverlayWarning = (warning: string) => {
    if (!quiet && !reported.has(warning)) stderr.write(`${warning}\n`);
    reported.add(warning);
  };
  return {
    ...{ cwd, allowOutside: folders, overlays, onOverlayWarning },
    ...(sources && { sources }),
  };
}

function listed(text: string): string[] {
  return text.split(',').filter(Boolean);
}

export function trafficOption(shown: string): Option {
  return new FileOption(
    '--traffic <file>',
    `recorded requests${shown} HAR, Pact, or an entry a line; repeatable`,
  ).argParser((file: string, files: readonly string[] = []) => [...files, file]);
}

export function callerOption(): Option {
  return new Option('--caller <header>', 'the header of recorded requests that names their caller');
}

export function checkOption(): Option {
  return new Option(
    '--check',
    'write nothing; list the files that differ, and exit with 1 if there are any',
  );
}

/** A command overwrites the files that it has written, without it. */
export function forceOption(): Option {
  return new Option('--force', 'also overwrite files that this command has not written');
}

/** @throws {Error} for a name that npm refuses for a new package */
export function npmName(option: string, text: string): string {
  const isName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(text);
  if (isName && text.length <= LONGEST_NAME) return text;
  throw new Error(
    `${option}: got ${JSON.stringify(text)}, expected a name that npm accepts, such as toys-client or @me/toys`,
  );
}

const LONGEST_NAME = 214;

/** Of commands that report their results. */
export function quietOption(): Option {
  return new Option('-q, --quiet', 'print errors only');
}

/** The pages of the commands; in the repository, where the manifest has no address, their folder. */
function pageOf(name: string): string {
  const { homepage } = createRequire(import.meta.url)('@stubwright/cli/package.json');
  return `${homepage === undefined ? '' : `${homepage}/blob/main/`}docs/stubwright/${name}.md`;
}

/** Ends the help of a command with examples and its page. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ stubwright ${example}`).join('\n');
  const title = examples.length === 1 ? 'Example' : 'Examples';
  const page = pageOf(`commands/${command.name()}`);
  return command.addHelpText('after', `\n${title}:\n${lines}\n\nMore: ${page}`);
}

/** Where the rules of `check` are described. */
export function rulesPage(): string {
  return pageOf('rules');
}

/** The package.json of a client keeps the types of dates and integers. */
export function datesOption(): Option {
  return new Option(
    '--dates <type>',
    'of date-time and date in the client: string by default, or as generated before',
  ).choices(DATE_TYPES);
}

export function int64Option(): Option {
  return new Option(
    '--int64 <type>',
    'of int64 in the client: bigint by default, or as generated before',
  ).choices(INT64_TYPES);
}
