// What a command found at a location of a contract, as one line.

import type { Finding } from '@stubwright/contract';
import { positionText, printable, textOf } from '@stubwright/contract/printable';
import type { Styles } from './styles.ts';

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
