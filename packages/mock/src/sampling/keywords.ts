// Reads the keywords of schemas for sampling.

import {
  commonTypes,
  type JsonType,
  keywordsOfType,
  type Schema,
  type SchemaModel,
  valueKey,
} from '@stubwright/contract';

/** Keyword of synthetic schemas: the pointer of a schema that the value must violate. */
export const VIOLATES = 'x-violates';

/** @returns a synthetic schema with required properties */
export function madeOf(model: SchemaModel, properties: Record<string, object>): Schema {
  return model.synthetic({ properties, required: Object.keys(properties) });
}

export function mayBeNull({ isNullable, types }: Schema): boolean {
  return isNullable || types?.has('null') === true;
}

/** @returns the schema and the chain of its `$ref` targets */
export function chainOf(schema: Schema): Schema[] {
  const chain = new Set([schema]);
  for (const { ref } of chain) if (ref !== undefined) chain.add(ref);
  return [...chain];
}

/** @returns the schemas of `$ref` and `allOf` */
export function mandatory(schema: Schema): Schema[] {
  const { ref } = schema;
  return [...(ref === undefined ? [] : [ref]), ...schema.list('allOf')];
}

/** @returns the values of `enum` and `const` that all schemas allow; undefined without these keywords */
export function allowedValues(schemas: readonly Schema[]): readonly unknown[] | undefined {
  const lists = schemas.flatMap(({ keywords }) => [
    ...(Array.isArray(keywords.enum) ? [keywords.enum as unknown[]] : []),
    ...(keywords.const !== undefined ? [[keywords.const as unknown]] : []),
  ]);
  const [first, ...others] = lists.map((list) => new Map(list.map((one) => [valueKey(one), one])));
  if (first === undefined) return undefined;
  return [...first]
    .filter(([key]) => others.every((other) => other.has(key)))
    .map(([, one]) => one);
}

/** @returns the types that all schemas allow, null last */
export function typesOf(schemas: readonly Schema[]): JsonType[] {
  const types = commonTypes(schemas) ?? [...new Set([...schemas.flatMap(impliedTypes), ...ANY])];
  return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

const ANY: readonly JsonType[] = ['string', 'integer', 'boolean', 'object', 'array', 'null'];

const TYPED = (['object', 'array', 'string', 'number'] as const).map(
  (type) => [type, keywordsOfType(type)] as const,
);

/** @returns the types to which the keywords of a schema without `type` apply */
function impliedTypes(schema: Schema): JsonType[] {
  return TYPED.filter(([, keywords]) => keywords.some((keyword) => schema.has(keyword))).map(
    ([type]) => type,
  );
}

/** @returns examples and defaults, without those of a wrong type */
export function writtenValues(schemas: readonly Schema[]): unknown[] {
  const types = typesOf(schemas.filter(({ ref }) => ref === undefined));
  return schemas
    .flatMap(({ keywords }) => [
      ...('example' in keywords ? [keywords.example] : []),
      ...(Array.isArray(keywords.examples) ? keywords.examples : []),
      ...('default' in keywords ? [keywords.default] : []),
    ])
    .filter((value) => types.some((type) => isOfType(value, type)))
    .map((value) => structuredClone(value));
}

function isOfType(value: unknown, type: JsonType): boolean {
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

/** JSON equality; a bigint equals the number of the same value. */
export function same(a: unknown, b: unknown): boolean {
  return valueKey(a) === valueKey(b);
}

export type Composition = 'oneOf' | 'anyOf';

export function compositions(schema: Schema): Composition[] {
  return (['oneOf', 'anyOf'] as const).filter((keyword) => schema.has(keyword));
}
