// The option `--format`, and the stream that a format is written to.
import { relative } from 'node:path';
import type { Writable } from 'node:stream';
import type { FindingFormat } from '@stubwright/contract/formats';
import { Option } from 'commander';
import type { CommandIo } from './io.ts';

export const FORMATS = ['text', 'json', 'github', 'sarif', 'junit'] as const;
export type Format = 'text' | 'json' | FindingFormat;

export function formatOption<Choice extends string>(
  choices: readonly (Choice | Format)[] = FORMATS,
): Option {
  return new Option('--format <format>', 'output format').choices(choices).default('text');
}

export function jsonOption(): Option {
  return new Option('--json', 'short form of --format json').implies({ format: 'json' });
}

/** @returns the stream for a report; workflow commands escape the text of the contract themselves */
export function outputFor(io: CommandIo, format: string): Writable {
  return format === 'github' ? io.raw : io.stdout;
}

/** @returns the working directory in the checkout of GitHub Actions; `''` for its root, and elsewhere */
export function folderInRepository({ cwd, env }: CommandIo): string {
  const root = env['GITHUB_WORKSPACE'];
  const folder = root ? relative(root, cwd).replaceAll('\\', '/') : '';
  return folder.startsWith('..') ? '' : folder;
}
