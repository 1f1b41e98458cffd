// Formats changes for the terminal; folds those with one cause.
import { type Finding, type Position, unescapeToken } from '@stubwright/contract';
import { printable } from '@stubwright/contract/printable';
import { type Change, type ChangeExample, isDocumentation, partOf } from '../rules/rules.ts';
import { countedSeverities, type Severity } from '../rules/severity.ts';

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

/** Changes of one rule and severity; at least one. */
export interface Cause {
  readonly first: Change;
  readonly changes: readonly Change[];
  /** The different texts: several for the values of one enum, and for the properties of one object. */
  readonly texts: readonly string[];
}

/** @returns in the order of the changes */
export function causesOf(changes: readonly Change[]): Cause[] {
  const ofText = ({ rule, severity, what, effect }: Change) =>
    JSON.stringify([rule, severity, what, effect]);
  const ofLocations = (group: readonly Change[]) =>
    JSON.stringify([
      group[0]!.rule,
      group[0]!.severity,
      ...group.map(({ before, after }) => `${before} ${after}`).sort(),
    ]);
  const byText = [...Map.groupBy(changes, ofText).values()];
  return [...Map.groupBy(byText, ofLocations).values()].map((groups) => {
    const all = groups.flat();
    return {
      first: all.find(({ example }) => example !== undefined) ?? all[0]!,
      changes: all,
      texts: groups.map(([first]) => first!.what),
    };
  });
}

/** True for a change of documentation, unless the policy gives it a severity. */
export function isQuiet(change: Change): boolean {
  return isDocumentation(change) && change.severity === 'compatible';
}

/** @returns `schemas Toy` for a change of a component, `/toys` for one of a path, otherwise `document` */
function componentOf({ before, after }: Change): string {
  const [, root, kind, name] = [after, before]
    .map((pointer) => pointer.split('/').map(unescapeToken))
    .sort((one, other) => other.length - one.length)[0]!;
  if (root === 'components' && name !== undefined) return `${kind} ${name}`;
  return root === 'paths' || root === 'webhooks' ? (kind ?? root) : 'document';
}

/** The number of causes by severity. */
interface SummaryRow {
  readonly name: string;
  readonly counts: readonly number[];
}

/** The first rows of a table, and how many are left. */
export interface SummaryTable {
  /** `causes by rule` */
  readonly title: string;
  /** The columns. */
  readonly severities: readonly Severity[];
  readonly rows: readonly SummaryRow[];
  readonly more: number;
}

const MAX_ROWS = 15;

/** @returns the causes by rule and by component, the most severe first */
export function summariesOf(causes: readonly Cause[]): readonly SummaryTable[] {
  const severities = countedSeverities(causes.map(({ first }) => first));
  const summaries = [
    { title: 'causes by rule', rows: rowsOf(causes, severities, ({ rule }) => rule) },
    { title: 'causes by component', rows: rowsOf(causes, severities, componentOf) },
  ];
  return summaries.map(({ title, rows }) => ({
    title,
    severities,
    rows: rows.slice(0, MAX_ROWS),
    more: Math.max(0, rows.length - MAX_ROWS),
  }));
}

function rowsOf(
  causes: readonly Cause[],
  severities: readonly Severity[],
  nameOf: (change: Change) => string,
): SummaryRow[] {
  const rows = Map.groupBy(causes, ({ first }) => nameOf(first));
  const count = (group: readonly Cause[], severity: Severity) =>
    group.filter(({ first }) => first.severity === severity).length;
  return [...rows]
    .map(([name, group]) => ({
      name,
      counts: severities.map((severity) => count(group, severity)),
    }))
    .sort((one, other) => {
      const at = one.counts.findIndex((count, index) => count !== other.counts[index]);
      return at < 0 ? 0 : other.counts[at]! - one.counts[at]!;
    });
}
