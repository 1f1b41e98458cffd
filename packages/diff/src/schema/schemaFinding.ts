// A difference between two schemas, its severity for requests and responses, and the pairs to compare next.
import type { Direction } from '@stubwright/contract';
import { type ChangeMessage, change } from '../rules/rules.ts';
import { type FindingRule, refused, type SchemaEffect, unexpected } from '../rules/schemaRule.ts';
import { SCHEMA_RULES, type SchemaRuleId } from '../rules/schemaRules.ts';
import type { Severity } from '../rules/severity.ts';
import type { Term } from './term.ts';
import type { Wire } from './wire.ts';

/**
 * The effect of a narrower subschema on the schema around it: narrower (`same`), wider (`inverted`,
 * under `not`), either (`unclear`, under `if`), or none (`covered`: another branch allows the values).
 */
export type Polarity = 'same' | 'inverted' | 'unclear' | 'covered';

/** JSON pointers into the two documents. */
interface At {
  readonly before: string;
  readonly after: string;
}

export type SchemaFinding = At & {
  readonly rule: SchemaRuleId | 'documentation-changed';
  readonly what: string;
  readonly facts?: ChangeMessage['facts'];
  /** True if automata have shown that values became valid or invalid. */
  readonly isDecided?: boolean;
} & SchemaEffect;

type FactsOf<Row> = Row extends FindingRule<infer Facts> ? Facts : never;

/** @param facts from which the rule builds its texts */
export function findingOf<Id extends SchemaRuleId>(
  rule: Id,
  facts: FactsOf<(typeof SCHEMA_RULES)[Id]>,
  { before, after }: At,
): SchemaFinding {
  const { what, effect }: FindingRule<typeof facts> = SCHEMA_RULES[rule] as never;
  return { rule, what: what(facts), ...effect(facts), facts: { ...facts }, before, after };
}

/** @returns the finding of a keyword that no client depends on */
export function documentationFinding(keyword: string, at: At): SchemaFinding {
  const { severity, ...message } = change('documentation-changed', { keyword });
  const outcome = [severity, message.effect] as const;
  const outcomes = { request: outcome, response: outcome };
  return { rule: 'documentation-changed', what: message.what, kind: 'explicit', outcomes, ...at };
}

export interface ClassifiedFinding extends ChangeMessage, At {
  /** True if some values became valid or invalid, as far as the keywords show. */
  readonly concernsValues: boolean;
  readonly isDecided: boolean;
}

export function classifyFinding(
  finding: SchemaFinding,
  direction: Direction,
  polarity: Polarity,
): ClassifiedFinding {
  const { what, facts = {}, before, after } = finding;
  const rule =
    finding.rule === 'documentation-changed'
      ? finding.rule
      : (`${direction}-${finding.rule}` as const);
  const [severity, effect] = severityAndEffect(finding, direction, polarity);
  const concernsValues = finding.kind !== 'explicit' && !finding.rule.startsWith('discriminator-');
  const isDecided = finding.isDecided === true;
  return { concernsValues, isDecided, rule, severity, what, facts, effect, before, after };
}

function severityAndEffect(
  finding: SchemaFinding,
  direction: Direction,
  polarity: Polarity,
): readonly [Severity, string] {
  if (finding.kind === 'explicit') {
    const [severity, effect] = finding.outcomes[direction];
    if (polarity === 'same' || severity === 'compatible') return [severity, effect];
  }
  if (polarity === 'covered') return ['compatible', 'Another alternative allows the same values.'];
  if (finding.kind === 'explicit') return unclear();
  if (polarity === 'unclear') return unclear();
  const isInverted = polarity === 'inverted';
  if (finding.kind === 'other') {
    const { lost, gained } = finding;
    const [fewer, more] = isInverted ? [gained, lost] : [lost, gained];
    return ['breaking', direction === 'request' ? refused(fewer) : unexpected(more)];
  }
  const { kind, values } = finding;
  if ((kind === 'narrower') !== isInverted) {
    return direction === 'request'
      ? ['breaking', refused(values)]
      : ['compatible', `Clients no longer receive ${values}.`];
  }
  return direction === 'request'
    ? ['compatible', `Clients may now send ${values}.`]
    : ['breaking', unexpected(values)];
}

function unclear(): readonly [Severity, string] {
  return [
    'risky',
    'Whether more or fewer values are valid depends on other keywords; review this change.',
  ];
}

/** The subschemas of two schemas under the same keyword. */
export interface SubschemaPair {
  /** Relative to the schemas: `/tag`. */
  readonly path: string;
  /** The name of a property; null for items and for other properties; undefined for the same value. */
  readonly segment?: string | null;
  readonly before: Term;
  readonly after: Term;
  readonly polarity: Polarity;
  /** True for a required property and for items: their default never applies. */
  readonly isAlwaysSent?: boolean;
  /** That of the schemas by default. */
  readonly wire?: Wire;
}

/** The findings of keywords, and the pairs of subschemas to compare next. */
export interface SubschemaComparison {
  readonly findings: SchemaFinding[];
  readonly subschemas: SubschemaPair[];
}
