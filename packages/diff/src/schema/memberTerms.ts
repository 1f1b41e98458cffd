// The schemas of properties and items of a view.
import { compilePattern, type Schema } from '@stubwright/contract';
import { allOf, type Term } from './term.ts';
import { allowsNothing } from './trivial.ts';
import type { View } from './view.ts';

/** Stands for the properties that a contract does not name. */
export const UNNAMED = '\u0000';

/** Patterns that match every name. */
const EVERY_NAME = /^\^?(?:\.\*)?\$?$/;

/** @returns the schemas that apply to a property; undefined if the property is not allowed */
export function schemaOf(view: View, name: string): Term | undefined {
  const known = terms.get(view) ?? new Map<string, Term | undefined>();
  terms.set(view, known);
  if (!known.has(name)) known.set(name, makeTerm(view, name));
  return known.get(name);
}

const terms = new WeakMap<View, Map<string, Term | undefined>>();

function makeTerm(view: View, name: string): Term | undefined {
  const schemas: Schema[] = [];
  const isDeclared = view.properties(name).length > 0;
  for (const { schema } of view.conjuncts) {
    const own = ownSchemas(schema, name);
    const unevaluated = isDeclared ? undefined : schema.child('unevaluatedProperties');
    const rest = schema.child('additionalProperties') ?? unevaluated;
    if (own.length === 0 && rest !== undefined) own.push(rest);
    if (own.some(allowsNothing)) return undefined;
    schemas.push(...own);
  }
  return allOf(schemas, view.term.at);
}

function ownSchemas(schema: Schema, name: string): Schema[] {
  const own = schema.map('properties').get(name);
  const matching = [...schema.map('patternProperties')].filter(([pattern]) =>
    name === UNNAMED ? EVERY_NAME.test(pattern) : compilePattern(pattern)?.test(name),
  );
  return [...(own === undefined ? [] : [own]), ...matching.map(([, schema]) => schema)];
}

/** True if only the declared properties are allowed. */
export function isClosed(view: View): boolean {
  const hasPatterns = view.conjuncts.some(({ schema }) => schema.map('patternProperties').size > 0);
  return !hasPatterns && schemaOf(view, UNNAMED) === undefined;
}

export function tupleLength({ conjuncts }: View): number {
  return Math.max(0, ...conjuncts.map(({ schema }) => schema.list('prefixItems').length));
}

export function itemOf({ conjuncts, term }: View, index: number): Term {
  const own = conjuncts.flatMap(({ schema }) => {
    return schema.list('prefixItems')[index] ?? schema.child('items') ?? [];
  });
  const schemas = own.length > 0 ? own : conjuncts.flatMap(({ schema }) => unevaluated(schema));
  return allOf(schemas, term.at);
}

/** An item that matches `contains` is evaluated: where no other item is allowed, each one matches it. */
function unevaluated(schema: Schema): readonly Schema[] {
  const rest = schema.child('unevaluatedItems');
  if (rest === undefined) return [];
  return [allowsNothing(rest) ? (schema.child('contains') ?? rest) : rest];
}
