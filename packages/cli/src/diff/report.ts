// Formats changes for the terminal.
import { type Change, type Example, SEVERITIES, type Severity } from './change.ts';
import type { SourceLocations } from './sourceLocations.ts';

/** The source locations of both contracts. */
export interface LocationsOfBoth {
  readonly before: SourceLocations;
  readonly after: SourceLocations;
}

const MAX_OPERATIONS = 3;
const INDENT = ' '.repeat(12);

/** @returns for each change: operation and part, effect, an example, location in both files */
export function reportOf(changes: readonly Change[], locations: LocationsOfBoth): string {
  return changes
    .map(({ rule, severity, what, effect, before, after, example, ...where }) =>
      [
        `${severity.padEnd(INDENT.length)}${whereOf(where)}`,
        `${INDENT}${what}: ${effect} (${rule})`,
        ...(example === undefined ? [] : [`${INDENT}${exampleLine(example)}`]),
        `${INDENT}${locations.before.at(before)} -> ${locations.after.at(after)}`,
      ].join('\n'),
    )
    .join('\n\n');
}

function exampleLine({ value, error }: Example): string {
  return `example: ${value} is refused: ${error}`;
}

/** @returns `POST /toys  request body /tag`; of many operations the first ones and a count */
export function whereOf({ operations, part }: Pick<Change, 'operations' | 'part'>): string {
  const left = operations.length - MAX_OPERATIONS;
  const named = operations.slice(0, MAX_OPERATIONS).join(', ');
  const all = left > 0 ? `${named} and ${left} more` : named;
  return [all || (part === '' ? 'the whole contract' : ''), part].filter(Boolean).join('  ');
}

/** @returns `1 breaking, 0 risky, 3 compatible` */
export function countsOf(changes: readonly Change[]): string {
  const count = (severity: Severity) => changes.filter((each) => each.severity === severity).length;
  return SEVERITIES.map((severity) => `${count(severity)} ${severity}`).join(', ');
}
