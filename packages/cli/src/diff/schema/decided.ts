// Tells which differences arithmetic decides: a generated value illustrates them, and is not required.
import type { Direction, Schema } from 'stubwright/contract';
import type { Difference } from './comparison.ts';

/** Rules of lengths and counts, without the direction. */
const DECIDED = /^(?:min|max)-(?:length|items|properties)-/;
const LENGTHS = ['Length', 'Items', 'Properties'];

/** Keywords that may imply a bound, or that apply to some values only. */
const OPAQUE = [
  ...['pattern', 'format', 'not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  ...['dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'uniqueItems', 'const'],
  ...['enum', 'oneOf', 'anyOf', '$dynamicRef', 'contentSchema'],
];

/** True if no other keyword of the sender's schemas may imply the changed one. */
export function isDecided({ rule, path, values }: Difference, direction: Direction): boolean {
  if (!DECIDED.test(rule.slice(direction.length + 1)) || path.includes('(')) return false;
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
  return OPAQUE.some((keyword) => schema.has(keyword));
}

/** True if no length satisfies the schemas. */
function areImpossible(schemas: readonly Schema[]): boolean {
  const all = (keyword: string) =>
    schemas.map(({ keywords }) => Number(keywords[keyword])).filter((each) => !Number.isNaN(each));
  return LENGTHS.some((each) => Math.max(...all(`min${each}`)) > Math.min(...all(`max${each}`)));
}
