// Other forms of schemas that allow the same values.
import { contractOf, everywhere, type Json } from './generatedSchemas.ts';

const reversed = (schema: Json): Json => Object.fromEntries(Object.entries(schema).reverse());

/** Other forms of a schema; each applies to every subschema. */
export const FORMS: readonly (readonly [string, (schema: Json) => Json])[] = [
  ['keywords in another order', reversed],
  [
    'properties in another order',
    (schema) => on(schema, 'properties', (each) => reversed(each as Json)),
  ],
  [
    'required names and types in another order',
    (schema) => on(on(schema, 'required', flipped), 'type', flipped),
  ],
  [
    'documentation',
    (schema) => ({ ...schema, title: 'a', description: 'b', 'x-note': 1, examples: [] }),
  ],
  ['an allOf around it', (schema) => ({ allOf: [schema] })],
  ['an anyOf around it', (schema) => ({ anyOf: [schema] })],
  ['a oneOf around it', (schema) => ({ oneOf: [schema] })],
  ['allOf with an empty schema', (schema) => ({ allOf: [schema, {}] })],
  [
    'keywords spread over allOf',
    ({ type, ...rest }) => (type === undefined ? rest : { allOf: [{ type }, rest] }),
  ],
  ['an enum in another order', (schema) => on(schema, 'enum', flipped)],
  [
    'additionalProperties {}',
    (schema) =>
      schema['type'] === 'object' && !('additionalProperties' in schema)
        ? { ...schema, additionalProperties: {} }
        : schema,
  ],
  [
    'additionalProperties true',
    (schema) =>
      schema['type'] === 'object' && !('additionalProperties' in schema)
        ? { ...schema, additionalProperties: true }
        : schema,
  ],
  [
    'limits that exclude nothing',
    (schema) => ({ minLength: 0, minItems: 0, minProperties: 0, ...schema }),
  ],
  [
    'the bounds of int32',
    (schema) =>
      schema['format'] === 'int32' && !('minimum' in schema)
        ? { ...schema, minimum: -(2 ** 31) }
        : schema,
  ],
  [
    'an enum as oneOf of const',
    (schema) => (isEnum(schema) ? { oneOf: schema.enum.map((each) => ({ const: each })) } : schema),
  ],
  [
    'an enum as anyOf of const',
    (schema) => (isEnum(schema) ? { anyOf: schema.enum.map((each) => ({ const: each })) } : schema),
  ],
  [
    'a list of types as anyOf',
    (schema) =>
      Array.isArray(schema['type']) ? { anyOf: schema['type'].map((type) => ({ type })) } : schema,
  ],
];

function on(schema: Json, keyword: string, change: (value: unknown) => unknown): Json {
  return keyword in schema ? { ...schema, [keyword]: change(schema[keyword]) } : schema;
}

function flipped(value: unknown): unknown {
  return Array.isArray(value) ? value.toReversed() : value;
}

function isEnum(schema: Json): schema is { enum: unknown[] } {
  return Array.isArray(schema['enum']) && Object.keys(schema).length === 1;
}

/** Moves every subschema to a component. */
export function extracted(schema: Json, prefix: string): Json {
  const components: Json = {};
  const root = everywhere(schema, (each) => {
    const name = `${prefix}${Object.keys(components).length}`;
    components[name] = each;
    return { $ref: `#/components/schemas/${name}` };
  });
  return contractOf(root, components);
}

/** Without keywords that OpenAPI 3.0 lacks: types are one type or one type and null. */
export function versionFree({ if: _, then: __, ...schema }: Json): Json {
  const { type, dependentRequired: ___, ...rest } = schema;
  const types = [type].flat().filter((each) => each !== undefined);
  if (types.length < 2)
    return types[0] === 'null' ? rest : { ...rest, ...(types.length && { type: types[0] }) };
  const [first] = types.filter((each) => each !== 'null');
  return { ...rest, type: types.includes('null') ? [first, 'null'] : first };
}

export function asVersion30(schema: Json): Json {
  const { type, exclusiveMinimum: low, exclusiveMaximum: high, ...rest } = schema;
  const converted: Json = Array.isArray(type)
    ? { ...rest, type: type[0], nullable: true }
    : { ...rest, ...(type !== undefined && { type }) };
  // Only an exclusive bound that is stricter than the inclusive one can be a boolean.
  return [
    ['minimum', low, 'exclusiveMinimum'],
    ['maximum', high, 'exclusiveMaximum'],
  ].reduce<Json>(
    (each, [bound, value, keyword]) =>
      value === undefined
        ? each
        : { allOf: [each, { [bound as string]: value, [keyword as string]: true }] },
    converted,
  );
}
