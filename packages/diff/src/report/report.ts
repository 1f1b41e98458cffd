// Formats changes for the terminal.

import type { Finding, Position } from '@stubwright/contract';
import { printable } from '@stubwright/contract/printable';
import { type Change, type ChangeExample, partOf } from '../rules/change.ts';
import { countedSeverities, type Severity } from '../rules/severity.ts';
import { type Cause, causesOf, type SummaryTable, summariesOf } from './causes.ts';

/** Where the parts of a contract stand in its files. */
export interface Locations {
  /** @param pointer into the contract @returns its position, or that of its nearest ancestor */
  position(pointer: string): Position | undefined;
  /** @returns the same as `file:line:column`; without a file, a name and the pointer */
  at(pointer: string): string;
}

/** Those of both contracts. */
export interface LocationsOfBoth {
  readonly before: Locations;
  readonly after: Locations;
}

const MAX_OPERATIONS = 3;
const INDENT = ' '.repeat(12);

/** More causes are reported with a summary, and with one line for each. */
const MAX_BLOCKS = 20;

export interface ReportOptions {
  /** The others are counted. */
  readonly maxCauses?: number | undefined;
  /** True to print what each severity rests on. */
  readonly isExplained?: boolean | undefined;
  /** Marks the severity of a change with a colour. */
  readonly paint?:
    | ((colour: 'red' | 'yellow' | 'green' | 'dim', text: string) => string)
    | undefined;
}

const COLOURS = {
  breaking: 'red',
  converted: 'green',
  risky: 'yellow',
  compatible: 'dim',
} as const;
type Paint = NonNullable<ReportOptions['paint']>;
const unpainted: Paint = (_, text) => text;

/** @returns the causes of the changes, each with its locations; of many, a summary and a line for each */
export function reportOf(
  changes: readonly Change[],
  locations: LocationsOfBoth,
  { maxCauses = Number.POSITIVE_INFINITY, ...options }: ReportOptions = {},
): string {
  const causes = causesOf(changes);
  const shown = causes.slice(0, maxCauses);
  const left = causes.length - shown.length;
  const parts =
    causes.length <= MAX_BLOCKS
      ? shown.map((cause) => blockOf(cause, locations, options))
      : [
          ...summariesOf(causes).map(tableOf),
          shown.map((cause) => lineOf(cause, locations, options)).join('\n'),
        ];
  return [...parts, ...(left > 0 ? [`and ${left} more`] : [])].join('\n\n');
}

/** Operation and part, effect, an example, locations in both files. */
function blockOf(cause: Cause, locations: LocationsOfBoth, options: ReportOptions): string {
  const { isExplained = false, paint = unpainted } = options;
  const { severity, effect, example } = cause.first;
  const rule = ruleIn(cause, isExplained);
  const at = cause.changes.map(
    ({ before, after }) => `${locations.before.at(before)} -> ${locations.after.at(after)}`,
  );
  return [
    `${paint(COLOURS[severity], severity.padEnd(INDENT.length))}${placesOf(cause)}`,
    `${INDENT}${whatOf(cause)}: ${effect} (${rule})`,
    ...(example === undefined ? [] : [`${INDENT}${exampleLine(example)}`]),
    ...trafficLines(cause).map((line) => `${INDENT}${line}`),
    `${INDENT}${some([...new Set(at)], `\n${INDENT}`)}`,
  ].join('\n');
}

/** @returns what recorded requests say about the changes of a cause */
export function trafficLines({ changes }: Cause): string[] {
  const lines = [...new Set(changes.flatMap(({ traffic }) => traffic?.text ?? []))];
  const left = lines.length - MAX_OPERATIONS;
  return left > 1 ? [...lines.slice(0, MAX_OPERATIONS), `and ${left} more`] : lines;
}

/** @returns the change itself; of the values of one enum the first ones, and a count */
export function whatOf({ texts }: Cause): string {
  return some(texts, ', ');
}

function ruleIn({ first: { rule, by = 'rule' } }: Cause, isExplained: boolean): string {
  return isExplained ? `${rule}, by ${by}` : rule;
}

/** The change comes first; of its operations the first is named. */
function lineOf(cause: Cause, locations: LocationsOfBoth, options: ReportOptions): string {
  const { isExplained = false, paint = unpainted } = options;
  const { first, changes } = cause;
  const { severity, effect, after } = first;
  const rule = ruleIn(cause, isExplained);
  const [operation, ...others] = new Set(changes.flatMap(({ operations }) => operations));
  const where = operation === undefined ? first.part : `${operation}  ${partOf(first, operation)}`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const place = where.trim() === '' ? '' : `  [${where.trim()}${more}]`;
  return `${locations.after.at(after)}  ${paint(COLOURS[severity], severity)}  ${whatOf(cause)}: ${effect} (${rule})${place}`;
}

function tableOf({ title, severities, rows, more }: SummaryTable): string {
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length)) + 2;
  const line = (name: string, cells: readonly unknown[]) =>
    name.padEnd(width) + cells.map((cell) => String(cell).padStart(INDENT.length)).join('');
  return [
    line(title, severities),
    ...rows.map(({ name, counts }) => line(printable(name), counts)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}

/** @returns the first locations of a cause, and a count */
export function placesOf({ changes }: Cause): string {
  return some([...new Set(changes.map(whereOf))], '; ');
}

function exampleLine({ value, error }: ChangeExample): string {
  return `example: ${value} is refused: ${error}`;
}

/** @returns `POST /toys  request body /tag`; of many operations or parts the first ones and a count */
export function whereOf(change: Pick<Change, 'operations' | 'part' | 'otherParts'>): string {
  const { operations, part, otherParts = {} } = change;
  if (operations.length === 0) return part === '' ? 'the whole contract' : part;
  const byPart = Map.groupBy(operations, (operation) => otherParts[operation] ?? part);
  const places = [...byPart].map(([each, named]) =>
    [some(named, ', '), each].filter(Boolean).join('  '),
  );
  return some(places, '; ');
}

function some(items: readonly string[], separator: string): string {
  const left = items.length - MAX_OPERATIONS;
  const named = items.slice(0, MAX_OPERATIONS).join(separator);
  return left > 0 ? `${named} and ${left} more` : named;
}

/** @returns `1 breaking, 0 risky, 3 compatible` */
export function countsOf(changes: readonly Change[]): string {
  const count = (severity: Severity) =>
    changes.filter((change) => change.severity === severity).length;
  return countedSeverities(changes)
    .map((severity) => `${count(severity)} ${severity}`)
    .join(', ');
}

const LEVELS = {
  breaking: 'error',
  converted: 'note',
  risky: 'warning',
  compatible: 'note',
} as const;

/** @returns one finding per change, at its location in the newer contract */
export function changeFindings(changes: readonly Change[], locations: LocationsOfBoth): Finding[] {
  return changes.map((change) =>
    findingAt(change, whereOf(change), change.what, change.traffic?.text, locations),
  );
}

/** @returns one finding per cause */
export function causeFindings(changes: readonly Change[], locations: LocationsOfBoth): Finding[] {
  return causesOf(changes).map((cause) => {
    const used = trafficLines(cause).join('; ') || undefined;
    return findingAt(cause.first, placesOf(cause), whatOf(cause), used, locations);
  });
}

function findingAt(
  { rule, severity, effect, after, example }: Change,
  where: string,
  what: string,
  used: string | undefined,
  locations: LocationsOfBoth,
): Finding {
  const proof = example === undefined ? '' : ` (${exampleLine(example)})`;
  return {
    level: LEVELS[severity],
    rule,
    message: `${where}: ${what}: ${effect}${proof}${used === undefined ? '' : `; ${used}`}`,
    position: locations.after.position(after),
  };
}
