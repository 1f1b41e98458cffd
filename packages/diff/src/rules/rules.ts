// The rules of `stubwright diff`: severity, text and effect of each kind of change (docs/stubwright/diff-rules.md),
// and the list that collects changes.
import type { Direction } from '@stubwright/contract';
import { printable } from '@stubwright/contract/printable';
import { type ChangeRule, CONTRACT_RULES } from './contractRules.ts';
import { DIRECTED_RULES } from './directedRules.ts';
import type { FindingRule } from './schemaRule.ts';
import { SCHEMA_RULES, type SchemaRuleId } from './schemaRules.ts';
import { SEVERITIES, type Severity } from './severity.ts';

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

/** A part of an operation, as data. */
export interface ChangedPart {
  /** `request body`, `query parameter limit`; `''` for the whole operation. */
  readonly subject: string;
  readonly mediaType?: string | undefined;
  /** The names of properties; null for items and for other properties. */
  readonly path: readonly (string | null)[];
}

export interface Change extends ChangeMessage {
  /** `POST /toys`; empty for a change of the whole contract. */
  readonly operations: readonly string[];
  /** The part of the operation: `request body /tag`, `query parameter limit`; `''` for all of it. */
  readonly part: string;
  /** The parts of operations in which it differs from `part`. */
  readonly otherParts?: Readonly<Record<string, string>> | undefined;
  /** The same as data, by operation. */
  readonly located?: ReadonlyMap<string, ChangedPart>;
  /** JSON pointers into the two documents; for an absent value, of the nearest ancestor. */
  readonly before: string;
  readonly after: string;
  /** A value that proves the change breaking. */
  readonly example?: ChangeExample | undefined;
  /** The basis of the severity; undefined for a rule alone. */
  readonly by?: DecidedBy | undefined;
  /** Whom it breaks, according to recorded requests; undefined without a recording. */
  readonly traffic?: ChangeTraffic | undefined;
}

/** A rule, a proof that one schema allows no more than another, automata of patterns, or generated values. */
export type DecidedBy = 'rule' | 'implication' | 'automaton' | 'samples';

/** What recorded requests say about a change. */
export interface ChangeTraffic {
  /** `breaks mobile-app (1,204 requests, last 2026-11-20) and 2 other callers` */
  readonly text: string;
  /** True unless enough requests were recorded, and none notices the change. */
  readonly isUsed: boolean;
  readonly callers: readonly {
    readonly caller: string;
    readonly count: number;
    /** RFC 3339. */
    readonly last: string;
  }[];
}

/** A value of one contract that the other refuses. */
export interface ChangeExample {
  /** JSON, shortened. */
  readonly value: string;
  /** `/a expected integer` */
  readonly error: string;
}

/** A change of one operation; `operation` is undefined for the whole contract. */
type OperationChange = Omit<Change, 'operations' | 'otherParts' | 'located'> & {
  readonly location: ChangedPart;
  readonly operation: string | undefined;
};

/** True for a change that no client depends on. */
export function isDocumentation({ rule }: Pick<Change, 'rule'>): boolean {
  return rule === 'documentation-changed';
}

/** For `sort`: the most severe change first. */
export function bySeverity(a: Change, b: Change): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

/** The pointers in the documents as they are written, of those in the compared documents. */
interface OriginalPointers {
  readonly before: (pointer: string) => string;
  readonly after: (pointer: string) => string;
}

/** Deduplicates changes: one that several operations share is listed once, with all of them. */
export class ChangeList {
  /** With the part of each operation. */
  readonly #byKey = new Map<
    string,
    {
      change: Omit<OperationChange, 'operation' | 'location'>;
      parts: Map<string, string>;
      located: Map<string, ChangedPart>;
    }
  >();

  readonly #originalOf: OriginalPointers;

  constructor(originalOf: OriginalPointers) {
    this.#originalOf = originalOf;
  }

  /** Changes are lines of reports: line breaks and control characters of the contracts are escaped. */
  add(added: OperationChange): void {
    const { what, effect, part } = added;
    const operation = added.operation && printable(added.operation);
    const texts = { what: printable(what), effect: printable(effect), part: printable(part) };
    const { operation: _, location, ...change } = { ...added, ...texts };
    const { rule } = change;
    const before = this.#originalOf.before(change.before);
    const after = this.#originalOf.after(change.after);
    const key = JSON.stringify([rule, before, after, change.what, change.effect]);
    let known = this.#byKey.get(key);
    if (known === undefined) {
      known = { change: { ...change, before, after }, parts: new Map(), located: new Map() };
      this.#byKey.set(key, known);
    }
    if (operation !== undefined && !known.parts.has(operation)) {
      known.parts.set(operation, change.part);
      known.located.set(operation, location);
    }
  }

  /** @returns the changes by severity, breaking first, otherwise in the order of `add` */
  sorted(): Change[] {
    const all = [...this.#byKey.values()].map(({ change, parts, located }): Change => {
      const others = [...parts].filter(([, part]) => part !== change.part);
      return {
        ...change,
        operations: [...parts.keys()],
        located,
        ...(others.length > 0 && { otherParts: Object.fromEntries(others) }),
      };
    });
    return all.sort(bySeverity);
  }
}

/** @returns the part of one of the operations of a change */
export function partOf({ part, otherParts }: Change, operation: string): string {
  return otherParts?.[operation] ?? part;
}

/**
 * @param version that stays served
 * @returns the changes, the most severe first; a breaking one that is converted has the severity `converted`
 */
export function convertedChanges(
  changes: readonly Change[],
  version: string,
  isConverted: (change: Change) => boolean,
): Change[] {
  const all = changes.map((change): Change => {
    if (change.severity !== 'breaking' || !isConverted(change)) return change;
    const effect = `${change.effect} Converters serve the clients of ${version}.`;
    return { ...change, severity: 'converted', effect };
  });
  return all.sort(bySeverity);
}
