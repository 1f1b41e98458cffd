// Finds the differences that arithmetic and automata decide: a generated value illustrates them, and is not required.
import type { Direction, Schema } from '@stubwright/contract';
import type { Difference, ValuePair } from './differences.ts';
import { lengthsOf } from './language.ts';
import { requiredIn } from './propertyTruths.ts';
import { allowsNothing } from './trivial.ts';

/** Rules of lengths, counts and names, without the direction. */
const DECIDED = /^(?:min|max)-(?:length|items|properties)-|^property-disallowed$/;
const LENGTHS = ['Length', 'Items', 'Properties'];

const NUMBERS = /^(?:minimum|maximum|multiple-of)-/;

/** Keywords that may restrict numbers, besides bounds, `multipleOf` and the ranges of formats. */
const OPAQUE_FOR_NUMBERS = [
  ...['not', 'if', 'const', 'enum', 'oneOf', 'anyOf', '$dynamicRef', 'dependentSchemas'],
];
/** Keywords of an object that may restrict its properties. */
const CONDITIONS = ['if', 'dependentSchemas'];
const NUMERIC: ReadonlySet<string> = new Set(['integer', 'number']);

/** Keywords that may imply a bound, or that apply to some values only. */
const OPAQUE = [
  ...['format', 'not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  'dependentRequired',
  ...['dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'uniqueItems', 'const'],
  ...['enum', 'oneOf', 'anyOf', '$dynamicRef', 'contentSchema'],
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
  if (conjunctsOf(around ?? []).some((each) => hasAny(each, CONDITIONS))) return false;
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
    types !== undefined && [...types].every((each) => NUMERIC.has(each));
  if (wire !== 'json' && ![sender!, receiver!].every((each) => each.some(areOnlyNumbers))) {
    return false;
  }
  return sender!.length > 0 && !sender!.some((each) => hasAny(each, OPAQUE_FOR_NUMBERS));
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
    schemas.map(({ keywords }) => Number(keywords[keyword])).filter((each) => !Number.isNaN(each));
  return LENGTHS.some((each) => Math.max(...all(`min${each}`)) > Math.min(...all(`max${each}`)));
}
