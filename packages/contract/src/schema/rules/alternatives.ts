// enum, const, oneOf and anyOf. A key that separates alternatives leaves one of them to test.

import { stringifyJson } from '../../json/json.ts';
import type { AlternativeKeys } from '../discriminator.ts';
import { scalarKey } from '../evaluation.ts';
import { isBinary, type Schema } from '../model.ts';
import { has } from './objects.ts';
import {
  assertion,
  forEach,
  type JsonObject,
  KINDS,
  type Kind,
  kindOf,
  type Rule,
} from './rule.ts';

export interface Alternative {
  readonly rule: Rule;
  readonly traits: () => Traits;
}

export interface AlternativesOptions {
  /** True for oneOf. */
  readonly isExclusive: boolean;
  readonly discriminator?: AlternativeKeys | undefined;
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
  const keyword = isExclusive ? 'oneOf' : 'anyOf';
  const message = isExclusive
    ? 'expected to match exactly one schema in oneOf'
    : 'expected to match a schema in anyOf';
  /** @returns the alternatives whose errors matter; undefined for all */
  const chosenFor = (value: unknown): readonly Rule[] | undefined => {
    if (discriminator !== undefined && kindOf(value) === 'object') {
      const named = namedBy(discriminator, alternatives, value as JsonObject);
      return named && [named];
    }
    const candidates = candidatesOf(value);
    return candidates.length === 1 ? candidates : undefined;
  };
  /** @returns the property that selects an alternative; undefined if none does, or for no object */
  const selectorFor = (value: unknown): string | undefined => {
    if (kindOf(value) !== 'object') return undefined;
    const isSeparating = known?.key !== undefined && known.others.length === 0;
    return discriminator?.property ?? (isSeparating ? known!.key : undefined);
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
      const { evaluation } = errors;
      const count = candidatesOf(value).filter((rule) => rule.test(value, evaluation)).length;
      if (count > 0 && count <= most) return;
      const one = count > 0 ? [] : chosenFor(value);
      const selector = one === undefined ? selectorFor(value) : undefined;
      const keys = selector === undefined ? [] : valuesOf(selector, alternatives, discriminator);
      if (selector !== undefined && keys.length > 0) {
        const part = (value as JsonObject)[selector];
        errors.add(at.child(selector), { keyword, message: expectedOf(keys), value: part });
        return;
      }
      const chosen = one ?? alternatives.map(({ rule }) => rule);
      for (const rule of chosen) rule.report(value, at, errors);
      if (chosen.length !== 1) errors.add(at, { keyword, message, value });
    },
    mark(value, marks) {
      for (const rule of candidatesOf(value)) {
        if (rule.test(value, marks.evaluation)) rule.mark?.(value, marks);
      }
    },
  };
}

/** @returns the values of the property that select an alternative */
function valuesOf(
  property: string,
  alternatives: readonly Alternative[],
  discriminator: AlternativeKeys | undefined,
): readonly unknown[] {
  const names = Object.entries(discriminator?.indexes ?? {});
  const namesOf = (at: number) => names.flatMap(([name, index]) => (index === at ? [name] : []));
  const all = alternatives.flatMap(({ traits }, at) => traits().keys.get(property) ?? namesOf(at));
  return [...new Set(all)];
}

function namedBy(
  { property, indexes, fallback }: AlternativeKeys,
  alternatives: readonly Alternative[],
  value: JsonObject,
): Rule | undefined {
  const name = value[property];
  const isKnown = typeof name === 'string' && Object.hasOwn(indexes, name);
  const index = isKnown ? indexes[name] : fallback;
  return index === undefined ? undefined : alternatives[index]!.rule;
}

function selectionOf(alternatives: readonly Alternative[]): Selection {
  const all = alternatives.map(({ rule, traits }) => ({ rule, ...traits() }));
  const rulesOf = (some: typeof all) => some.map(({ rule }) => rule);
  const byKind = forEach(KINDS, (kind) => rulesOf(all.filter(({ kinds }) => kinds.has(kind))));
  const objects = all.filter(({ kinds }) => kinds.has('object'));
  const counts = new Map<string, number>();
  for (const name of objects.flatMap(({ keys }) => [...keys.keys()])) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [key] = [...counts].reduce<[string | undefined, number]>(
    (most, count) => (count[1] > most[1] ? count : most),
    [undefined, 1],
  );
  if (key === undefined) return { byKind, key, byValue: new Map(), others: [] };
  const isOpen = ({ keys }: Traits) => !keys.has(key);
  const values = new Set(objects.flatMap(({ keys }) => (keys.get(key) ?? []).map(scalarKey)));
  const allows = (traits: Traits, value: string) =>
    isOpen(traits) || traits.keys.get(key)!.some((each) => scalarKey(each) === value);
  return {
    byKind,
    key,
    byValue: new Map(
      [...values].map((value) => [value, rulesOf(objects.filter((each) => allows(each, value)))]),
    ),
    others: rulesOf(objects.filter(isOpen)),
  };
}

export interface Traits {
  /** The kinds of values that may be valid. */
  readonly kinds: ReadonlySet<Kind>;
  /** Required properties that allow only these scalars. */
  readonly keys: ReadonlyMap<string, readonly unknown[]>;
}

const ALL = new Set(KINDS);
const NONE: Traits = { kinds: new Set(), keys: new Map() };

/** @param hidden names that need not be present @returns the traits of an alternative */
export function traitsOf(schema: Schema, hidden: ReadonlySet<string>): Traits {
  if (schema.isNever) return NONE;
  const conjuncts = conjunctsOf(schema);
  const kinds = conjuncts.map(kindsIn).reduce(intersect);
  const names = conjuncts.flatMap(({ keywords }): string[] => keywords.required ?? []);
  const keys = new Map<string, readonly unknown[]>();
  for (const name of names.filter((required) => !hidden.has(required))) {
    const allowed = conjuncts
      .flatMap((conjunct) => conjunct.map('properties').get(name) ?? [])
      .flatMap((property) => (property.isNullable ? [] : conjunctsOf(property)))
      .map(enumOrConst)
      .find((values) => values?.every(isScalar));
    if (allowed !== undefined) keys.set(name, allowed);
  }
  return { kinds, keys };
}

/** @returns the schema and those that it includes by references and `allOf`; null is valid for a nullable one */
function conjunctsOf(schema: Schema, seen = new Set<Schema>()): Schema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const targets = [schema.ref ?? [], schema.dynamicRefs.length > 1 ? [] : schema.dynamicRefs];
  const inner = [...targets.flat(), ...schema.list('allOf')];
  return [schema, ...inner.flatMap((part) => (part.isNullable ? [] : conjunctsOf(part, seen)))];
}

/** @returns the values that `enum` and `const` allow; undefined without these keywords */
export function enumOrConst({ keywords }: Schema): readonly unknown[] | undefined {
  const { enum: values, const: value } = keywords;
  if (value === undefined) return Array.isArray(values) ? values : undefined;
  const key = valueKey(value);
  return Array.isArray(values) ? values.filter((other) => valueKey(other) === key) : [value];
}

function kindsIn(schema: Schema): ReadonlySet<Kind> {
  // A file is a string or a Blob.
  const types = isBinary(schema) ? undefined : schema.types;
  const ofTypes = types && Array.from(types, (type) => (type === 'integer' ? 'number' : type));
  return intersect(new Set(ofTypes ?? ALL), new Set(enumOrConst(schema)?.map(kindOf) ?? ALL));
}

function intersect(a: ReadonlySet<Kind>, b: ReadonlySet<Kind>): ReadonlySet<Kind> {
  return new Set([...a].filter((kind) => b.has(kind)));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** The rule of `enum` and `const`. A value longer than the longest allowed one is not read to its end. */
export function allowedRule(values: readonly unknown[]): Rule {
  const keys = new Set(values.map(valueKey));
  const longest = Math.max(0, ...Array.from(keys, (key) => key.length));
  const strings = new Set(values.filter((value) => typeof value === 'string'));
  return assertion(
    values.length === 1 ? 'const' : 'enum',
    (value) =>
      typeof value === 'string' ? strings.has(value) : keys.has(keyWithin(value, longest) ?? ''),
    expectedOf(values),
  );
}

/** @returns the message of a value that is none of the allowed ones */
function expectedOf(values: readonly unknown[]): string {
  return `expected ${values.length === 1 ? stringifyJson(values[0]) : `one of ${stringifyJson(values)}`}`;
}

/** @returns a string that is equal for equal JSON values only; undefined if it is longer than `limit` */
function keyWithin(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && value.length > limit) return undefined;
    const key = scalarKey(value);
    return key.length > limit ? undefined : key;
  }
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  if ((names ?? (value as unknown[])).length > limit) return undefined;
  let key = names === undefined ? '[' : '{';
  const add = (name: string, part: unknown): boolean => {
    const inner = keyWithin(part, limit - key.length - name.length);
    if (inner !== undefined) key += `${name}${inner},`;
    return inner !== undefined;
  };
  const isWhole =
    names === undefined
      ? (value as unknown[]).every((item) => add('', item))
      : names
          .sort()
          .every((name) =>
            add(`${JSON.stringify(name)}:`, (value as Record<string, unknown>)[name]),
          );
  return isWhole && key.length <= limit ? key : undefined;
}

/** @returns a string that is equal for equal JSON values only */
export function valueKey(value: unknown): string {
  return keyWithin(value, Number.POSITIVE_INFINITY)!;
}
