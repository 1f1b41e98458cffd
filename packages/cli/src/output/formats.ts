// The formats of reports: the option `--format`, its stream, and findings as lines.

import { relative } from 'node:path';
import type { Writable } from 'node:stream';
import type { Finding } from '@stubwright/contract';
import type { FindingFormat } from '@stubwright/contract/formats';
import { positionText, printable, textOf } from '@stubwright/contract/printable';
import { Option } from 'commander';
import type { CommandIo } from './io.ts';
import type { Styles } from './terminal.ts';

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

/** Writes findings for another program. */
export async function writeFindings(
  findings: readonly Finding[],
  format: FindingFormat,
  command: string,
  io: CommandIo,
): Promise<void> {
  const { findingsAs } = await import('@stubwright/contract/formats');
  const text = findingsAs(format, findings, { command, folder: folderInRepository(io) });
  outputFor(io, format).write(text);
}

/** @returns the working directory in the checkout of GitHub Actions; `''` for its root, and elsewhere */
export function folderInRepository({ cwd, env }: CommandIo): string {
  const root = env['GITHUB_WORKSPACE'];
  const folder = root ? relative(root, cwd).replaceAll('\\', '/') : '';
  return folder.startsWith('..') ? '' : folder;
}

/** @returns `file:line:column  message  (rule)`; a warning has `warning: ` before the message */
export function lineOf({ level, rule, message, position }: Finding): string {
  const text = `${level === 'error' ? '' : `${level}: `}${message}  (${rule})`;
  return printable(textOf({ position, message: text }));
}

/** Of a rule with more findings, only some are listed. */
const MAX_LISTED = 10;
const LISTED = 3;

interface LinesOptions {
  /** True to list each finding. */
  readonly isWhole?: boolean | undefined;
  readonly paint: Styles['paint'];
}

/** @returns the lines of findings in their order; then those of each rule with many, and their count */
export function findingLines(
  findings: readonly Finding[],
  { isWhole = false, paint }: LinesOptions,
): string[] {
  const groups = Map.groupBy(findings, ({ level, rule }) => `${level} ${rule}`);
  const many = [...groups.values()].filter((group) => !isWhole && group.length > MAX_LISTED);
  const grouped = new Set(many.flat());
  const line = (finding: Finding) => styledLine(finding, paint);
  return [
    ...findings.filter((finding) => !grouped.has(finding)).map(line),
    ...many.flatMap((group) => {
      const { level, rule } = group[0]!;
      const count = `and ${group.length - LISTED} more ${level}s of ${rule}; --all lists them`;
      return [...group.slice(0, LISTED).map(line), paint('dim', printable(count))];
    }),
  ];
}

function styledLine(finding: Finding, paint: Styles['paint']): string {
  const { level, rule, message, position } = finding;
  if (position === undefined) return lineOf(finding);
  const isError = level === 'error';
  return [
    paint('bold', printable(positionText(position))),
    '  ',
    isError ? paint('red', printable(message)) : paint('yellow', `${level}: `) + printable(message),
    paint('dim', printable(`  (${rule})`)),
  ].join('');
}
