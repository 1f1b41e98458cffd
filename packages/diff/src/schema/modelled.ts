// The keywords that implication.ts understands, and those that it takes as a whole.
import { isObject, type Schema } from '@stubwright/contract';
import { canonical } from '../values/formatting.ts';
import type { Type } from '../values/types.ts';
import { isAnnotation, isTrivial } from './trivial.ts';

/** A construct that is not modelled, or too many combinations. */
export class Undecided extends Error {}

const ofNumbers = (type: Type) => type === 'integer' || type === 'nonInteger';
const ofStrings = (type: Type) => type === 'string';
const ofArrays = (type: Type) => type === 'array';
const ofObjects = (type: Type) => type === 'object';

/** The assertions, by the types that they apply to. */
export const APPLIES: Readonly<Record<string, (type: Type) => boolean>> = {
  ...{ minimum: ofNumbers, maximum: ofNumbers, multipleOf: ofNumbers },
  ...{ exclusiveMinimum: ofNumbers, exclusiveMaximum: ofNumbers },
  ...{ minLength: ofStrings, maxLength: ofStrings, pattern: ofStrings },
  ...{ contentEncoding: ofStrings, contentMediaType: ofStrings },
  format: (type) => ofStrings(type) || ofNumbers(type),
  ...{ minItems: ofArrays, maxItems: ofArrays, uniqueItems: ofArrays },
  ...{ minProperties: ofObjects, maxProperties: ofObjects },
};

const LISTS = new Set(['enum', 'const', 'required', 'dependentRequired']);

/** Applicators to parts of a value: true or false together, by type. */
export const OPAQUE = {
  array: ['items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  object: ['additionalProperties', 'patternProperties', 'propertyNames'],
} as const;

export const PARTS: ReadonlySet<string> = new Set([...OPAQUE.array, ...OPAQUE.object]);

/** @throws {Undecided} */
export function expectModelled(schema: Schema): void {
  const isForeign = ['discriminator', '$dynamicRef', '$recursiveRef', 'readOnly', 'writeOnly'].some(
    (keyword) => schema.has(keyword),
  );
  const isUnevaluated = schema.has('unevaluatedProperties') || schema.has('unevaluatedItems');
  const isBroken = schema.has('$ref') && schema.ref === undefined;
  const isUnknown = Object.keys(schema.keywords).some(
    (name) =>
      APPLIES[name] === undefined && !LISTS.has(name) && !PARTS.has(name) && !isAnnotation(name),
  );
  if (isForeign || isUnevaluated || isBroken || isUnknown) throw new Undecided();
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
  const pattern = patternOfNames(schema, found);
  if (pattern !== undefined) return { names: pattern };
  const names = found.includes('additionalProperties') ? [...schema.map('properties').keys()] : [];
  const entries = found.map((name) => [name, written[name]]);
  const own = { ...Object.fromEntries(entries), names: names.sort() };
  // A reference may lead to another schema in the other contract.
  const isLocal = !/"\$(?:ref|dynamicRef|recursiveRef)"/.test(canonical(own));
  return isLocal ? own : { definition: numberOf(schema.model), at: schema.pointer, found };
}

/** @returns the pattern that each name must match, if that is the only restriction */
function patternOfNames(schema: Schema, found: readonly string[]): string | undefined {
  if (found.join() === 'propertyNames') {
    const names = schema.child('propertyNames')!;
    const { pattern } = names.keywords;
    const isOnly = Object.keys(Object(names.written)).every((each) =>
      /^(?:pattern|type)$/.test(each),
    );
    const isString = names.types === undefined || names.types.has('string');
    return isOnly && isString && typeof pattern === 'string' ? pattern : undefined;
  }
  const patterns = schema.map('patternProperties');
  const [[pattern, values] = []] = patterns;
  const isClosed = schema.child('additionalProperties')?.isNever === true;
  const isOnly = patterns.size === 1 && schema.map('properties').size === 0;
  if (!isClosed || !isOnly || found.includes('propertyNames')) return undefined;
  return values !== undefined && isTrivial(values) ? pattern : undefined;
}

const numbers = new WeakMap<object, number>();

let models = 0;

function numberOf(model: object): number {
  const known = numbers.get(model) ?? ++models;
  numbers.set(model, known);
  return known;
}
