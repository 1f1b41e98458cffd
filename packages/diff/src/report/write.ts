// Writes the changes between two contracts in each format.
import { type FindingFormat, findingsAs, type RuleHelp } from '@stubwright/contract/formats';
import { printable } from '@stubwright/contract/printable';
import type { Change } from '../rules/rules.ts';
import { SEVERITIES } from '../rules/severity.ts';
import { type ComparedContracts, type DiffReport, findingsOf } from './changeFinding.ts';
import { escaped } from './changelogPage.ts';
import { type Documents, excerptOf } from './excerpt.ts';
import {
  type Cause,
  causeFindings,
  causesOf,
  changeFindings,
  countsOf,
  isQuiet,
  type LocationsOfBoth,
  placesOf,
  type ReportOptions,
  reportOf,
  type SummaryTable,
  summariesOf,
  trafficLines,
  whatOf,
} from './report.ts';

export type DiffFormat = 'text' | 'markdown' | 'json' | FindingFormat;

/** What the formats are made of: a `Comparison`. */
export interface WrittenComparison {
  /** The most severe first. */
  readonly changes: readonly Change[];
  readonly contracts: ComparedContracts;
  readonly locations: LocationsOfBoth;
  readonly names: { readonly before: string; readonly after: string };
}

export interface WriteOptions extends ReportOptions {
  /** True to write changes of documentation as text and Markdown too. */
  readonly isDocumented?: boolean | undefined;
  /** False for text without its last line, which counts the changes. */
  readonly isSummarized?: boolean | undefined;
  /** Appended to the counts. */
  readonly note?: string | undefined;
  /** The folder of the files in the repository, for GitHub's annotations and SARIF. */
  readonly folder?: string | undefined;
}

/**
 * JSON, SARIF and JUnit have every change; text, Markdown and GitHub's annotations have one entry for each cause.
 *
 * @returns text that ends with a line break, or is empty
 */
export function reportAs(
  comparison: WrittenComparison,
  format: DiffFormat,
  options: WriteOptions = {},
): string {
  const { changes, contracts, locations } = comparison;
  if (format === 'json') {
    const severity = changes[0]?.severity ?? 'none';
    return jsonText({ severity, changes: findingsOf(changes, locations, contracts) });
  }
  if (format === 'text' || format === 'markdown') return readable(comparison, format, options);
  const findings = format === 'github' ? causeFindings : changeFindings;
  const { folder } = options;
  return findingsAs(format, findings(changes, locations), {
    command: 'diff',
    help: ruleHelp,
    folder,
  });
}

/** @returns the report of two equal contracts, which need not be read */
export function reportNoChanges(
  names: WrittenComparison['names'],
  format: DiffFormat,
  options: WriteOptions = {},
): string {
  if (format === 'json') return jsonText({ severity: 'none', changes: [] });
  if (format === 'text' || format === 'markdown') {
    const { summary } = summarized([], names, options);
    if (format === 'markdown') return markdownOf([], summary);
    return options.isSummarized === false ? '' : `${summary}\n`;
  }
  return findingsAs(format, [], { command: 'diff', help: ruleHelp });
}

function jsonText(report: DiffReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function readable(
  { changes, contracts, locations, names }: WrittenComparison,
  format: 'text' | 'markdown',
  options: WriteOptions,
): string {
  const { isSummarized = true } = options;
  const { shown, summary } = summarized(changes, names, options);
  if (format === 'markdown') {
    const { before, after } = contracts;
    return markdownOf(shown, summary, { before: before.document, after: after.document });
  }
  const report = shown.length > 0 ? `${reportOf(shown, locations, options)}\n\n` : '';
  return isSummarized ? `${report}${summary}\n` : report;
}

function summarized(
  changes: readonly Change[],
  { before, after }: WrittenComparison['names'],
  { isDocumented = false, note = '' }: WriteOptions,
) {
  const shown = isDocumented ? changes : changes.filter((change) => !isQuiet(change));
  const hidden = changes.length - shown.length;
  const hiddenNote = hidden === 0 ? '' : `, ${hidden} of documentation (--all)`;
  return { shown, summary: `${after} since ${before}: ${countsOf(shown)}${hiddenNote}${note}` };
}

/** The package has no site of its own. */
const HELP = 'https://www.npmjs.com/package/@stubwright/cli';

/** @returns the description of a rule and its page */
export function ruleHelp(rule: string): RuleHelp {
  const words = rule.replaceAll('-', ' ');
  return { description: `${words[0]!.toUpperCase()}${words.slice(1)}.`, uri: HELP };
}

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
    for (const item of own.map((cause) => itemOf(cause, documents))) {
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
  const used = trafficLines(cause).map((trafficLine) => `; ${trafficLine}`);
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
