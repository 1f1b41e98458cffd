// The words of schemas, read for sampling: of one, or of several that hold together.
import { isDeepStrictEqual } from 'node:util';
import type { Node, Place } from '../../definition/definition.ts';
import { escapeToken } from '../../definition/pointer.ts';

export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** In a schema made for sampling: a value meets it by breaking the schema at this pointer. */
export const BREAKS = 'x-breaks';

/** @returns a schema that stands nowhere in the contract, and so has no validator of its own */
export function made(node: Node): Place {
  return { pointer: 'made', node };
}

export function isMade({ pointer }: Place): boolean {
  return pointer.startsWith('made');
}

/** @returns the schema under a word of a schema */
export function part({ pointer, node }: Place, word: string): Place {
  return { pointer: `${pointer}/${escapeToken(word)}`, node: node[word] };
}

/** @returns the schemas of a list or a map under a word of a schema, each with its name */
export function named(place: Place, word: string): [string, Place][] {
  const all = part(place, word);
  if (typeof all.node !== 'object' || all.node === null) return [];
  return Object.keys(all.node).map((name) => [name, part(all, name)]);
}

export function parts(place: Place, word: string): Place[] {
  return named(place, word).map(([, each]) => each);
}

export function isNullable({ nullable, type }: Node): boolean {
  return nullable === true || [type].flat().includes('null');
}

/** @returns the values of `enum` and `const` that every schema allows; undefined without these */
export function allowedValues(schemas: readonly Place[]): readonly unknown[] | undefined {
  const lists = schemas.flatMap(({ node }) => [
    ...(Array.isArray(node.enum) ? [allowedWithNull(node)] : []),
    ...('const' in node ? [[node.const]] : []),
  ]);
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((each) => same(each, value))));
}

/** `nullable` adds null to an enum, as people mean it. */
function allowedWithNull({ enum: values, nullable }: Node): unknown[] {
  return nullable === true && !values.includes(null) ? [...values, null] : values;
}

/** @returns the types that every schema allows, the likeliest first and null last */
export function typesOf(schemas: readonly Place[]): Type[] {
  const types = schemas.reduce<readonly Type[] | undefined>((known, { node }) => {
    const declared = declaredTypes(node);
    if (declared === undefined || known === undefined) return declared ?? known;
    return [...new Set(known.flatMap((type) => meet(type, declared)))];
  }, undefined);
  const found = types ?? [
    ...new Set([...schemas.flatMap(({ node }) => impliedTypes(node)), ...ANY]),
  ];
  return found.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

const ANY: readonly Type[] = ['string', 'integer', 'boolean', 'object', 'array', 'null'];

function declaredTypes({ type, nullable }: Node): Type[] | undefined {
  if (type === undefined) return undefined;
  return [type, ...(nullable === true ? ['null'] : [])].flat() as Type[];
}

function meet(type: Type, others: readonly Type[]): Type[] {
  if (others.includes(type)) return [type];
  if (type === 'number' && others.includes('integer')) return ['integer'];
  return type === 'integer' && others.includes('number') ? ['integer'] : [];
}

const WORDS_OF_TYPE: readonly (readonly [Type, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties']],
  ['object', ['propertyNames', 'minProperties', 'maxProperties', 'dependentRequired']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** A schema without `type` is written for the type that its words speak of. */
function impliedTypes(node: Node): Type[] {
  return WORDS_OF_TYPE.filter(([, words]) => words.some((word) => node[word] !== undefined)).map(
    ([type]) => type,
  );
}

/** @returns the examples and the default that a schema gives of itself, those of a wrong type left out */
export function writtenValues(schemas: readonly Place[]): unknown[] {
  const types = typesOf(schemas.filter(({ node }) => node.$ref === undefined));
  return schemas
    .flatMap(({ node }) => [
      ...('example' in node ? [node.example] : []),
      ...(Array.isArray(node.examples) ? node.examples : []),
      ...('default' in node ? [node.default] : []),
    ])
    .filter((value) => types.some((type) => isOfType(value, type)))
    .map((value) => structuredClone(value));
}

function isOfType(value: unknown, type: Type): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value);
    default:
      return typeof value === type || (type === 'number' && typeof value === 'bigint');
  }
}

/** JSON equality: a bigint is the number of the same value. */
export function same(a: unknown, b: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value
  if (typeof a === 'bigint' || typeof b === 'bigint') return typeof a !== 'string' && a == b;
  return isDeepStrictEqual(a, b);
}

export type Composition = 'oneOf' | 'anyOf';

export function compositions({ node }: Place): Composition[] {
  return (['oneOf', 'anyOf'] as const).filter((word) => node[word] !== undefined);
}
