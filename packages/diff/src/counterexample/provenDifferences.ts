// Adds the value of a counterexample to the differences between two schemas.
import { type Direction, stringifyJson, unescapeToken } from '@stubwright/contract';
import type { ChangeExample } from '../rules/change.ts';
import { directedChange } from '../rules/rules.ts';
import type { Difference } from '../schema/comparison.ts';
import type { Holders } from './carrier.ts';
import type { Counterexample } from './search.ts';

/** A difference, and the value that proves it breaking. */
export interface ProvenDifference
  extends Omit<Difference, 'values' | 'concernsValues' | 'isDecided'> {
  readonly example?: ChangeExample;
}

const MAX_VALUE_LENGTH = 120;
const MAX_ERROR_LENGTH = 200;

/**
 * @param differences all of them below breaking
 * @param holders of the schemas
 * @returns the differences; breaking is the risky one nearest to the refused part, else an additional one
 */
export function withCounterexample(
  differences: readonly ProvenDifference[],
  counterexample: Counterexample,
  direction: Direction,
  holders: Holders,
): ProvenDifference[] {
  const { path } = counterexample;
  // A token of a pointer may be an index.
  const segments = path
    .split('/')
    .slice(1)
    .map((each) => (/^\d+$/.test(each) ? null : unescapeToken(each)));
  const { rule, what, ...outcome } = directedChange('values-changed', { direction });
  const proof = { ...outcome, example: exampleOf(counterexample) };
  const nearest = differences
    .filter((each) => each.severity === 'risky' && areRelated(each.segments, segments))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (nearest !== undefined) {
    return differences.map((each) => (each === nearest ? { ...each, ...proof } : each));
  }
  const before = `${holders.before.value.pointer}/schema`;
  const after = `${holders.after.value.pointer}/schema`;
  return [{ ...proof, rule, what, path, segments, before, after }, ...differences];
}

function exampleOf({ value, message }: Counterexample): ChangeExample {
  return {
    value: shortened(stringifyJson(value), MAX_VALUE_LENGTH),
    error: shortened(message, MAX_ERROR_LENGTH),
  };
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

type Segments = readonly (string | null)[];

/** True if one part contains the other. */
function areRelated(one: Segments, other: Segments): boolean {
  return one.every((each, at) => {
    const own = other[at];
    return own === undefined || own === null || each === null || own === each;
  });
}
