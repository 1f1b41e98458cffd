// Changes of properties that no value of the older contract has, or that every value has.
import { Contract, type Schema } from '@stubwright/contract';
import type { Difference } from './comparison.ts';
import { implies } from './implication.ts';

/** Without any of these, a declared property may be there, and an optional one may be absent. */
const RESTRICTING = [
  ...['propertyNames', 'patternProperties', 'maxProperties', 'minProperties', 'const', 'enum'],
  ...['not', 'if', 'anyOf', 'oneOf', 'dependentRequired', 'dependentSchemas'],
  'unevaluatedProperties',
];

/** True for the removal of a property that was never there, and for a required one that always was. */
export function isWithoutEffect({ rule, facts, values }: Difference): boolean {
  const { before, after, wire } = values;
  const isRemoved = rule.endsWith('-property-removed');
  if (!isRemoved && !rule.endsWith('-required-property-added')) return false;
  if (wire !== 'json' || !before.some(isRestricting)) return false;
  const [schema] = before;
  return isRemoved
    ? implies(before, [without(String(facts?.['name']), schema!)])
    : implies(before, after);
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
    components: { schemas: { Without: { not: { required: [name] } } } },
  });
  return definition.schemas.get('Without')!;
}
