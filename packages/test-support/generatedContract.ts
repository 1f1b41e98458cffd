// Contracts of random operations, with all styles and media types.

import type { Node } from '@stubwright/contract';
import fc from 'fast-check';

type Version = '3.0.3' | '3.1.0';

const WORDS = ['north', 'south', 'east'];

const scalar: fc.Arbitrary<Node> = fc.oneof(
  fc.constantFrom<Node>(
    { type: 'boolean' },
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'integer', format: 'int64', minimum: 9007199254740993n },
    { type: 'string', enum: WORDS },
    { type: 'string', minLength: 1, maxLength: 3 },
    { type: 'string', pattern: '^[a-z]{2,4}-[0-9]$' },
    { type: 'integer', enum: [1, 2] },
  ),
  fc
    .constantFrom('date', 'date-time', 'uuid', 'email', 'ipv4', 'uri', 'byte')
    .map((format) => ({ type: 'string', format, minLength: 1 })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(50), fc.constantFrom('int32', 'int64'))
    .map(([minimum, span, format]) => ({
      type: 'integer',
      format,
      minimum,
      maximum: minimum + span,
    })),
);

/** Items whose text has no delimiter of any style. */
const item = fc.constantFrom<Node>(
  { type: 'string', enum: WORDS },
  { type: 'integer', minimum: 0 },
);
const list = fc
  .tuple(item, fc.integer({ min: 1, max: 3 }))
  .map(([items, minItems]) => ({ type: 'array', items, minItems, maxItems: 4 }));

function flatObject(name: string): fc.Arbitrary<Node> {
  return fc.tuple(item, item).map(([first, second]) => ({
    type: 'object',
    required: [`${name}-a`],
    properties: { [`${name}-a`]: first, [`${name}-b`]: second },
    additionalProperties: false,
  }));
}

/** A schema of a JSON body. */
function jsonSchema(version: Version): fc.Arbitrary<Node> {
  const orNull = (schema: Node) =>
    version === '3.0.3'
      ? { ...schema, nullable: true }
      : { ...schema, type: [schema.type, 'null'] };
  const { schema } = fc.letrec<{ schema: Node; object: Node }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      scalar.filter((each) => each.enum === undefined).map(orNull),
      tie('object'),
      fc.tuple(tie('schema'), fc.nat(2)).map(([items, minItems]) => ({
        type: 'array',
        items,
        minItems,
        maxItems: 3,
      })),
      fc.constant({ $ref: '#/components/schemas/Node' }),
      fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
      fc.tuple(tie('schema'), tie('schema')).map((values) => ({
        oneOf: values.map((value, at) => ({
          type: 'object',
          required: ['kind', 'value'],
          properties: { kind: { enum: [`k${at}`] }, value },
        })),
      })),
      // Of different names, so that no two members contradict each other.
      fc.tuple(tie('schema'), tie('schema')).map((members) => ({
        allOf: members.map((each, at) => ({
          type: 'object',
          required: [`m${at}`],
          properties: { [`m${at}`]: each },
        })),
      })),
    ),
    object: fc
      .record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'é/~'), tie('schema'), {
          maxKeys: 3,
        }),
        isClosed: fc.boolean(),
        areRequired: fc.boolean(),
        annotation: fc.constantFrom('readOnly', 'writeOnly', 'title'),
      })
      .map(({ properties, isClosed, areRequired, annotation }) => ({
        type: 'object',
        properties: {
          ...properties,
          noted: { type: 'string', [annotation]: annotation === 'title' ? 't' : true },
        },
        ...(areRequired && { required: [...Object.keys(properties), 'noted'] }),
        ...(isClosed && { additionalProperties: false }),
      })),
  }));
  return schema;
}

const STYLES: Readonly<Record<string, readonly (readonly [string, boolean])[]>> = {
  path: [
    ['simple', false],
    ['simple', true],
    ['label', false],
    ['label', true],
    ['matrix', false],
    ['matrix', true],
  ],
  query: [
    ['form', true],
    ['form', false],
    ['spaceDelimited', false],
    ['pipeDelimited', false],
    ['deepObject', true],
  ],
  header: [
    ['simple', false],
    ['simple', true],
  ],
  cookie: [['form', false]],
};

function schemaOfStyle(style: string, name: string): fc.Arbitrary<Node> {
  if (style === 'deepObject') return flatObject(name);
  if (style.endsWith('Delimited')) return list;
  if (style === 'label') return fc.oneof(item, list, flatObject(name));
  return fc.oneof(scalar, list, flatObject(name));
}

function parameter(where: string, name: string): fc.Arbitrary<Node> {
  const styled = fc
    .constantFrom(...STYLES[where]!)
    .chain(([style, explode]) =>
      schemaOfStyle(style, name).map((schema) => ({ style, explode, schema })),
    );
  const asJson = flatObject(name).map((schema) => ({
    content: { 'application/json': { schema } },
  }));
  const written = where === 'header' ? styled : fc.oneof({ weight: 5, arbitrary: styled }, asJson);
  return fc.tuple(written, fc.boolean()).map(([each, isRequired]) => ({
    name,
    in: where,
    required: where === 'path' || isRequired,
    ...each,
  }));
}

const formSchema = fc
  .tuple(scalar, list, flatObject('inner'), fc.boolean())
  .map(([first, second, third, isRequired]) => ({
    type: 'object',
    required: ['first', 'second', ...(isRequired ? ['third'] : [])],
    properties: { first, second, third },
  }));

function requestContent(version: Version): fc.Arbitrary<Node> {
  const bytes = { schema: { type: 'string', format: 'binary' } };
  return fc.oneof(
    {
      weight: 4,
      arbitrary: jsonSchema(version).map((schema) => ({ 'application/json': { schema } })),
    },
    jsonSchema(version).map((schema) => ({ 'application/x+json': { schema }, 'text/plain': {} })),
    formSchema.map((schema) => ({ 'application/x-www-form-urlencoded': { schema } })),
    formSchema.map((schema) => ({ 'multipart/form-data': { schema } })),
    scalar.map((schema) => ({ 'text/plain': { schema } })),
    fc.constant({ 'application/octet-stream': bytes }),
  );
}

function responses(version: Version): fc.Arbitrary<Node> {
  const content = fc.oneof(
    {
      weight: 4,
      arbitrary: jsonSchema(version).map((schema) => ({ 'application/json': { schema } })),
    },
    scalar.map((schema) => ({ 'text/plain': { schema } })),
    fc.constant({ 'application/octet-stream': {} }),
  );
  const headers = fc.dictionary(fc.constantFrom('X-A', 'Location'), scalar, { maxKeys: 2 });
  return fc
    .tuple(fc.constantFrom('200', '201', '2XX', 'default'), content, headers)
    .map(([status, each, named]) => ({
      [status]: {
        description: 'ok',
        content: each,
        headers: Object.fromEntries(
          Object.entries(named).map(([name, schema]) => [name, { required: true, schema }]),
        ),
      },
    }));
}

function operation(version: Version, names: readonly string[]): fc.Arbitrary<Node> {
  const others = ['query', 'query', 'header', 'cookie'].map((where, at) =>
    fc.option(parameter(where, `${where}${at}`), { nil: undefined }),
  );
  const inPath = names.map((name) => parameter('path', name));
  return fc
    .record({
      parameters: fc.tuple(...inPath, ...others),
      content: fc.option(requestContent(version), { nil: undefined }),
      isRequired: fc.boolean(),
      responses: responses(version),
    })
    .map(({ parameters, content, isRequired, responses }) => ({
      parameters: parameters.filter((each) => each !== undefined),
      ...(content && { requestBody: { required: isRequired, content } }),
      responses,
    }));
}

const SCHEMES: readonly Node[] = [
  { type: 'apiKey', in: 'header', name: 'X-Key' },
  { type: 'apiKey', in: 'query', name: 'key' },
  { type: 'apiKey', in: 'cookie', name: 'key' },
  { type: 'http', scheme: 'bearer' },
  { type: 'http', scheme: 'basic' },
];

export const generatedContract = fc.constantFrom<Version>('3.0.3', '3.1.0').chain((version) =>
  fc
    .record({
      concrete: operation(version, []),
      templated: operation(version, ['id']),
      several: operation(version, ['id', 'name']),
      scheme: fc.option(fc.constantFrom(...SCHEMES), { nil: undefined, freq: 1 }),
    })
    .map(({ concrete, templated, several, scheme }) => ({
      openapi: version,
      info: { title: 'generated', version: '1' },
      ...(scheme && { security: [{ s: [] }] }),
      paths: {
        '/things': { post: concrete },
        '/things/{id}': { put: templated },
        '/things/{id}/x-{name}.y': { patch: several },
      },
      components: {
        securitySchemes: scheme ? { s: scheme } : {},
        schemas: {
          Node: {
            type: 'object',
            required: ['value'],
            properties: {
              value: { type: 'integer', format: 'int64' },
              next: { $ref: '#/components/schemas/Node' },
            },
          },
        },
      },
    })),
);
