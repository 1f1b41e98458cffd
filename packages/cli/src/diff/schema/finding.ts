// A difference between two schemas, and what it means in a request and in an answer: a client sends
// the one and reads the other, so that each rule turns around.
import { DOCUMENTATION_ONLY, type Verdict } from '../change.ts';

export type Direction = 'request' | 'response';

/**
 * How a difference at a place moves the whole: `flipped` under `not`, `unclear` under `if`, where a
 * narrower part may make a wider whole.
 */
export type Sense = 'same' | 'flipped' | 'unclear';

/** What clients meet, by direction. */
type Told = Readonly<Record<Direction, readonly [Verdict, string]>>;

export type Finding = {
  readonly what: string;
  readonly before: string;
  readonly after: string;
} & (
  | { readonly kind: 'narrower' | 'wider'; readonly values: string }
  | { readonly kind: 'other'; readonly lost: string; readonly gained: string }
  | { readonly kind: 'told'; readonly told: Told }
);

export interface Judged {
  readonly verdict: Verdict;
  readonly what: string;
  readonly effect: string;
  readonly before: string;
  readonly after: string;
}

/** What documents a schema and nothing else. */
export const FOR_READERS: Told = {
  request: ['compatible', DOCUMENTATION_ONLY],
  response: ['compatible', DOCUMENTATION_ONLY],
};

export function judge(finding: Finding, direction: Direction, sense: Sense): Judged {
  const { what, before, after } = finding;
  const [verdict, effect] = meaning(finding, direction, sense);
  return { verdict, what, effect, before, after };
}

function meaning(finding: Finding, direction: Direction, sense: Sense): readonly [Verdict, string] {
  if (finding.kind === 'told') {
    const [verdict, effect] = finding.told[direction];
    return sense === 'same' || verdict === 'compatible' ? [verdict, effect] : unclear();
  }
  if (sense === 'unclear') return unclear();
  const isFlipped = sense === 'flipped';
  if (finding.kind === 'other') {
    const { lost, gained } = finding;
    const [fewer, more] = isFlipped ? [gained, lost] : [lost, gained];
    return direction === 'request' ? refused(fewer) : surprising(more);
  }
  const { kind, values } = finding;
  if ((kind === 'narrower') !== isFlipped) {
    return direction === 'request'
      ? refused(values)
      : ['compatible', `Clients never get ${values} any more.`];
  }
  return direction === 'request'
    ? ['compatible', `Clients may now send ${values}.`]
    : surprising(values);
}

function refused(values: string): readonly [Verdict, string] {
  return ['breaking', `Clients that send ${values} are refused.`];
}

function surprising(values: string): readonly [Verdict, string] {
  return ['breaking', `Clients may get ${values}, which the older contract rules out.`];
}

function unclear(): readonly [Verdict, string] {
  return ['risky', 'Whether more or less is accepted now depends on the rest; look at it.'];
}
