// Contracts of OpenAPI 3.2 with XML, sequences, exploded cookies, querystrings and methods of its own.
import type { Node } from '@stubwright/contract';
import fc from 'fast-check';

const int64 = { type: 'integer', format: 'int64', minimum: 9007199254740993n };
const TEXTS = ['a', '<&>"\'', ' x ', 'a]]>b', 'é𝒳', 'a\tb\nc\rd', '0', 'true'];

const scalar: fc.Arbitrary<Node> = fc.constantFrom<Node>(
  int64,
  { type: 'integer', format: 'int64' },
  { type: 'number', minimum: 0, maximum: 1 },
  { type: 'boolean' },
  { type: 'string', enum: TEXTS },
  { type: 'string', minLength: 1, maxLength: 3, pattern: '^[a-zé<&]+$' },
);

/** Values that no style delimits. */
const word = fc.constantFrom<Node>({ type: 'string', enum: ['north', 'south'] }, int64);

const orNull = (schema: Node): Node =>
  schema.enum === undefined ? { ...schema, type: [schema.type, 'null'] } : schema;

const json = fc.letrec<{ schema: Node }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    scalar,
    scalar.map(orNull),
    fc.tuple(tie('schema'), tie('schema')).map(([a, b]) => ({
      type: 'object',
      required: ['a'],
      properties: { a, b },
      additionalProperties: int64,
    })),
    tie('schema').map((items) => ({ type: 'array', items, maxItems: 3 })),
  ),
})).schema;

const NAMESPACE = 'http://example.org/n?a&b';
const xmlName = fc.constantFrom<Node>(
  {},
  { namespace: NAMESPACE },
  { prefix: 'p', namespace: NAMESPACE },
);

/** @param at a number that makes names unique */
function xmlProperty(at: number, object: fc.Arbitrary<Node>): fc.Arbitrary<Node> {
  const name = { name: `n${at}` };
  const element = fc.oneof(scalar, scalar.map(orNull), object);
  return fc.oneof(
    fc.tuple(element, xmlName, fc.boolean()).map(([schema, xml, isNamed]) => ({
      ...schema,
      xml: { ...xml, ...(isNamed && name) },
    })),
    fc
      .tuple(scalar, fc.constantFrom<Node>({ attribute: true }, { nodeType: 'attribute' }))
      .map(([schema, xml]) => ({ ...schema, xml: { ...xml, ...name } })),
    fc
      .tuple(
        fc.oneof(scalar, object),
        fc.constantFrom<Node>({}, { wrapped: true }, { nodeType: 'element' }, { nodeType: 'none' }),
        fc.boolean(),
      )
      .map(([items, xml, isNamed]) => ({
        type: 'array',
        items: { ...items, xml: isNamed ? { name: `i${at}` } : {} },
        minItems: 1,
        maxItems: 3,
        xml,
      })),
  );
}

const xml: fc.Arbitrary<Node> = fc.letrec<{ object: Node }>((tie) => ({
  object: fc.oneof(
    { maxDepth: 2 },
    // The text of an element beside attributes.
    fc.tuple(scalar, scalar, fc.constantFrom('text', 'cdata')).map(([id, text, nodeType]) => ({
      type: 'object',
      required: ['text'],
      properties: {
        id: { ...id, xml: { attribute: true } },
        text: { ...text, xml: { nodeType } },
      },
    })),
    fc
      .tuple(...[0, 1, 2].map((at) => xmlProperty(at, tie('object'))), fc.boolean())
      .map((parts) => ({
        type: 'object',
        required: parts[3] ? ['a', 'b'] : [],
        properties: { a: parts[0], b: parts[1], 'c-d': parts[2] },
        xml: { name: 'root' },
      })),
  ),
})).object;

const event = fc
  .tuple(json, fc.boolean(), fc.boolean())
  .map(([contentSchema, isJson, hasId]): Node => {
    const data = { type: 'string', minLength: 1, pattern: '^[a-z\n]*[a-z]$' };
    return {
      type: 'object',
      required: ['event', 'data', ...(hasId ? ['id'] : [])],
      properties: {
        event: { type: 'string', enum: ['add', 'end'] },
        data: isJson
          ? { type: 'string', contentMediaType: 'application/json', contentSchema }
          : data,
        ...(hasId && { id: { type: 'string', enum: ['1', 'é'] } }),
      },
      additionalProperties: false,
    };
  });

const content: fc.Arbitrary<Node> = fc.oneof(
  xml.map((schema) => ({ 'application/xml': { schema } })),
  fc
    .tuple(json, fc.constantFrom('application/jsonl', 'application/x-ndjson'))
    .map(([itemSchema, type]) => ({ [type]: { itemSchema } })),
  event.map((itemSchema) => ({ 'text/event-stream': { itemSchema } })),
);

const list = word.map((items) => ({ type: 'array', items, minItems: 1, maxItems: 3 }));
const object = fc.tuple(word, word).map(([first, second]) => ({
  type: 'object',
  required: ['k1'],
  properties: { k1: first, k2: second },
  additionalProperties: false,
}));

const cookie = fc
  .tuple(
    fc.oneof(list, object, word),
    fc.constantFrom('form', 'cookie'),
    fc.constantFrom(true, true, false, undefined),
  )
  .map(([schema, style, explode]) => ({
    ...{ name: 'crumbs', in: 'cookie', required: true, style, schema },
    ...(explode !== undefined && { explode }),
  }));

const querystring = fc
  .tuple(object, fc.constantFrom('application/x-www-form-urlencoded', 'application/json'))
  .map(([schema, type]) => ({
    ...{ name: 'whole', in: 'querystring', required: true, content: { [type]: { schema } } },
  }));

const operation = fc
  .tuple(fc.option(fc.oneof(cookie, querystring)), fc.option(content), content)
  .map(
    ([parameter, body, reply]): Node => ({
      parameters: parameter === null ? [] : [parameter],
      ...(body !== null && { requestBody: { required: true, content: body } }),
      responses: { '200': { description: 'ok', content: reply } },
    }),
  );

export const mediaContract = fc.tuple(operation, operation, operation).map(
  ([post, query, copy]): Node => ({
    openapi: '3.2.0',
    info: { title: 'generated', version: '1' },
    paths: {
      '/things': { post, query },
      '/others': { additionalOperations: { COPY: { ...copy, operationId: 'copyOthers' } } },
    },
  }),
);
