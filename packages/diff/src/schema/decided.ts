// Finds the differences that arithmetic and automata decide: a generated value illustrates them, and is not required.
import type { Direction, Schema } from '@stubwright/contract';
import type { Difference } from './comparison.ts';
import { lengthsOf } from './language.ts';

/** Rules of lengths, counts and names, without the direction. */
const DECIDED = /^(?:min|max)-(?:length|items|properties)-|^property-disallowed$/;
const LENGTHS = ['Length', 'Items', 'Properties'];

/** Keywords that may imply a bound, or that apply to some values only. */
const OPAQUE = [
  ...['format', 'not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  ...['dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'uniqueItems', 'const'],
  ...['enum', 'oneOf', 'anyOf', '$dynamicRef', 'contentSchema'],
];

/** True if no other keyword of the sender's schemas may imply the changed one. */
export function isProvenByRules(
  { rule, path, values, isDecided }: Difference,
  direction: Direction,
): boolean {
  const isArithmetic = isDecided || DECIDED.test(rule.slice(direction.length + 1));
  if (!isArithmetic || path.includes('(')) return false;
  // A parameter of the path is never empty, and the text of a number has a length.
  if (values.wire !== 'json') return false;
  const sender = conjunctsOf(direction === 'request' ? values.before : values.after);
  return sender.length > 0 && !sender.some(isOpaque) && !areImpossible(sender);
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
  return OPAQUE.some((keyword) => schema.has(keyword));
}

/** True if no length satisfies the schemas. */
function areImpossible(schemas: readonly Schema[]): boolean {
  const all = (keyword: string) =>
    schemas.map(({ keywords }) => Number(keywords[keyword])).filter((each) => !Number.isNaN(each));
  return LENGTHS.some((each) => Math.max(...all(`min${each}`)) > Math.min(...all(`max${each}`)));
}
