// What the keywords of schemas decide about a difference, without a search for values.
import { Contract, type Direction, type Schema } from '@stubwright/contract';
import type { Difference, ValuePair } from '../schema/differences.ts';
import { implies } from '../schema/implication.ts';
import { lengthsOf } from '../schema/language.ts';
import { requiredIn } from '../schema/memberTruths.ts';
import { allowsNothing, isAnnotation } from '../schema/trivial.ts';
import { VALUE_TYPES } from '../values/formatting.ts';

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
  const isAbsentIn = (schemas: readonly Schema[]) =>
    implies(schemas, [schemaWithout(name, schemas[0]!)]);
  if (before.some(isRestricting) && isAbsentIn(before)) return true;
  if (!after.some((schema) => mentions(schema, name)) || !implies(after, before)) return false;
  // In a request, the value of the property is refused where the newer contract restricts it further.
  return !isAbsentIn(after) && (rule.startsWith('response-') || implies(before, after));
}

/** Keywords whose effect depends on others, or that are not satisfied by more values if their subschemas are. */
const DEPENDENT = [
  ...['propertyNames', 'patternProperties', 'maxProperties', 'minProperties', 'not', 'if'],
  ...['anyOf', 'oneOf', 'dependentRequired', 'dependentSchemas', 'contains', 'prefixItems'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'discriminator'],
];

/** True if each keyword restricts values by itself: then all together allow no less if each rule allows no less. */
export function areIndependent({ before, after, wire }: ValuePair): boolean {
  // The text of a value that has one type is that value.
  const isRead = wire === 'json' || haveOneType(conjunctsOf(before), conjunctsOf(after));
  return isRead && [before, after].every(haveIndependentKeywords);
}

function haveOneType(...sides: readonly (readonly Schema[])[]): boolean {
  return TEXTUAL.some((textual) =>
    sides.every((conjuncts) =>
      conjuncts.some(
        ({ types }) => types !== undefined && [...types].every((type) => textual.has(type)),
      ),
    ),
  );
}

function haveIndependentKeywords(schemas: readonly Schema[]): boolean {
  return haveNoDependentKeywords(schemas, (schema) => {
    const branches = [...schema.list('oneOf'), ...schema.list('anyOf')];
    return branches.length > 0 && haveIndependentBranches(schema, branches);
  });
}

/** @param isExempt for schemas whose keywords are independent all the same */
function haveNoDependentKeywords(
  schemas: readonly Schema[],
  isExempt: (schema: Schema) => boolean = () => false,
): boolean {
  const conjuncts = conjunctsOf(schemas);
  const declared = new Set(conjuncts.flatMap((schema) => [...schema.map('properties').keys()]));
  return conjuncts.every(
    (schema) =>
      (!hasAny(schema, DEPENDENT) || isExempt(schema)) &&
      requiredIn(schema).every((name) => declared.has(name)),
  );
}

/** True for alternatives without keywords beside them that share no type: a value satisfies at most one. */
function haveIndependentBranches({ written }: Schema, branches: readonly Schema[]): boolean {
  const keywords = Object.keys(Object(written)).filter((keyword) => !isAnnotation(keyword));
  if (keywords.filter((keyword) => keyword !== 'nullable').length !== 1) return false;
  const types = branches.flatMap((branch) => {
    const typed = conjunctsOf([branch]).find((conjunct) => conjunct.types !== undefined);
    const kinds = [...(typed?.types ?? VALUE_TYPES)];
    return kinds.map((type) => (type === 'integer' ? 'number' : type));
  });
  const areApart = new Set(types).size === types.length;
  return areApart && branches.every((branch) => haveNoDependentKeywords([branch]));
}

/** True if a subschema for the same value names a property: a condition, a branch or a negation. */
function mentions(schema: Schema, name: string): boolean {
  const all = new Set([schema]);
  for (const each of all) for (const inner of each.inPlace) all.add(inner);
  return [...all].some((part) => part.map('properties').has(name));
}

function isRestricting(schema: Schema): boolean {
  return schema.conjuncts.some((conjunct) => RESTRICTING.some((keyword) => conjunct.has(keyword)));
}

/** @returns a schema of the objects without a property, in the version of another schema */
function schemaWithout(name: string, { model }: Schema): Schema {
  const definition = new Contract({
    openapi: model.definition.isVersion30 ? '3.0.3' : '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: { Without: { not: { type: 'object', required: [name] } } } },
  });
  return definition.schemas.get('Without')!;
}

/** Rules of lengths, counts and names, without the direction. */
const DECIDED = /^(?:min|max)-(?:length|items|properties)-|^property-disallowed$/;
const LENGTHS = ['Length', 'Items', 'Properties'];

const NUMBERS = /^(?:minimum|maximum|multiple-of)-/;

/** Keywords that may restrict numbers, besides bounds, `multipleOf` and the ranges of formats. */
const OPAQUE_FOR_NUMBERS = [
  ...['not', 'if', 'const', 'enum', 'oneOf', 'anyOf', 'dependentSchemas'],
];
/** Keywords of an object that may restrict its properties. */
const CONDITIONS = ['if', 'dependentSchemas'];
const NUMERIC: ReadonlySet<string> = new Set(['integer', 'number']);
/** A text that is read as one of the types of a set has a single value. */
const TEXTUAL = [NUMERIC, new Set(['string']), new Set(['boolean'])];

/** Keywords that may imply a bound, or that apply to some values only. */
const OPAQUE = [
  ...['format', 'not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  'dependentRequired',
  ...['dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'uniqueItems', 'const'],
  ...['enum', 'oneOf', 'anyOf', 'contentSchema'],
];

/** True if no other keyword of the sender's schemas may imply the changed one. */
export function isProvenByRules(
  { rule, path, values, isDecided }: Difference,
  direction: Direction,
): boolean {
  const name = rule.slice(direction.length + 1);
  const isArithmetic = isDecided || DECIDED.test(name);
  if (!isArithmetic || path.includes('(')) return false;
  const around = direction === 'request' ? values.outer?.before : values.outer?.after;
  if (conjunctsOf(around ?? []).some((conjunct) => hasAny(conjunct, CONDITIONS))) return false;
  if (NUMBERS.test(name)) return isProvenForNumbers(values, direction);
  // A parameter of the path is never empty, and the text of a number has a length.
  if (values.wire !== 'json') return false;
  const sender = conjunctsOf(direction === 'request' ? values.before : values.after);
  return sender.length > 0 && !sender.some(isOpaque) && !areImpossible(sender);
}

/** The text of a number is that number wherever only numbers are valid. */
function isProvenForNumbers({ before, after, wire }: ValuePair, direction: Direction): boolean {
  const [sender, receiver] = (direction === 'request' ? [before, after] : [after, before]).map(
    conjunctsOf,
  );
  const areOnlyNumbers = ({ types }: Schema) =>
    types !== undefined && [...types].every((jsonType) => NUMERIC.has(jsonType));
  if (wire !== 'json' && ![sender!, receiver!].every((list) => list.some(areOnlyNumbers))) {
    return false;
  }
  return sender!.length > 0 && !sender!.some((schema) => hasAny(schema, OPAQUE_FOR_NUMBERS));
}

function hasAny(schema: Schema, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => schema.has(keyword));
}

function conjunctsOf(schemas: readonly Schema[]): Schema[] {
  const all = new Set(schemas);
  for (const schema of all) {
    if (schema.ref !== undefined) all.add(schema.ref);
    for (const each of schema.list('allOf')) all.add(each);
  }
  return [...all];
}

function isOpaque(schema: Schema): boolean {
  const { pattern } = schema.keywords;
  if (typeof pattern === 'string' && lengthsOf(pattern) === undefined) return true;
  return hasAny(schema, OPAQUE);
}

/** True if no length satisfies the schemas, or a property is required that they do not allow. */
function areImpossible(schemas: readonly Schema[]): boolean {
  const required = new Set(schemas.flatMap(requiredIn));
  const isRefused = (schema: Schema, name: string) => {
    const own = schema.map('properties').get(name);
    return own !== undefined && allowsNothing(own);
  };
  if (schemas.some((schema) => [...required].some((name) => isRefused(schema, name)))) return true;
  const all = (keyword: string) =>
    schemas
      .map(({ keywords }) => Number(keywords[keyword]))
      .filter((number) => !Number.isNaN(number));
  return LENGTHS.some(
    (suffix) => Math.max(...all(`min${suffix}`)) > Math.min(...all(`max${suffix}`)),
  );
}
