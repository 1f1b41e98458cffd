// The parts of a value that `unevaluatedProperties` and `unevaluatedItems` apply to, as far as a combination decides it.
import { compilePattern, type Schema } from '@stubwright/contract';
import type { Assignment } from './assignment.ts';
import { isLocal, Undecided } from './modelled.ts';
import { isTrivial } from './trivial.ts';
import { and, not, or, type Truth } from './truth.ts';

/**
 * @param name undefined for the properties that no schema mentions, apart from those that match a pattern
 * @returns whether another keyword than `unevaluatedProperties` of the schema itself evaluates a property
 */
export function isEvaluated(
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
export function evaluatedPatterns(schema: Schema): string[] {
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
