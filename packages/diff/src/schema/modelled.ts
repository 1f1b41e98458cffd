// The keywords that proofs understand, those that they take as a whole, and the schemas of members by their names.
import { compilePattern, isObject, type Schema } from '@stubwright/contract';
import { canonical, type Type } from '../values/formatting.ts';
import { isAnnotation, isTrivial } from './trivial.ts';

/** A construct that is not modelled, or too many combinations. */
export class Undecided extends Error {}

const ofNumbers = (type: Type) => type === 'integer' || type === 'nonInteger';
const ofStrings = (type: Type) => type === 'string';
const ofArrays = (type: Type) => type === 'array';

/** The assertions, by the types that they apply to. */
export const APPLIES: Readonly<Record<string, (type: Type) => boolean>> = {
  ...{ minimum: ofNumbers, maximum: ofNumbers, multipleOf: ofNumbers },
  ...{ exclusiveMinimum: ofNumbers, exclusiveMaximum: ofNumbers },
  ...{ minLength: ofStrings, maxLength: ofStrings, pattern: ofStrings },
  ...{ contentEncoding: ofStrings, contentMediaType: ofStrings },
  format: (type) => ofStrings(type) || ofNumbers(type),
  ...{ minItems: ofArrays, maxItems: ofArrays, uniqueItems: ofArrays },
};

const LISTS = new Set(['enum', 'const', 'required', 'dependentRequired']);

/** Applicators to parts of a value that are true or false together. */
export const OPAQUE = {
  items: ['items', 'prefixItems', 'additionalItems'],
  contains: ['contains', 'minContains', 'maxContains'],
  properties: ['additionalProperties', 'patternProperties'],
  names: ['propertyNames'],
} as const;

/** The keywords of parts, evaluated by memberTruths.ts and itemTruths.ts. */
export const PARTS: ReadonlySet<string> = new Set([
  ...Object.values(OPAQUE).flat(),
  ...['minProperties', 'maxProperties', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/** @throws {Undecided} */
export function expectModelled(schema: Schema): void {
  const isForeign = ['discriminator', '$recursiveRef', 'readOnly', 'writeOnly'].some((keyword) =>
    schema.has(keyword),
  );
  const isBroken = schema.has('$ref') && schema.ref === undefined;
  const isUnknown = Object.keys(schema.keywords).some(
    (name) =>
      APPLIES[name] === undefined && !LISTS.has(name) && !PARTS.has(name) && !isAnnotation(name),
  );
  if (isForeign || isBroken || isUnknown) throw new Undecided();
}

/** @returns the keywords with what they depend on; undefined without a restriction */
export function opaqueIn(schema: Schema, keywords: readonly string[]): object | undefined {
  const { written } = schema;
  if (!isObject(written)) return undefined;
  const found = keywords.filter((name) => {
    const value = written[name];
    return value !== undefined && value !== true && canonical(value) !== '{}';
  });
  if (found.length === 0) return undefined;
  const names = found.includes('additionalProperties') ? [...schema.map('properties').keys()] : [];
  const entries = found.map((name) => [name, written[name]]);
  const own = { ...Object.fromEntries(entries), names: names.sort() };
  return isLocal(own) ? own : { definition: numberOf(schema.model), at: schema.pointer, found };
}

/** A reference may lead to another schema in the other contract. */
export function isLocal(value: unknown): boolean {
  return !/"\$(?:ref|recursiveRef)"/.test(canonical(value));
}

const numbers = new WeakMap<object, number>();

let models = 0;

/** @returns the key of a schema in comparisons: its text, or its location if it refers to others */
export function identityOf({ written, model, pointer }: Schema): unknown {
  return isLocal(written) ? written : { definition: numberOf(model), at: pointer };
}

function numberOf(model: object): number {
  const known = numbers.get(model) ?? ++models;
  numbers.set(model, known);
  return known;
}

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
