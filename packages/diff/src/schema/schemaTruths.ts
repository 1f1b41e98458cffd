// Whether a value satisfies a schema, as far as a combination decides it.
import { isObject, type Node, type Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import {
  type Assignment,
  and,
  type Choice,
  containsCount,
  emptyIn,
  exactlyOne,
  isEqual,
  isType,
  not,
  or,
  type Truth,
  typeIn,
  within,
  withinBound,
} from './domain.ts';
import { satisfies } from './facts.ts';
import { isValid } from './membership.ts';
import { HAS_OTHERS, memberTruths, propertyTruth, restOfItems } from './memberTruths.ts';
import { APPLIES, isLocal, OPAQUE, opaqueIn, PARTS } from './modelled.ts';
import { isAnnotation } from './trivial.ts';

/** @param at the location of the value */
export function schemaTruth(schema: Schema, at: string, assignment: Assignment): Truth {
  if (schema.written === true) return true;
  if (schema.isNever) return false;
  const values = assignment.valuesAt(at);
  if (values?.kind === 'constant' && Array.isArray(values.value)) {
    return isValid(schema, 'request', values.value);
  }
  if (schema.isNullable && isType(values, 'null') !== false) {
    return values === undefined ? undefined : true;
  }
  return and([
    () => typeTruth(schema, values),
    () => keywordTruth(schema, at, assignment),
    () => propertyTruth(schema, at, assignment),
    () => and(appliedTruths(schema, at, assignment)),
    () => and(partTruths(schema, at, assignment)),
  ]);
}

function typeTruth({ types }: Schema, values: Choice | undefined): Truth {
  if (types === undefined) return true;
  if (values === undefined) return undefined;
  const type = typeIn(values);
  if (type === 'integer') return types.has('integer') || types.has('number');
  return types.has(type === 'nonInteger' ? 'number' : type);
}

type Assertion = readonly [name: string, keyword: Readonly<Record<string, unknown>>];

const assertions = new WeakMap<Schema, readonly Assertion[]>();

/** @returns the keywords that apply to the value itself, each as an object of its own */
function assertionsIn(schema: Schema): readonly Assertion[] {
  const known =
    assertions.get(schema) ??
    Object.entries(schema.keywords)
      .filter(([name]) => !isAnnotation(name) && !PARTS.has(name))
      .map(([name, value]) => [name, { [name]: value }] as const);
  assertions.set(schema, known);
  return known;
}

function keywordTruth(schema: Schema, at: string, assignment: Assignment): Truth {
  const own = assertionsIn(schema);
  if (own.length === 0) return true;
  const values = assignment.valuesAt(at);
  if (values === undefined) return undefined;
  const type = typeIn(values);
  return and(
    own.map(([name, keyword]) => () => {
      const value: unknown = keyword[name];
      if (name === 'const') return isListed(values, [value], at, assignment);
      if (name === 'enum') return isListed(values, value as unknown[], at, assignment);
      if (name === 'required' || name === 'dependentRequired') return true;
      if (!APPLIES[name]!(type)) return true;
      const truth = withinBound(name, value, values) ?? satisfies(values, keyword);
      return truth ?? assignment.fact(at, keyword);
    }),
  );
}

/** @returns the truths of the subschemas that apply to the same value */
function appliedTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const each = (inner: Schema) => () => assignment.schema(inner, at);
  const list = (keyword: 'allOf' | 'anyOf' | 'oneOf') => schema.list(keyword).map(each);
  const negated = schema.child('not');
  return [
    ...list('allOf'),
    ...(schema.ref === undefined ? [] : [each(schema.ref)]),
    ...(schema.has('anyOf') ? [() => or(list('anyOf'))] : []),
    ...(schema.has('oneOf') ? [() => exactlyOne(list('oneOf'))] : []),
    ...(negated === undefined ? [] : [() => not(assignment.schema(negated, at))]),
    ...conditionTruths(schema, at, assignment),
  ];
}

function conditionTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const condition = schema.child('if');
  if (condition === undefined) return [];
  const [then, otherwise] = [schema.child('then'), schema.child('else')];
  const isMet = () => assignment.schema(condition, at);
  const truthOf = (inner: Schema | undefined) => () =>
    inner === undefined ? true : assignment.schema(inner, at);
  return [() => or([() => not(isMet()), truthOf(then)]), () => or([isMet, truthOf(otherwise)])];
}

/** @returns the truths of keywords that apply to objects or to arrays only */
function partTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const dependent = [...schema.map('dependentSchemas')].map(([name, inner]) => () => {
    return or([() => not(assignment.has(at, name)), () => assignment.schema(inner, at)]);
  });
  const ofType = (type: 'object' | 'array', truths: readonly (() => Truth)[]) => () => {
    const applies = isType(assignment.valuesAt(at), type);
    return applies === true ? and(truths) : not(applies);
  };
  const [ofObject, ofArray] = [
    [...dependent, ...memberTruths(schema, at, assignment)],
    itemTruths(schema, at, assignment),
  ];
  return [
    ...(ofObject.length === 0 ? [] : [ofType('object', ofObject)]),
    ...(ofArray.length === 0 ? [] : [ofType('array', ofArray)]),
  ];
}

/** @returns the truths of the keywords of items and of their number */
function itemTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const restricted = opaqueIn(schema, OPAQUE.items);
  const rest = restOfItems(schema);
  return [
    ...(restricted === undefined ? [] : [() => assignment.fact(at, restricted)]),
    ...(rest === undefined ? [] : [() => assignment.fact(at, rest)]),
    ...containsTruths(schema, at, assignment),
  ];
}

function containsTruths(schema: Schema, at: string, assignment: Assignment): (() => Truth)[] {
  const count = containsCount(schema);
  if (count === undefined) return [];
  const { min, max, isOfAll } = count;
  const longEnough = min > 0 ? [lengthTruth('minItems', min, at, assignment)] : [];
  if (isOfAll)
    return [
      ...longEnough,
      ...(max < Infinity ? [lengthTruth('maxItems', max, at, assignment)] : []),
    ];
  if (max < min) return [() => false];
  if (min === 0 && max === Infinity) return [];
  const { written } = schema.child('contains')!;
  const opaque = opaqueIn(schema, OPAQUE.contains)!;
  // Without an item that matches, no item matches.
  const isNone = () => assignment.fact(at, { items: { not: written }, names: [] });
  const isMatched = () => {
    if (!isLocal(written)) return assignment.fact(at, opaque);
    if (max === 0) return isNone();
    return min === 1 && max === Infinity ? not(isNone()) : assignment.fact(at, opaque);
  };
  return [() => and([...longEnough, isMatched])];
}

function lengthTruth(
  keyword: 'minItems' | 'maxItems',
  limit: number,
  at: string,
  assignment: Assignment,
): () => Truth {
  return () => {
    const values = assignment.valuesAt(at);
    return values && withinBound(keyword, limit, values);
  };
}

/** @param values at the location */
function isListed(
  values: Choice,
  listed: readonly unknown[],
  at: string,
  assignment: Assignment,
): Truth {
  if (values.kind === 'constant') return listed.some((value) => isEqual(value, values.value));
  const empty = emptyIn(values);
  if (empty !== undefined) return listed.some((value) => canonical(value) === empty);
  // The constants of other types are choices of their own.
  switch (typeIn(values)) {
    case 'object':
      return or(listed.filter(isObject).map((node) => () => isThisObject(node, at, assignment)));
    case 'array':
      return or(
        listed.filter(Array.isArray).map((list) => () => isThisArray(list, at, assignment)),
      );
    default:
      return false;
  }
}

/** True if the array at a location has these items. */
function isThisArray(items: readonly unknown[], at: string, assignment: Assignment): Truth {
  const prefixItems = items.map((item) => ({ enum: [item] }));
  return and([
    lengthTruth('minItems', items.length, at, assignment),
    lengthTruth('maxItems', items.length, at, assignment),
    () => assignment.fact(at, { prefixItems, names: [] }),
  ]);
}

/** True if the object at a location has these properties and no others. */
function isThisObject(object: Node, at: string, assignment: Assignment): Truth {
  const names = new Set([...assignment.namesAt(at), ...Object.keys(object)]);
  const isEqualIn = (name: string) => {
    const values = assignment.valuesAt(within(at, name));
    if (values === undefined || values.kind === 'absent') return values && false;
    return isListed(values, [object[name]], within(at, name), assignment);
  };
  return and([
    ...[...names].map((name) => () => {
      return Object.hasOwn(object, name) ? isEqualIn(name) : not(assignment.has(at, name));
    }),
    () => not(assignment.fact(at, HAS_OTHERS)),
  ]);
}
