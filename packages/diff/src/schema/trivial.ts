// Schemas and keywords that do not restrict values.
import { isObject, type Node, type Schema } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';

const ANNOTATIONS = new Set<string>([
  ...DOCUMENTATION_KEYWORDS.schema,
  ...['default', 'readOnly', 'writeOnly', '$defs', 'definitions', 'xml'],
]);
const COUNTS = new Set(['minLength', 'minItems', 'minProperties']);

/** True for a keyword that does not restrict values. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}

/** True if every value is valid: for `true`, `{}` and annotations. */
export function allowsAnything(term: { conjuncts: readonly { schema: Schema }[] }): boolean {
  return term.conjuncts.every(({ schema }) => isTrivial(schema));
}

export function isTrivial({ written }: Schema): boolean {
  return isObject(written) ? restrictionsIn(written).length === 0 : written === true;
}

/** True if no value is valid: for `false` and `not: {}`. */
export function allowsNothing(schema: Schema): boolean {
  const not = schema.child('not');
  return schema.isNever || (not !== undefined && isTrivial(not));
}

/** Follows references, and compositions of a single schema without keywords beside them. */
export function unwrapped(schema: Schema): Schema {
  const seen = new Set<Schema>();
  let current = schema;
  while (!seen.has(current)) {
    seen.add(current);
    const inner = soleParts(current);
    if (inner.length === 1) current = inner[0]!;
  }
  return current;
}

function soleParts(schema: Schema): readonly Schema[] {
  const keyword = onlyKeyword(schema);
  if (keyword === '$ref') return schema.ref === undefined ? [] : [schema.ref];
  if (keyword === 'allOf') return schema.list('allOf').filter((conjunct) => !isTrivial(conjunct));
  return keyword === 'anyOf' || keyword === 'oneOf' ? schema.list(keyword) : [];
}

/** @returns the keyword of a schema if it is the only one that restricts values */
export function onlyKeyword({ written }: Schema): string | undefined {
  const restrictions = isObject(written) ? restrictionsIn(written) : [];
  return restrictions.length === 1 ? restrictions[0] : undefined;
}

function restrictionsIn(node: Node): string[] {
  return Object.keys(node).filter(
    (keyword) => !isAnnotation(keyword) && !(COUNTS.has(keyword) && Number(node[keyword]) === 0),
  );
}
