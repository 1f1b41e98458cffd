// Changes as lines on a terminal.
import type { Change, Verdict } from './change.ts';
import type { Places } from './places.ts';

/** Where changes stand, in both contracts. */
export interface BothPlaces {
  readonly before: Places;
  readonly after: Places;
}

const VERDICTS: readonly Verdict[] = ['breaking', 'risky', 'compatible'];
const MOST_OPERATIONS = 3;
const INDENT = ' '.repeat(12);

/** @returns three lines for each change: where, what it does to clients, the place in both files */
export function reportOf(changes: readonly Change[], places: BothPlaces): string {
  return changes
    .map(({ verdict, what, effect, before, after, ...where }) =>
      [
        `${verdict.padEnd(INDENT.length)}${whereOf(where)}`,
        `${INDENT}${what}: ${effect}`,
        `${INDENT}${places.before.at(before)} -> ${places.after.at(after)}`,
      ].join('\n'),
    )
    .join('\n\n');
}

/** @returns `POST /toys request body /tag`; of many operations the first and how many are left */
export function whereOf({ operations, part }: Pick<Change, 'operations' | 'part'>): string {
  const left = operations.length - MOST_OPERATIONS;
  const named = operations.slice(0, MOST_OPERATIONS).join(', ');
  const all = left > 0 ? `${named} and ${left} more` : named;
  return [all || (part === '' ? 'the whole contract' : ''), part].filter(Boolean).join('  ');
}

/** @returns `1 breaking, 0 risky, 3 compatible` */
export function countsOf(changes: readonly Change[]): string {
  const count = (wanted: Verdict) => changes.filter(({ verdict }) => verdict === wanted).length;
  return VERDICTS.map((verdict) => `${count(verdict)} ${verdict}`).join(', ');
}
