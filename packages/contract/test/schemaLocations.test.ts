// Which parts of a document are schemas, by the keyword or field that holds them.
import { describe, expect, it } from '@jest/globals';
import {
  documentParts,
  escapeToken,
  type Node,
  objectLocations,
  schemaLocations,
  unescapeToken,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';

const S = { type: 'string' };

function pointersIn(document: Node): string[] {
  return [...schemaLocations(document)].map(({ pointer }) => pointer).sort();
}

function inSchema(keyword: string, value: unknown): string[] {
  const document = { openapi: '3.1.0', components: { schemas: { A: { [keyword]: value } } } };
  const start = '/components/schemas/A';
  return pointersIn(document)
    .filter((pointer) => pointer !== start)
    .map((pointer) => pointer.slice(start.length));
}

describe('a keyword', () => {
  it.each([
    ...['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames', 'contentSchema'],
    ...['additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems'],
  ])('%s has one schema', (keyword) => {
    expect(inSchema(keyword, S)).toEqual([`/${keyword}`]);
    expect(inSchema(keyword, { [keyword]: S })).toEqual([`/${keyword}`, `/${keyword}/${keyword}`]);
    expect(inSchema(keyword, true)).toEqual([]);
  });

  it.each(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])('%s has a list', (keyword) => {
    expect(inSchema(keyword, [S, { not: S }])).toEqual([
      ...[`/${keyword}/0`, `/${keyword}/1`, `/${keyword}/1/not`],
    ]);
  });

  it.each([
    ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
    ...['$defs', 'definitions'],
  ])('%s has a map', (keyword) => {
    expect(inSchema(keyword, { enum: S, 'x-a': { not: S } })).toEqual([
      ...[`/${keyword}/enum`, `/${keyword}/x-a`, `/${keyword}/x-a/not`],
    ]);
  });

  it.each(['example', 'examples', 'enum', 'const', 'default', 'x-any', 'unknown', 'xml'])(
    '%s has none',
    (keyword) => {
      expect(inSchema(keyword, { not: S, properties: { a: S } })).toEqual([]);
      expect(inSchema(keyword, [{ not: S }])).toEqual([]);
    },
  );
});

const media = {
  'a/b': { schema: S, example: { schema: S }, examples: { e: { value: { not: S } } } },
};
const header = { H: { schema: S }, I: { content: media } };
const operation = {
  parameters: [{ schema: S, example: { schema: S } }, { content: media }],
  requestBody: { content: media },
  responses: {
    200: { headers: header, content: media, links: { l: { parameters: { schema: S } } } },
  },
  callbacks: { c: { '{$url}': { post: { requestBody: { content: media } } } } },
  'x-any': { schema: S },
};

describe('a document', () => {
  const DOCUMENT = {
    openapi: '3.2.0',
    paths: { '/a': { parameters: [{ schema: S }], get: operation }, 'x-any': { get: operation } },
    webhooks: { 'x-b': { post: operation, additionalOperations: { LINK: operation } } },
    components: {
      schemas: { schema: S, 'x-a': S },
      responses: { 'x-r': { content: media }, R: { headers: header } },
      parameters: { schema: { schema: S } },
      examples: { e: { value: { schema: S }, dataValue: { schema: S } } },
      requestBodies: { b: { content: { 'a/b': { itemSchema: S, 'x-item-schema': S } } } },
      headers: header,
      securitySchemes: { s: { schema: S } },
      links: { l: { requestBody: { schema: S }, server: { schema: S } } },
      callbacks: { c: { '{$url}': { post: operation } } },
      pathItems: { p: { get: operation } },
      mediaTypes: { m: { schema: S, encoding: { e: { headers: header } } } },
    },
  };
  const OWN = [
    '/callbacks/c/{$url}/post/requestBody/content/a~1b/schema',
    '/parameters/0/schema',
    '/parameters/1/content/a~1b/schema',
    '/requestBody/content/a~1b/schema',
    '/responses/200/content/a~1b/schema',
    '/responses/200/headers/H/schema',
    '/responses/200/headers/I/content/a~1b/schema',
  ];

  it('has schemas in these places, and in no example, extension and link parameter', () => {
    const within = (...places: string[]) =>
      places.flatMap((place) => OWN.map((each) => place + each));
    const components = [
      ...['/schemas/schema', '/schemas/x-a', '/responses/x-r/content/a~1b/schema'],
      ...['/responses/R/headers/H/schema', '/responses/R/headers/I/content/a~1b/schema'],
      ...['/parameters/schema/schema', '/requestBodies/b/content/a~1b/itemSchema'],
      ...['/requestBodies/b/content/a~1b/x-item-schema', '/headers/H/schema'],
      ...['/headers/I/content/a~1b/schema', '/securitySchemes/s/schema'],
      ...['/links/l/server/schema', '/mediaTypes/m/schema'],
      ...['/mediaTypes/m/encoding/e/headers/H/schema'],
      '/mediaTypes/m/encoding/e/headers/I/content/a~1b/schema',
    ].map((each) => `/components${each}`);
    expect(pointersIn(DOCUMENT)).toEqual(
      [
        ...['/paths/~1a/parameters/0/schema', ...components],
        ...within('/paths/~1a/get', '/webhooks/x-b/post'),
        ...within('/webhooks/x-b/additionalOperations/LINK', '/components/pathItems/p/get'),
        ...within('/components/callbacks/c/{$url}/post'),
      ].sort(),
    );
  });

  it('has objects of OpenAPI besides, but no maps of them', () => {
    const found = new Set([...objectLocations(DOCUMENT)].map(({ pointer }) => pointer));
    for (const pointer of ['', '/components', '/paths/~1a', '/paths/~1a/get', '/webhooks/x-b']) {
      expect([pointer, found.has(pointer)]).toEqual([pointer, true]);
    }
    for (const pointer of ['/paths', '/paths/x-any', '/webhooks', '/components/examples/e']) {
      expect([pointer, found.has(pointer)]).toEqual([pointer, false]);
    }
  });

  it('without openapi is a schema, or a part of an OpenAPI document', () => {
    expect(pointersIn({ not: S })).toEqual(['', '/not']);
    expect(pointersIn({ get: { parameters: [{ schema: S }] } })).toContain(
      '/get/parameters/0/schema',
    );
    const kinds = [...documentParts({ example: { not: S } })].map(({ kind }) => kind);
    expect(kinds).toEqual(['unknown', 'data']);
  });
});

describe('a token of a JSON pointer', () => {
  it.each([
    ['a', 'a'],
    ['', ''],
    ['/', '~1'],
    ['~', '~0'],
    ['~1', '~01'],
    ['~~//~0', '~0~0~1~1~00'],
  ])('%j is written as %j', (token, text) => {
    expect([escapeToken(token), unescapeToken(text)]).toEqual([text, token]);
    expect(valueAt({ [token]: 1 }, `/${text}`)).toBe(1);
  });

  it('finds own values only', () => {
    expect(valueAt([{ a: 1 }], '/0/a')).toBe(1);
    expect(valueAt([{ a: 1 }], '/0/constructor')).toBeUndefined();
    expect(valueAt({ a: 1 }, '')).toEqual({ a: 1 });
    for (const pointer of ['/b', '/a/b', '/toString', '/a/constructor']) {
      expect(valueAt({ a: 1 }, pointer)).toBeUndefined();
    }
  });

  it('in a URI is percent-encoded, unless that is malformed', () => {
    expect(['a%20b', '%7e', '%', '%zz'].map(unescapeUri)).toEqual(['a b', '~', '%', '%zz']);
  });
});
