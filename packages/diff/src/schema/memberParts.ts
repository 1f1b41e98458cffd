// The schemas of properties by their names: those of `patternProperties` and `additionalProperties`.
import { compilePattern, type Schema } from '@stubwright/contract';
import { Undecided } from './modelled.ts';
import { isTrivial } from './trivial.ts';

/** The names that a schema applies to: those that match one pattern, or none of several. */
export interface NameSet {
  readonly matching: readonly string[];
  readonly excluded: readonly string[];
}

/** A schema of properties that it does not name. */
export interface MemberPart {
  readonly schema: Schema;
  readonly names: NameSet;
  readonly appliesTo: (name: string) => boolean;
}

/** @returns the parts that restrict values, without `unevaluatedProperties` @throws {Undecided} for an unknown pattern */
export function memberParts(schema: Schema): MemberPart[] {
  const patterns = [...schema.map('patternProperties')].map(([pattern, schema]) => {
    const expression = compilePattern(pattern);
    if (expression === undefined) throw new Undecided();
    const appliesTo = (name: string) => expression.test(name);
    return { schema: schema, names: { matching: [pattern], excluded: [] }, appliesTo };
  });
  const rest = schema.child('additionalProperties');
  const own = schema.map('properties');
  const isRest = (name: string) =>
    !own.has(name) && !patterns.some(({ appliesTo }) => appliesTo(name));
  const excluded = [...schema.map('patternProperties').keys()].sort();
  const others =
    rest === undefined
      ? []
      : [{ schema: rest, names: { matching: [], excluded }, appliesTo: isRest }];
  return [...patterns, ...others].filter((pattern) => !isTrivial(pattern.schema));
}
