// oneOf and anyOf. A key that separates the alternatives leaves one of them to test.
import { scalarKey } from '../evaluation.ts';
import type { SchemaErrors } from '../schemaErrors.ts';
import { has } from './objects.ts';
import { type JsonObject, KINDS, type Kind, kindOf, type Rule } from './rule.ts';
import { isScalar, type Traits } from './traits.ts';

export interface Alternative {
  readonly rule: Rule;
  readonly traits: () => Traits;
}

export interface AlternativesOptions {
  /** True for oneOf. */
  readonly isExclusive: boolean;
  /** The property of a discriminator, and its values: the indexes of the alternatives. */
  readonly discriminator?:
    | { readonly property: string; readonly indexes: Readonly<Record<string, number>> }
    | undefined;
}

/** The alternatives that their traits do not exclude, by kind and by the value of one property. */
interface Selection {
  readonly byKind: Readonly<Record<Kind, readonly Rule[]>>;
  /** The property that separates most alternatives; undefined if there is none. */
  readonly key: string | undefined;
  readonly byValue: ReadonlyMap<string, readonly Rule[]>;
  /** For an object without a known value of the property. */
  readonly others: readonly Rule[];
}

export function alternativesRule(
  alternatives: readonly Alternative[],
  { isExclusive, discriminator }: AlternativesOptions,
): Rule {
  let known: Selection | undefined;
  const candidatesOf = (value: unknown): readonly Rule[] => {
    known ??= selectionOf(alternatives);
    const kind = kindOf(value);
    const { key, byKind, byValue, others } = known;
    if (kind !== 'object' || key === undefined) return byKind[kind];
    const object = value as JsonObject;
    if (!has(object, key) || !isScalar(object[key])) return others;
    return byValue.get(scalarKey(object[key])) ?? others;
  };
  const most = isExclusive ? 1 : Number.POSITIVE_INFINITY;
  const expected = isExclusive
    ? 'expected to match exactly one schema in oneOf'
    : 'expected to match a schema in anyOf';
  /** @returns the alternatives whose errors matter; undefined for all */
  const chosenFor = (value: unknown): readonly Rule[] | undefined => {
    const candidates = candidatesOf(value);
    if (candidates.length === 1) return candidates;
    const named = discriminator && namedBy(discriminator, alternatives, value);
    return named === undefined ? undefined : [named];
  };
  return {
    test(value, evaluation) {
      let count = 0;
      for (const rule of candidatesOf(value)) {
        if (!rule.test(value, evaluation)) continue;
        if (!isExclusive) return true;
        if (++count > 1) return false;
      }
      return count === 1;
    },
    report(value, at, errors) {
      const count = countValid(candidatesOf(value), value, errors);
      if (count > 0 && count <= most) return;
      const chosen = count > 0 ? [] : (chosenFor(value) ?? alternatives.map(({ rule }) => rule));
      for (const rule of chosen) rule.report(value, at, errors);
      if (chosen.length !== 1) errors.add(at, expected, value);
    },
    mark(value, marks) {
      for (const rule of candidatesOf(value)) {
        if (rule.test(value, marks.evaluation)) rule.mark?.(value, marks);
      }
    },
  };
}

function countValid(rules: readonly Rule[], value: unknown, { evaluation }: SchemaErrors): number {
  return rules.filter((rule) => rule.test(value, evaluation)).length;
}

function namedBy(
  { property, indexes }: NonNullable<AlternativesOptions['discriminator']>,
  alternatives: readonly Alternative[],
  value: unknown,
): Rule | undefined {
  if (kindOf(value) !== 'object') return undefined;
  const name = (value as JsonObject)[property];
  if (typeof name !== 'string' || !Object.hasOwn(indexes, name)) return undefined;
  return alternatives[indexes[name]!]?.rule;
}

function selectionOf(alternatives: readonly Alternative[]): Selection {
  const all = alternatives.map(({ rule, traits }) => ({ rule, ...traits() }));
  const byKind = Object.fromEntries(
    KINDS.map((kind) => [kind, all.filter(({ kinds }) => kinds.has(kind)).map(({ rule }) => rule)]),
  ) as Record<Kind, Rule[]>;
  const objects = all.filter(({ kinds }) => kinds.has('object'));
  const counts = new Map<string, number>();
  for (const name of objects.flatMap(({ keys }) => [...keys.keys()])) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [key] = [...counts].reduce<[string | undefined, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [undefined, 1],
  );
  if (key === undefined) return { byKind, key, byValue: new Map(), others: [] };
  const isOpen = ({ keys }: Traits) => !keys.has(key);
  const values = new Set(objects.flatMap(({ keys }) => (keys.get(key) ?? []).map(scalarKey)));
  const allows = (traits: Traits, value: string) =>
    isOpen(traits) || traits.keys.get(key)!.some((each) => scalarKey(each) === value);
  const rulesOf = (some: typeof objects) => some.map(({ rule }) => rule);
  return {
    byKind,
    key,
    byValue: new Map(
      [...values].map((value) => [value, rulesOf(objects.filter((each) => allows(each, value)))]),
    ),
    others: rulesOf(objects.filter(isOpen)),
  };
}
