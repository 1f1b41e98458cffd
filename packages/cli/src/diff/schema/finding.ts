// A difference between two schemas, and its severity for requests and responses.
import type { Direction } from 'stubwright/contract';
import { DOCUMENTATION_ONLY, DOCUMENTATION_RULE, type Severity } from '../change.ts';

/**
 * The effect of a narrower subschema on the schema around it: narrower (`same`), wider (`inverted`,
 * under `not`) or either (`unclear`, under `if`).
 */
export type Polarity = 'same' | 'inverted' | 'unclear';

/** Severity and effect by direction. */
type Outcomes = Readonly<Record<Direction, readonly [Severity, string]>>;

export type SchemaFinding = {
  /** Of the rule, without the direction: `max-length-narrowed`. */
  readonly rule: string;
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** True if automata have shown that values became valid or invalid. */
  readonly isDecided?: true;
} & (
  | { readonly kind: 'narrower' | 'wider'; readonly values: string }
  | { readonly kind: 'other'; readonly lost: string; readonly gained: string }
  | { readonly kind: 'explicit'; readonly outcomes: Outcomes }
);

export interface ClassifiedFinding {
  /** True if some values became valid or invalid, as far as the keywords show. */
  readonly concernsValues: boolean;
  readonly isDecided: boolean;
  readonly rule: string;
  readonly severity: Severity;
  readonly what: string;
  readonly effect: string;
  readonly before: string;
  readonly after: string;
}

export const DOCUMENTATION_OUTCOMES: Outcomes = {
  request: ['compatible', DOCUMENTATION_ONLY],
  response: ['compatible', DOCUMENTATION_ONLY],
};

export function classifyFinding(
  finding: SchemaFinding,
  direction: Direction,
  polarity: Polarity,
): ClassifiedFinding {
  const { what, before, after } = finding;
  const isDirected = finding.rule !== DOCUMENTATION_RULE;
  const rule = isDirected ? `${direction}-${finding.rule}` : finding.rule;
  const [severity, effect] = severityAndEffect(finding, direction, polarity);
  const concernsValues = finding.kind !== 'explicit' && !finding.rule.startsWith('discriminator-');
  const isDecided = finding.isDecided === true;
  return { concernsValues, isDecided, rule, severity, what, effect, before, after };
}

function severityAndEffect(
  finding: SchemaFinding,
  direction: Direction,
  polarity: Polarity,
): readonly [Severity, string] {
  if (finding.kind === 'explicit') {
    const [severity, effect] = finding.outcomes[direction];
    return polarity === 'same' || severity === 'compatible' ? [severity, effect] : unclear();
  }
  if (polarity === 'unclear') return unclear();
  const isInverted = polarity === 'inverted';
  if (finding.kind === 'other') {
    const { lost, gained } = finding;
    const [fewer, more] = isInverted ? [gained, lost] : [lost, gained];
    return direction === 'request' ? refused(fewer) : unexpected(more);
  }
  const { kind, values } = finding;
  if ((kind === 'narrower') !== isInverted) {
    return direction === 'request'
      ? refused(values)
      : ['compatible', `Clients no longer receive ${values}.`];
  }
  return direction === 'request'
    ? ['compatible', `Clients may now send ${values}.`]
    : unexpected(values);
}

function refused(values: string): readonly [Severity, string] {
  return ['breaking', `Clients that send ${values} are refused.`];
}

function unexpected(values: string): readonly [Severity, string] {
  return ['breaking', `Clients may get ${values}, which the older contract does not allow.`];
}

function unclear(): readonly [Severity, string] {
  return [
    'risky',
    'Whether more or fewer values are valid depends on other keywords; review this change.',
  ];
}
