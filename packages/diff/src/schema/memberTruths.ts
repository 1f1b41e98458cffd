// Whether properties and unevaluated parts satisfy a schema, as far as a combination decides it.
import { compilePattern, type Schema } from '@stubwright/contract';
import { type Assignment, and, isType, not, or, type Truth, within } from './domain.ts';
import {
  identityOf,
  isLocal,
  type MemberPart,
  memberParts,
  type NameSet,
  OPAQUE,
  opaqueIn,
  Undecided,
} from './modelled.ts';
import type { OtherNames } from './nameFacts.ts';
import { allowsNothing, isTrivial } from './trivial.ts';

/** The object has a property that no schema mentions. */
export const HAS_OTHERS = { hasOthers: true };

/** @returns the names that `propertyNames` lists, or excludes */
export function namesListed(schema: Schema): string[] {
  const names = schema.child('propertyNames');
  return listed(names) ?? listed(negatedIn(names)) ?? [];
}

/** @returns the truths of the keywords of properties that are not in `properties` */
export function memberTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  return [
    ...otherTruths(schema, at, assignment),
    ...unevaluatedTruths(schema, at, assignment),
    ...nameTruths(schema, at, assignment),
    ...countTruths(schema, at, assignment),
  ];
}

function otherTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const patterns = [...schema.map('patternProperties').keys()];
  if (areExcluded(schema)) return excludingTruths(patterns, at, assignment);
  const isClosed = schema.child('additionalProperties')?.isNever === true;
  const parts = memberParts(schema)
    .filter((memberPart) => !isClosed || memberPart.names.matching.length > 0)
    .flatMap((memberPart) => partTruths(memberPart, at, assignment));
  if (!isClosed) return parts;
  const own = schema.map('properties');
  const isAllowed = (name: string) =>
    own.has(name) || patterns.some((pattern) => compilePattern(pattern)?.test(name));
  const allowed = patterns.length === 0 ? undefined : { patterns: patterns.sort() };
  return [...parts, ...namedTruths(at, assignment, { isAllowed, allowed })];
}

function partTruths(
  { schema, names, appliesTo }: MemberPart,
  at: string,
  assignment: Assignment,
): (() => Truth)[] {
  const own = [...assignment.namesAt(at)].filter(appliesTo);
  const hasNone = () => not(assignment.fact(at, HAS_OTHERS));
  return [
    ...own.map((name) => () => memberTruth(schema, at, name, assignment)),
    () => or([hasNone, () => assignment.fact(at, membersFact(schema, names))]),
  ];
}

/** A property is absent or valid. */
function memberTruth(schema: Schema, at: string, name: string, assignment: Assignment): Truth {
  const isPresent = assignment.has(at, name);
  return isPresent === true ? assignment.schema(schema, within(at, name)) : not(isPresent);
}

/** The values of the properties that no schema mentions, of some names. */
function membersFact(schema: Schema, names: NameSet): object {
  return { members: { ...names, schema: identityOf(schema), isLocal: isLocal(schema.written) } };
}

function unevaluatedTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const rest = schema.child('unevaluatedProperties');
  if (rest === undefined || isTrivial(rest)) return [];
  const excluded = evaluatedPatterns(schema);
  const areEvaluated = (name?: string) => () => isEvaluated(schema, at, name, assignment);
  const areAllowed = () => {
    if (!rest.isNever) return assignment.fact(at, membersFact(rest, { matching: [], excluded }));
    return excluded.length > 0 && assignment.fact(at, { otherNames: { patterns: excluded } });
  };
  return [
    ...[...assignment.namesAt(at)].map(
      (name) => () => or([areEvaluated(name), () => memberTruth(rest, at, name, assignment)]),
    ),
    () => or([() => not(assignment.fact(at, HAS_OTHERS)), areEvaluated(), areAllowed]),
  ];
}

/** True if `patternProperties` refuses all names that it matches, and nothing else restricts other names. */
function areExcluded(schema: Schema): boolean {
  const patterns = [...schema.map('patternProperties').values()];
  const rest = schema.child('additionalProperties');
  return (
    patterns.length > 0 && patterns.every(allowsNothing) && (rest === undefined || isTrivial(rest))
  );
}

function nameTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const names = schema.child('propertyNames');
  if (names === undefined || isTrivial(names)) return [];
  const list = allowsNothing(names) ? [] : listed(names);
  if (list !== undefined) {
    return namedTruths(at, assignment, {
      isAllowed: (name) => list.includes(name),
      allowed: undefined,
    });
  }
  const negated = negatedIn(names);
  const excluded = listed(negated);
  if (excluded !== undefined) {
    return excluded.map((name) => () => not(assignment.has(at, name)));
  }
  if (negated !== undefined && restrictionOf(negated) === 'pattern') {
    return excludingTruths([negated.keywords['pattern']], at, assignment);
  }
  const { pattern, minLength = 0, maxLength = Infinity } = names.keywords;
  const isSimple = Object.keys(Object(names.written)).every((name) => NAME_KEYWORDS.test(name));
  const isString = names.types === undefined || names.types.has('string');
  const expression = pattern === undefined ? /(?:)/ : compilePattern(pattern);
  const opaque = opaqueIn(schema, OPAQUE.names)!;
  if (!isSimple || !isString || expression === undefined) {
    return [() => assignment.fact(at, opaque)];
  }
  const isAllowed = (name: string) => {
    const { length } = [...name];
    return expression.test(name) && length >= minLength && length <= maxLength;
  };
  const isPattern = minLength === 0 && maxLength === Infinity;
  const allowed = isPattern ? { patterns: [pattern] } : opaqueOf(names);
  return namedTruths(at, assignment, { isAllowed, allowed });
}

/** @returns the schema under `not` if a schema has no other keyword that restricts names */
function negatedIn(names: Schema | undefined): Schema | undefined {
  if (names === undefined || restrictionOf(names) !== 'not') return undefined;
  return names.child('not');
}

function restrictionOf({ written, types }: Schema): string {
  const keywords = Object.keys(Object(written)).filter((name) => name !== 'type');
  const isString = types === undefined || types.has('string');
  return isString ? keywords.join() : 'type';
}

/** @param patterns match no name */
function excludingTruths(
  patterns: readonly string[],
  at: string,
  assignment: Assignment,
): (() => Truth)[] {
  const expressions = patterns.map((pattern) => compilePattern(pattern));
  const known = expressions.filter((expression) => expression !== undefined);
  const allowed: OtherNames = { patterns: [...patterns].sort(), areExcluded: true };
  if (known.length < expressions.length) return [() => assignment.fact(at, { names: allowed })];
  const isAllowed = (name: string) => !known.some((each) => each.test(name));
  return namedTruths(at, assignment, { isAllowed, allowed });
}

const NAME_KEYWORDS = /^(?:pattern|minLength|maxLength|type)$/;

/** @returns the restriction of other names, with their lengths as a pattern */
function opaqueOf({ keywords }: Schema): object {
  const { pattern, minLength = 0, maxLength = '' } = keywords;
  const length = `^[\\s\\S]{${minLength},${maxLength}}$`;
  return { patterns: pattern === undefined ? [length] : [length, pattern].sort(), areAll: true };
}

interface Names {
  readonly isAllowed: (name: string) => boolean;
  /** What other names satisfy, as a fact; undefined if none is allowed. */
  readonly allowed: object | undefined;
}

function namedTruths(
  at: string,
  assignment: Assignment,
  { isAllowed, allowed }: Names,
): (() => Truth)[] {
  const refused = [...assignment.namesAt(at)].filter((name) => !isAllowed(name));
  const hasNone = () => not(assignment.fact(at, HAS_OTHERS));
  return [
    ...refused.map((name) => () => not(assignment.has(at, name))),
    allowed === undefined
      ? hasNone
      : () => or([hasNone, () => assignment.fact(at, { otherNames: allowed })]),
  ];
}

/** Each name is present or absent, and the number of others is not known. */
function countTruths({ keywords }: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  return (['minProperties', 'maxProperties'] as const).flatMap((keyword) => {
    const limit = Number(keywords[keyword] ?? Number.NaN);
    if (Number.isNaN(limit) || (keyword === 'minProperties' && limit === 0)) return [];
    return [() => countTruth(keyword, limit, at, assignment)];
  });
}

function countTruth(
  keyword: 'minProperties' | 'maxProperties',
  limit: number,
  at: string,
  assignment: Assignment,
): Truth {
  const truths = [...assignment.namesAt(at)].map((name) => assignment.has(at, name));
  const present = truths.filter((truth) => truth === true).length;
  const isMinimum = keyword === 'minProperties';
  if (present >= (isMinimum ? limit : limit + 1)) return isMinimum;
  if (truths.includes(undefined)) return undefined;
  const others = assignment.fact(at, HAS_OTHERS);
  if (others === false) return !isMinimum;
  if (others === undefined) return undefined;
  if (present + 1 >= (isMinimum ? limit : limit + 1)) return isMinimum;
  return assignment.fact(at, { [keyword]: limit });
}

function listed(names: Schema | undefined): string[] | undefined {
  const list: unknown = names?.keywords['enum'] ?? [names?.keywords['const']];
  const isOnly =
    names !== undefined &&
    Object.keys(Object(names.written)).every((name) => /^(?:enum|const|type)$/.test(name));
  const isString = names?.types === undefined || names.types.has('string');
  if (!isOnly || !isString || !Array.isArray(list)) return undefined;
  const strings = list.filter((each) => typeof each === 'string');
  return strings.length === list.length ? strings : undefined;
}

export function propertyTruth(schema: Schema, at: string, assignment: Assignment): Truth {
  const properties = schema.map('properties');
  const required = requiredIn(schema);
  const dependent = dependentIn(schema);
  if (properties.size + required.length + dependent.length === 0) return true;
  const isAnObject = isType(assignment.valuesAt(at), 'object');
  if (isAnObject !== true) return not(isAnObject);
  const has = (name: string) => assignment.has(at, name);
  return and([
    ...required.map((name) => () => has(name)),
    ...dependent.map(
      ([name, others]) =>
        () =>
          or([() => not(has(name)), () => and(others.map((other) => () => has(other)))]),
    ),
    ...[...properties].map(([name, property]) => () => {
      const isPresent = has(name);
      return isPresent === true ? assignment.schema(property, within(at, name)) : not(isPresent);
    }),
  ]);
}

/** @returns the names of `required` */
export function requiredIn({ keywords }: Schema): string[] {
  return strings(keywords['required']);
}

/** @returns the names of `dependentRequired`, each with those that it requires */
export function dependentIn({ keywords }: Schema): [string, string[]][] {
  const entries = Object.entries<unknown>(Object(keywords['dependentRequired']));
  return entries.map(([name, others]) => [name, strings(others)]);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/**
 * @param name undefined for the properties that no schema mentions, apart from those that match a pattern
 * @returns whether another keyword than `unevaluatedProperties` of the schema itself evaluates a property
 */
function isEvaluated(
  schema: Schema,
  at: string,
  name: string | undefined,
  assignment: Assignment,
): Truth {
  if (evaluatesItself(schema, name)) return true;
  const inside = (each: Schema | undefined) => () =>
    each !== undefined &&
    (each.has('unevaluatedProperties') || isEvaluated(each, at, name, assignment));
  const ifValid = (schema: Schema) => () =>
    and([() => assignment.schema(schema, at), inside(schema)]);
  const condition = schema.child('if');
  const [then, otherwise] = [inside(schema.child('then')), inside(schema.child('else'))];
  const isMet = () => condition !== undefined && assignment.schema(condition, at);
  return or([
    ...[...schema.list('allOf'), ...(schema.ref === undefined ? [] : [schema.ref])].map(inside),
    ...[...schema.list('anyOf'), ...schema.list('oneOf')].map(ifValid),
    () => and([isMet, () => or([inside(condition), then])]),
    () => condition !== undefined && and([() => not(isMet()), otherwise]),
    ...[...schema.map('dependentSchemas')].map(
      ([other, schema]) =>
        () =>
          and([() => assignment.has(at, other), inside(schema)]),
    ),
  ]);
}

function evaluatesItself(schema: Schema, name: string | undefined): boolean {
  if (schema.has('additionalProperties')) return true;
  if (name === undefined) return false;
  if (schema.map('properties').has(name)) return true;
  const patterns = [...schema.map('patternProperties').keys()];
  return patterns.some((pattern) => compilePattern(pattern)?.test(name));
}

/** @returns the patterns of the names that a schema evaluates in every object @throws {Undecided} if others evaluate them too */
function evaluatedPatterns(schema: Schema): string[] {
  const always = new Set(alwaysApplied(schema));
  const patternsOf = (schema: Schema) => [...schema.map('patternProperties').keys()];
  if (
    conditionallyApplied(schema).some(
      (schema) => !always.has(schema) && patternsOf(schema).length > 0,
    )
  ) {
    throw new Undecided();
  }
  return [...new Set([...always].flatMap(patternsOf))].sort();
}

const OF_ITEMS = ['items', 'prefixItems', 'contains', 'unevaluatedItems'];

/**
 * @returns the items that `unevaluatedItems` allows, as other keywords write them; undefined without a restriction
 * @throws {Undecided} where the value decides which items are evaluated
 */
export function restOfItems(schema: Schema): object | undefined {
  const rest = schema.child('unevaluatedItems');
  if (rest === undefined || isTrivial(rest)) return undefined;
  const always = new Set(alwaysApplied(schema));
  const others = conditionallyApplied(schema).filter((other) => !always.has(other));
  if (others.some((other) => OF_ITEMS.some((keyword) => other.has(keyword)))) throw new Undecided();
  const isComplete = (each: Schema) =>
    each.has('items') || (each !== schema && each.has('unevaluatedItems'));
  if ([...always].some(isComplete)) return undefined;
  const head = Math.max(...[...always].map((applied) => applied.list('prefixItems').length));
  const contained = [...always].flatMap((applied) => applied.child('contains') ?? []);
  const anyOf = [...contained, rest].map(({ written }) => written);
  if (!isLocal(anyOf)) throw new Undecided();
  const prefixItems = Array.from({ length: head }, () => true);
  return { items: { anyOf }, ...(head > 0 && { prefixItems }), names: [] };
}

/** @returns the schema, and those of `allOf` and `$ref` */
function alwaysApplied(schema: Schema): readonly Schema[] {
  return schema.conjuncts;
}

/** @returns all schemas for the same value, without those under `not` */
function conditionallyApplied(schema: Schema): Schema[] {
  const all = new Set([schema]);
  for (const each of all) {
    const negated = each.child('not');
    for (const inner of each.inPlace) if (inner !== negated) all.add(inner);
  }
  return [...all];
}
