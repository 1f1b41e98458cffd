// Changes of properties that no value of the older contract has, or that every value has.
import { Contract, type Schema } from '@stubwright/contract';
import type { Difference } from './differences.ts';
import { implies } from './implication.ts';

/** Without any of these, a declared property may be there, and an optional one may be absent. */
const RESTRICTING = [
  ...['propertyNames', 'patternProperties', 'maxProperties', 'minProperties', 'const', 'enum'],
  ...['not', 'if', 'anyOf', 'oneOf', 'dependentRequired', 'dependentSchemas'],
  'unevaluatedProperties',
];

/**
 * True for the removal of a property that was never there, or that other keywords still restrict in the same way,
 * and for a required one that always was.
 */
export function isWithoutEffect({ rule, facts, values }: Difference): boolean {
  const { before, after, wire } = values;
  const isRemoved = /^(?:request|response)-property-removed$/.test(rule);
  if (!isRemoved && !rule.endsWith('-required-property-added')) return false;
  if (wire !== 'json') return false;
  if (!isRemoved) return before.some(isRestricting) && implies(before, after);
  const name = String(facts?.['name']);
  const isAbsentIn = (schemas: readonly Schema[]) => implies(schemas, [without(name, schemas[0]!)]);
  if (before.some(isRestricting) && isAbsentIn(before)) return true;
  if (!after.some((each) => mentions(each, name)) || !implies(after, before)) return false;
  // In a request, the value of the property is refused where the newer contract restricts it further.
  return !isAbsentIn(after) && (rule.startsWith('response-') || implies(before, after));
}

/** True if a subschema for the same value names a property: a condition, a branch or a negation. */
function mentions(schema: Schema, name: string): boolean {
  const all = new Set([schema]);
  for (const each of all) for (const inner of each.inPlace) all.add(inner);
  return [...all].some((each) => each.map('properties').has(name));
}

function isRestricting(schema: Schema): boolean {
  return schema.conjuncts.some((each) => RESTRICTING.some((keyword) => each.has(keyword)));
}

/** @returns a schema of the objects without a property, in the version of another schema */
function without(name: string, { model }: Schema): Schema {
  const definition = new Contract({
    openapi: model.definition.isVersion30 ? '3.0.3' : '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: { Without: { not: { type: 'object', required: [name] } } } },
  });
  return definition.schemas.get('Without')!;
}
