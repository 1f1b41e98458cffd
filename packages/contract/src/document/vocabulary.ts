// The vocabulary of contracts: the keywords of JSON Schema, and the methods of path items.

import type { Node } from './node.ts';

type ValueKind = 'schema' | 'schemaList' | 'schemaMap' | 'bound' | 'count' | 'other';

interface Keyword {
  readonly is: ValueKind;
  /** The type of the values that it restricts; without one, all. */
  readonly of?: 'number' | 'string' | 'array' | 'object';
}

const VOCABULARY = {
  not: { is: 'schema' },
  if: { is: 'schema' },
  then: { is: 'schema' },
  else: { is: 'schema' },
  items: { is: 'schema', of: 'array' },
  contains: { is: 'schema', of: 'array' },
  propertyNames: { is: 'schema', of: 'object' },
  additionalProperties: { is: 'schema', of: 'object' },
  unevaluatedProperties: { is: 'schema', of: 'object' },
  unevaluatedItems: { is: 'schema', of: 'array' },
  allOf: { is: 'schemaList' },
  anyOf: { is: 'schemaList' },
  oneOf: { is: 'schemaList' },
  prefixItems: { is: 'schemaList', of: 'array' },
  properties: { is: 'schemaMap', of: 'object' },
  patternProperties: { is: 'schemaMap', of: 'object' },
  dependentSchemas: { is: 'schemaMap', of: 'object' },
  minimum: { is: 'bound', of: 'number' },
  maximum: { is: 'bound', of: 'number' },
  exclusiveMinimum: { is: 'bound', of: 'number' },
  exclusiveMaximum: { is: 'bound', of: 'number' },
  multipleOf: { is: 'other', of: 'number' },
  minLength: { is: 'count', of: 'string' },
  maxLength: { is: 'count', of: 'string' },
  pattern: { is: 'other', of: 'string' },
  minItems: { is: 'count', of: 'array' },
  maxItems: { is: 'count', of: 'array' },
  minContains: { is: 'count', of: 'array' },
  maxContains: { is: 'count', of: 'array' },
  uniqueItems: { is: 'other', of: 'array' },
  minProperties: { is: 'count', of: 'object' },
  maxProperties: { is: 'count', of: 'object' },
  required: { is: 'other', of: 'object' },
  dependentRequired: { is: 'other', of: 'object' },
  type: { is: 'other' },
  enum: { is: 'other' },
  const: { is: 'other' },
} as const satisfies Record<string, Keyword>;

type Vocabulary = typeof VOCABULARY;
type KeywordOf<Kind extends ValueKind> = {
  [Name in keyof Vocabulary]: Vocabulary[Name]['is'] extends Kind ? Name : never;
}[keyof Vocabulary];
/** The keywords that restrict one type of values, or their parts. */
type TypedKeyword = {
  [Name in keyof Vocabulary]: Vocabulary[Name] extends { readonly of: string } ? Name : never;
}[keyof Vocabulary];

export type SchemaKeyword = KeywordOf<'schema'>;
export type ListKeyword = KeywordOf<'schemaList'>;
export type MapKeyword = KeywordOf<'schemaMap'>;

const ENTRIES = Object.entries<Keyword>(VOCABULARY);
const keywordsOf = <Kind extends ValueKind>(kind: Kind) =>
  ENTRIES.flatMap(([name, { is }]) => (is === kind ? [name as KeywordOf<Kind>] : []));

export const KEYWORDS: readonly string[] = Object.keys(VOCABULARY);
/** Their value is a schema, a list of schemas, an object of schemas by name. */
export const SCHEMA_KEYWORDS = keywordsOf('schema');
export const LIST_KEYWORDS = keywordsOf('schemaList');
export const MAP_KEYWORDS = keywordsOf('schemaMap');
/** `minimum`, `exclusiveMaximum`, … */
export const NUMERIC_BOUNDS = keywordsOf('bound');
/** `minLength`, `maxProperties`, … */
export const COUNTS = keywordsOf('count');
const isTyped = (name: keyof Vocabulary): name is TypedKeyword => 'of' in VOCABULARY[name];
/** The keywords of a subschema for the same value. */
export const SAME_VALUE = SCHEMA_KEYWORDS.filter(
  (name): name is Exclude<SchemaKeyword, TypedKeyword> => !isTyped(name),
);
/** `allOf`, `anyOf`, `oneOf`. */
export const COMPOSITIONS = LIST_KEYWORDS.filter(
  (name): name is Exclude<ListKeyword, TypedKeyword> => !isTyped(name),
);

/** @returns the keywords that restrict values of a type alone */
export function keywordsOfType(type: 'number' | 'string' | 'array' | 'object'): string[] {
  return ENTRIES.flatMap(([name, { of }]) => (of === type ? [name] : []));
}

/** The methods of a Path Item Object, in lower case. */
export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;

/**
 * True for a key of `additionalOperations` (OpenAPI 3.2) that a server of Node can receive. CONNECT opens a
 * tunnel, and a method of METHODS has a property of its own.
 */
export function isServedMethod(name: string): boolean {
  const fixed: readonly string[] = METHODS;
  // Loading HTTP takes longer than reading most contracts.
  const parsed = process.getBuiltinModule('node:http').METHODS;
  return parsed.includes(name) && name !== 'CONNECT' && !fixed.includes(name.toLowerCase());
}

/** @returns the keys of the operations of a path item, each with its method in lower case */
export function operationKeys(item: Node): (readonly [method: string, ...keys: string[]])[] {
  const fixed = METHODS.filter((method) => item[method] !== undefined);
  const additional = Object.keys(Object(item['additionalOperations'])).filter(isServedMethod);
  return [
    ...fixed.map((method) => [method, method] as const),
    ...additional.map((name) => [name.toLowerCase(), 'additionalOperations', name] as const),
  ];
}
