// Writes the changes between two contracts in each format.
import { type FindingFormat, findingsAs, type RuleHelp } from '@stubwright/contract/formats';
import type { Change } from '../rules/change.ts';
import { isQuiet } from './causes.ts';
import { type ComparedContracts, type DiffReport, findingsOf } from './changeFinding.ts';
import { markdownOf } from './markdown.ts';
import {
  causeFindings,
  changeFindings,
  countsOf,
  type LocationsOfBoth,
  reportOf,
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

export interface WriteOptions {
  /** True to write changes of documentation as text and Markdown too. */
  readonly isDocumented?: boolean | undefined;
  /** Of text; the other causes are counted. */
  readonly maxCauses?: number | undefined;
  /** True for text with what each severity rests on. */
  readonly isExplained?: boolean | undefined;
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
  const { isSummarized = true, maxCauses, isExplained } = options;
  const { shown, summary } = summarized(changes, names, options);
  if (format === 'markdown') {
    const { before, after } = contracts;
    return markdownOf(shown, summary, { before: before.document, after: after.document });
  }
  const report =
    shown.length > 0 ? `${reportOf(shown, locations, { maxCauses, isExplained })}\n\n` : '';
  return isSummarized ? `${report}${summary}\n` : report;
}

function summarized(
  changes: readonly Change[],
  { before, after }: WrittenComparison['names'],
  { isDocumented = false, note = '' }: WriteOptions,
) {
  const shown = isDocumented ? changes : changes.filter((each) => !isQuiet(each));
  const hidden = changes.length - shown.length;
  const hiddenNote = hidden === 0 ? '' : `, ${hidden} of documentation (--all)`;
  return { shown, summary: `${after} since ${before}: ${countsOf(shown)}${hiddenNote}${note}` };
}

/** The package has no site of its own. */
const HELP = 'https://www.npmjs.com/package/@stubwright/cli';

function ruleHelp(rule: string): RuleHelp {
  const words = rule.replaceAll('-', ' ');
  return { description: `${words[0]!.toUpperCase()}${words.slice(1)}.`, uri: HELP };
}
