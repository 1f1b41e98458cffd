// Formats changes as Markdown for the comment of a pull request.
import { printable } from '@stubwright/contract/printable';
import type { Change } from '../rules/change.ts';
import { SEVERITIES } from '../rules/severity.ts';
import { type Cause, causesOf, type SummaryTable, summariesOf } from './causes.ts';
import { escaped } from './changelog.ts';
import { type Documents, excerptOf } from './excerpt.ts';
import { placesOf, trafficLines, whatOf } from './report.ts';

/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_LENGTH = 65_000;
const MAX_TEXT_LENGTH = 2_000;
const MAX_NAME_LENGTH = 200;
const MAX_LINE_LENGTH = 200;

/**
 * @param changes the most severe first
 * @param documents of which breaking changes show the lines
 * @param title a line such as `openapi.yaml since 1.0.0: 1 breaking, 0 risky, 2 compatible`
 * @returns fewer than 65,000 characters; the omitted changes are counted
 */
export function markdownOf(
  changes: readonly Change[],
  title: string,
  documents?: Documents,
): string {
  const causes = causesOf(changes);
  const head = [
    `**${escaped(shortened(printable(title)))}**`,
    ...(causes.length === 0 ? [] : summariesOf(causes).map(tableOf)),
  ].join('\n\n');
  const sections: string[] = [];
  let left = MAX_LENGTH - head.length - 200;
  let omitted = 0;
  for (const severity of SEVERITIES) {
    const own = causes.filter(({ first }) => first.severity === severity);
    const items: string[] = [];
    for (const item of own.map((each) => itemOf(each, documents))) {
      if (omitted === 0 && item.length + 40 < left) {
        items.push(item);
        left -= item.length + 1;
      } else omitted += 1;
    }
    if (items.length > 0) sections.push(`### ${severity}\n\n${items.join('\n')}`);
  }
  const note = omitted === 0 ? [] : [`${omitted} more, which \`stubwright diff\` prints.`];
  return `${[head, ...sections, ...note].join('\n\n')}\n`;
}

function tableOf({ title, severities, rows, more }: SummaryTable): string {
  const lines = rows.map(
    ({ name, counts }) =>
      `| ${escaped(shortened(printable(name), MAX_NAME_LENGTH))} | ${counts.join(' | ')} |`,
  );
  return [
    `| C${title.slice(1)} | ${severities.join(' | ')} |`,
    `|---|${'--:|'.repeat(severities.length)}`,
    ...lines,
    ...(more > 0 ? [`| and ${more} more |${' |'.repeat(severities.length)}`] : []),
  ].join('\n');
}

function itemOf(cause: Cause, documents?: Documents): string {
  const { effect, rule, severity } = cause.first;
  const used = trafficLines(cause).map((each) => `; ${each}`);
  const text = `${shortened(placesOf(cause))}: ${shortened(whatOf(cause))}. ${shortened(effect)}${used.join('')}`;
  const item = `- ${escaped(text)} (${rule})`;
  if (severity !== 'breaking' || documents === undefined) return item;
  const lines = excerptOf(cause.first, documents).map((line) => shortened(line, MAX_LINE_LENGTH));
  return lines.length === 0 ? item : [item, '', ...fenced(lines), ''].join('\n');
}

/** A fence is longer than any in its text. Indented, the block belongs to the item of the list. */
function fenced(lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const longest = Math.max(2, ...runs.map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}diff`, ...lines, fence].map((line) => `  ${line}`);
}

function shortened(text: string, length = MAX_TEXT_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
