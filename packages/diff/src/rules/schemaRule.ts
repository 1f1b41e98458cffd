// The kinds of rules of schemas: what a difference does to the values that clients send and receive.
import type { Direction } from '@stubwright/contract';
import type { Severity } from './severity.ts';

/** Severity and effect by direction. */
export type Outcomes = Readonly<Record<Direction, readonly [Severity, string]>>;

/** A narrower schema refuses values, a wider one allows more: the severity follows from the direction. */
export type SchemaEffect =
  | { readonly kind: 'narrower' | 'wider'; readonly values: string }
  | { readonly kind: 'other'; readonly lost: string; readonly gained: string }
  | { readonly kind: 'explicit'; readonly outcomes: Outcomes };

export interface FindingRule<Facts> {
  readonly what: (facts: Facts) => string;
  readonly effect: (facts: Facts) => SchemaEffect;
}

/** For the type of the facts. */
export function ruleOf<Facts>(row: FindingRule<Facts>): FindingRule<Facts> {
  return row;
}

type Text<Facts> = (facts: Facts) => string;

export function narrower<Facts>(what: Text<Facts>, values: Text<Facts>): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'narrower', values: values(facts) }) };
}

export function wider<Facts>(what: Text<Facts>, values: Text<Facts>): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'wider', values: values(facts) }) };
}

export function other<Facts>(
  what: Text<Facts>,
  lost: Text<Facts>,
  gained: Text<Facts>,
): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'other', lost: lost(facts), gained: gained(facts) }) };
}

export function explicit<Facts>(
  what: Text<Facts>,
  outcomes: (facts: Facts) => Outcomes,
): FindingRule<Facts> {
  return { what, effect: (facts) => ({ kind: 'explicit', outcomes: outcomes(facts) }) };
}

export function always(severity: Severity, effect: string): Outcomes {
  return { request: [severity, effect], response: [severity, effect] };
}

/** @returns `ID-narrowed` and `ID-widened` */
export function narrowedAndWidened<Id extends string, Facts>(
  id: Id,
  what: Text<Facts>,
  values: Text<Facts>,
) {
  return {
    [`${id}-narrowed`]: narrower(what, values),
    [`${id}-widened`]: wider(what, values),
  } as Record<`${Id}-narrowed` | `${Id}-widened`, FindingRule<Facts>>;
}

export function refused(values: string): string {
  return `Clients that send ${values} are refused.`;
}

export function unexpected(values: string): string {
  return `Clients may get ${values}, which the older contract does not allow.`;
}
