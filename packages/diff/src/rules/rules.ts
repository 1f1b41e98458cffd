// The rules of `stubwright diff`: severity, text and effect of each kind of change. docs/stubwright/diff-rules.md lists them.
import type { Direction } from '@stubwright/contract';
import { type ChangeRule, CONTRACT_RULES, DIRECTED_RULES } from './contractRules.ts';
import { type FindingRule, SCHEMA_RULES, type SchemaRuleId } from './schemaRules.ts';
import type { Severity } from './severity.ts';

type ContractRuleId = keyof typeof CONTRACT_RULES;
type DirectedRuleId = keyof typeof DIRECTED_RULES;

/** The stable id of a kind of change. */
export type RuleId = ContractRuleId | `${Direction}-${DirectedRuleId | SchemaRuleId}`;

/** A change without its location. */
export interface ChangeMessage {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** The change itself: `maxLength 20 became 10`. */
  readonly what: string;
  /** From which the texts are made, such as the `name` of a property and the `value` of an enum. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** The effect on clients, a sentence. */
  readonly effect: string;
}

type FactsOf<Row> = Row extends ChangeRule<infer Facts> ? Facts : never;
/** Facts that may be omitted where a rule needs none. */
type Given<Facts> = object extends Facts ? [] : [facts: Facts];

/** @returns the message of a rule whose id has no direction */
export function change<Id extends ContractRuleId>(
  id: Id,
  ...[facts]: Given<FactsOf<(typeof CONTRACT_RULES)[Id]>>
): ChangeMessage {
  return { rule: id, ...evaluated(CONTRACT_RULES[id], facts) };
}

/** @returns the message of a rule of a part that clients send or receive */
export function directedChange<Id extends DirectedRuleId>(
  id: Id,
  facts: FactsOf<(typeof DIRECTED_RULES)[Id]>,
): ChangeMessage {
  return { rule: `${facts.direction}-${id}`, ...evaluated(DIRECTED_RULES[id], facts) };
}

function evaluated({ severity, what, effect }: ChangeRule<never>, facts: unknown) {
  const resolved = <Value extends string>(each: Value | ((facts: never) => Value)): Value =>
    typeof each === 'function' ? each(facts as never) : each;
  return { severity: resolved(severity), what: resolved(what), effect: resolved(effect) };
}

const DIRECTIONS = ['request', 'response'] as const;

/** All rules by id. */
export const RULES = Object.fromEntries([
  ...Object.entries(CONTRACT_RULES),
  ...DIRECTIONS.flatMap((direction) =>
    Object.entries({ ...DIRECTED_RULES, ...SCHEMA_RULES }).map(([id, row]) => [
      `${direction}-${id}`,
      row,
    ]),
  ),
]) as Readonly<Record<RuleId, ChangeRule<never> | FindingRule<never>>>;

export function isRule(id: string): id is RuleId {
  return Object.hasOwn(RULES, id);
}
