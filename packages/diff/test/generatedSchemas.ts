// Generates schemas, edits of schemas, and equivalent contracts.
import fc from 'fast-check';

export type Json = Record<string, unknown>;

const NAMES = ['a', 'b', 'c'] as const;
const name = fc.constantFrom(...NAMES);
const small = fc.integer({ min: 0, max: 4 });
const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 3, 5, 10);
const scalar = fc.constantFrom<unknown>('x', 'y', 'z', 1, 2, null, true);

/** The keywords of one type, each of them present or absent. */
function keywordsOf(values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  return fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Json>;
}

const numeric = keywordsOf({
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(0.1, 0.5, 1, 2, 3),
});
const textual = keywordsOf({
  minLength: small,
  maxLength: small.map((each) => each + 2),
  pattern: fc.constantFrom('^[a-z]*$', '^[a-y]*$', 'a', '^x'),
  format: fc.constantFrom('date', 'date-time', 'byte', 'uuid', 'color'),
});
const formats = fc.constantFrom({}, { format: 'int32' }, { format: 'int64' });

/** Schemas of OpenAPI 3.1. */
export const schemas = fc.letrec<{ schema: Json; object: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 2, arbitrary: numeric.map((each): Json => ({ type: 'number', ...each })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(numeric, formats)
        .map(([a, b]): Json => ({ type: 'integer', ...a, ...b })),
    },
    { weight: 2, arbitrary: textual.map((each): Json => ({ type: 'string', ...each })) },
    {
      weight: 1,
      arbitrary: fc.uniqueArray(scalar, { minLength: 1 }).map((each) => ({ enum: each })),
    },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(fc.constantFrom('string', 'integer', 'boolean', 'null', 'number'), {
          minLength: 1,
        })
        .map((each) => ({ type: each })),
    },
    { weight: 4, arbitrary: tie('object') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          tie('schema'),
          keywordsOf({ minItems: small, maxItems: small, uniqueItems: fc.boolean() }),
        )
        .map(([items, each]): Json => ({ type: 'array', items, ...each })),
    },
    ...(['oneOf', 'anyOf', 'allOf'] as const).map((keyword) => ({
      weight: 1,
      arbitrary: fc
        .array(tie('schema'), { minLength: 1, maxLength: 3 })
        .map((each): Json => ({ [keyword]: each })),
    })),
    { weight: 1, arbitrary: tie('schema').map((each): Json => ({ not: each })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('object'), name, name)
        .map(([each, a, b]): Json => ({ ...each, if: { required: [a] }, then: { required: [b] } })),
    },
  ) as fc.Arbitrary<Json>,
  object: fc
    .tuple(
      fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      keywordsOf({
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        minProperties: small,
        maxProperties: small,
        dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 1 }), {
          maxKeys: 1,
        }),
      }),
    )
    .map(([properties, each]): Json => ({ type: 'object', properties, ...each })),
})).schema;

/** Edits of one random node: a keyword is removed, replaced by another schema, or changed. */
export const edits: fc.Arbitrary<(schema: Json) => Json> = fc
  .tuple(fc.nat(), fc.nat(), schemas, fc.constantFrom('remove', 'replace', 'add', 'wrap', 'change'))
  .map(([at, which, other, how]) => (schema) => {
    const copy = structuredClone(schema);
    const nodes = schemasIn(copy);
    edit(nodes[at % nodes.length]!, how, which, other);
    return copy;
  });

function edit(node: Json, how: string, which: number, other: Json): void {
  const keywords = Object.keys(node);
  const keyword = keywords[which % keywords.length];
  const old = structuredClone(node);
  if (how === 'remove' && keyword !== undefined) delete node[keyword];
  else if (how === 'change' && keyword !== undefined) node[keyword] = changed(node[keyword], which);
  else if (how === 'add') Object.assign(node, { ...other, ...old });
  else {
    for (const each of keywords) delete node[each];
    Object.assign(node, how === 'wrap' ? wrapped(old, other, which) : other);
  }
}

function wrapped(old: Json, other: Json, which: number): Json {
  const forms: Json[] = [
    { allOf: [old, other] },
    { anyOf: [old, other] },
    { oneOf: [old, other] },
    { not: { not: old } },
  ];
  return forms[which % forms.length]!;
}

function changed(value: unknown, which: number): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value) && value.length > 1) return value.toSpliced(which % value.length, 1);
  return value;
}

const SINGLE = ['items', 'not', 'if', 'then', 'additionalProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];

/** @returns the schema and its subschemas */
export function schemasIn(schema: Json): Json[] {
  return [schema, ...childrenOf(schema).flatMap((each) => schemasIn(each))];
}

function childrenOf(schema: Json): Json[] {
  const all = [
    ...SINGLE.map((keyword) => schema[keyword]),
    ...LISTS.flatMap((keyword) => (schema[keyword] as unknown[]) ?? []),
    ...Object.values((schema['properties'] as Json) ?? {}),
  ];
  return all.filter((each): each is Json => typeof each === 'object' && each !== null);
}

/** @returns a copy in which `change` has replaced every subschema, inner ones first */
export function everywhere(schema: Json, change: (schema: Json) => Json): Json {
  const inner = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? everywhere(value as Json, change) : value;
  const copy: Json = { ...schema };
  for (const keyword of SINGLE) if (keyword in copy) copy[keyword] = inner(copy[keyword]);
  for (const keyword of LISTS) {
    if (keyword in copy) copy[keyword] = (copy[keyword] as unknown[]).map(inner);
  }
  if ('properties' in copy) {
    const entries = Object.entries(copy['properties'] as Json);
    copy['properties'] = Object.fromEntries(entries.map(([key, each]) => [key, inner(each)]));
  }
  return change(copy);
}

/** @returns a contract that uses the schema in a request and a response */
export function contractOf(schema: Json, components: Json = {}, openapi = '3.1.0'): Json {
  const content = { 'application/json': { schema } };
  return {
    openapi,
    info: { title: 'Toys', version: '1' },
    paths: {
      '/toys': {
        post: { requestBody: { content }, responses: { 200: { description: 'a toy', content } } },
      },
    },
    components: { schemas: components },
  };
}
