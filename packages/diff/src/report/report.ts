// Formats changes for the terminal.

import type { Finding, Position } from '@stubwright/contract';
import { printable } from '@stubwright/contract/printable';
import { type Change, type ChangeExample, type ChangeTraffic, partOf } from '../rules/change.ts';
import { SEVERITIES, type Severity } from '../rules/severity.ts';
import { type Cause, causesOf, type SummaryTable, summariesOf } from './causes.ts';

/** Where the parts of a contract stand in its files. */
export interface Locations {
  /** @param pointer into the contract @returns its position, or that of its nearest ancestor */
  position(pointer: string): Position;
  /** @returns the same as `file:line:column` */
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

/** @returns the causes of the changes, each with its locations; of many, a summary and a line for each */
export function reportOf(changes: readonly Change[], locations: LocationsOfBoth): string {
  const causes = causesOf(changes);
  if (causes.length <= MAX_BLOCKS) {
    return causes.map((each) => blockOf(each, locations)).join('\n\n');
  }
  return [
    ...summariesOf(causes).map(tableOf),
    causes.map((each) => lineOf(each, locations)).join('\n'),
  ].join('\n\n');
}

/** Operation and part, effect, an example, locations in both files. */
function blockOf(cause: Cause, locations: LocationsOfBoth): string {
  const { rule, severity, what, effect, example } = cause.first;
  const at = cause.changes.map(
    ({ before, after }) => `${locations.before.at(before)} -> ${locations.after.at(after)}`,
  );
  return [
    `${severity.padEnd(INDENT.length)}${placesOf(cause)}`,
    `${INDENT}${what}: ${effect} (${rule})`,
    ...(example === undefined ? [] : [`${INDENT}${exampleLine(example)}`]),
    ...trafficLines(cause).map((line) => `${INDENT}${line}`),
    `${INDENT}${some(at, `\n${INDENT}`)}`,
  ].join('\n');
}

/** @returns what recorded requests say about the changes of a cause */
export function trafficLines({ changes }: Cause): string[] {
  return [...new Set(changes.flatMap(({ traffic }) => traffic?.text ?? []))];
}

/** The change comes first; of its operations the first is named. */
function lineOf({ first, changes }: Cause, locations: LocationsOfBoth): string {
  const { rule, severity, what, effect, after } = first;
  const [operation, ...others] = new Set(changes.flatMap(({ operations }) => operations));
  const where = operation === undefined ? first.part : `${operation}  ${partOf(first, operation)}`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const place = where.trim() === '' ? '' : `  [${where.trim()}${more}]`;
  return `${locations.after.at(after)}  ${severity}  ${what}: ${effect} (${rule})${place}`;
}

function tableOf({ title, rows, more }: SummaryTable): string {
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length)) + 2;
  const line = (name: string, cells: readonly unknown[]) =>
    name.padEnd(width) + cells.map((each) => String(each).padStart(INDENT.length)).join('');
  return [
    line(title, SEVERITIES),
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
  const byPart = Map.groupBy(operations, (each) => otherParts[each] ?? part);
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
  const count = (severity: Severity) => changes.filter((each) => each.severity === severity).length;
  return SEVERITIES.map((severity) => `${count(severity)} ${severity}`).join(', ');
}

const LEVELS = { breaking: 'error', risky: 'warning', compatible: 'note' } as const;

/** @returns one finding per change, at its location in the newer contract */
export function changeFindings(changes: readonly Change[], locations: LocationsOfBoth): Finding[] {
  return changes.map(({ rule, severity, what, effect, after, example, traffic, ...where }) => {
    const proof = example === undefined ? '' : ` (${exampleLine(example)})`;
    const used = traffic === undefined ? '' : `; ${traffic.text}`;
    return {
      level: LEVELS[severity],
      rule,
      message: `${whereOf(where)}: ${what}: ${effect}${proof}${used}`,
      position: locations.after.position(after),
    };
  });
}

/** The JSON of `stubwright diff`: one entry for each operation that a change affects. */
export interface DiffReport {
  readonly severity: Severity | 'none';
  /** The most severe first. */
  readonly changes: readonly {
    readonly rule: string;
    readonly severity: Severity;
    /** `POST /toys`; null for the whole contract. */
    readonly operation: string | null;
    /** The part of the operation: `request body /tag`; `''` for all of it. */
    readonly location: string;
    readonly message: string;
    readonly before: JsonLocation;
    readonly after: JsonLocation;
    /** A value that proves the change breaking, or null. */
    readonly example: ChangeExample | null;
    /** Whom recorded requests show it to break; absent without `--traffic`. */
    readonly traffic?: ChangeTraffic;
  }[];
}

export interface JsonLocation extends Position {
  /** JSON pointer into the bundled contract. */
  readonly pointer: string;
}

export function jsonOf(changes: readonly Change[], locations: LocationsOfBoth): DiffReport {
  return {
    severity: changes[0]?.severity ?? 'none',
    changes: changes.flatMap((change) => {
      const { rule, severity, operations, part, what, effect } = change;
      const before = { ...locations.before.position(change.before), pointer: change.before };
      const after = { ...locations.after.position(change.after), pointer: change.after };
      return (operations.length === 0 ? [null] : operations).map((operation) => ({
        rule,
        severity,
        operation,
        location: operation === null ? part : partOf(change, operation),
        message: `${what}: ${effect}`,
        before,
        after,
        example: change.example ?? null,
        ...(change.traffic && { traffic: change.traffic }),
      }));
    }),
  };
}
