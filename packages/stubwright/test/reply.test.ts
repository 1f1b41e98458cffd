import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { parse } from 'yaml';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';

let toy: Toy;
let reply: () => unknown;
const PATHS = `
paths:
  /x:
    get:
      operationId: get
      responses:
        '200':
          description: ok
          headers:
            X-Count: {required: true, schema: {type: integer, maximum: 9}}
            X-Note: {schema: {type: array, items: {type: string}}}
            X-Map: {explode: true, schema: {type: object}}
            X-Json: {content: {application/json: {schema: {type: object}}}}
          content:
            application/json:
              schema:
                oneOf:
                  - {type: object, required: [a], properties: {a: {type: integer, format: int64}, secret: {type: string, writeOnly: true}}}
                  - {type: object, required: [b], properties: {b: {type: object, additionalProperties: {type: integer}}}}
        '206': {description: odd, content: {application/json: {schema: {type: object, required: [r], properties: {a: {type: string}}}}}}
        '201': {description: text, content: {text/plain: {schema: {type: string, maxLength: 5}}, application/json: {schema: {type: integer}}}}
        '202': {description: bytes, content: {application/octet-stream: {}}}
        '203': {description: anything, content: {'*/*': {}}}
        '204': {description: nothing}
        '207': {description: defaults, content: {application/json: {schema: {type: object, properties: {a: {type: integer, default: 1}}}}}}
        4XX: {description: range, content: {application/problem+json: {schema: {type: object, properties: {title: {type: string}}}}}}
        '500': {description: an internal error, content: {application/json: {}}}
        default: {description: rest, content: {application/json: {schema: {type: object, required: [x]}}}}
`;

beforeAll(async () => {
  toy = await serveToy('3.1.0', PATHS, { handlers: { get: () => reply() } });
});
afterAll(() => toy.close());

async function answerTo(given: unknown, init?: RequestInit) {
  reply = () => given;
  const { status, headers, text } = await toy.fetch('/x', init);
  return { status, text, type: headers.get('content-type'), headers };
}

describe('a reply that the contract declares', () => {
  const count = { 'X-Count': 1 };
  it.each<[string, unknown, number, string | null, string]>([
    [
      'an int64',
      { status: 200, headers: count, body: { a: 9007199254740993n } },
      200,
      'application/json',
      '{"a":9007199254740993}',
    ],
    [
      'the fields of its branch only',
      { status: 200, headers: count, body: { b: { x: 1 }, a2: 1 } },
      200,
      'application/json',
      '{"b":{"x":1}}',
    ],
    [
      'nothing that is writeOnly',
      { status: 200, headers: count, body: { a: 1n, secret: 's' } },
      200,
      'application/json',
      '{"a":1}',
    ],
    ['no default of an omitted property', { status: 207, body: {} }, 207, 'application/json', '{}'],
    [
      'a field that is required and nothing more',
      { status: 206, body: { r: { deep: [1] }, x: 1 } },
      206,
      'application/json',
      '{"r":{"deep":[1]}}',
    ],
    ['text', { status: 201, type: 'text/plain', body: 'abc' }, 201, 'text/plain', 'abc'],
    ['JSON where there is a choice', { status: 201, body: 5 }, 201, 'application/json', '5'],
    ['bytes', { status: 202, body: Buffer.from('abc') }, 202, 'application/octet-stream', 'abc'],
    [
      'a stream',
      { status: 202, body: Readable.from([Buffer.from('a'), Buffer.from('bc')]) },
      202,
      'application/octet-stream',
      'abc',
    ],
    [
      'a web stream',
      { status: 202, body: new Blob(['abc']).stream() },
      202,
      'application/octet-stream',
      'abc',
    ],
    ['a Blob', { status: 202, body: new Blob(['abc']) }, 202, 'application/octet-stream', 'abc'],
    [
      'any type',
      { status: 203, type: 'image/svg+xml', body: '<svg/>' },
      203,
      'image/svg+xml',
      '<svg/>',
    ],
    [
      'a status of a range',
      { status: 418, body: { title: 't' } },
      418,
      'application/problem+json',
      '{"title":"t"}',
    ],
    ['a status of default', { status: 503, body: { x: 1 } }, 503, 'application/json', '{"x":1}'],
  ])('is sent: %s', async (_, given, status, type, text) => {
    expect(await answerTo(given)).toMatchObject({ status, type, text });
  });

  it('is sent with its headers', async () => {
    const { headers } = await answerTo({
      status: 200,
      headers: { 'x-count': 2, 'X-Note': ['a', 'b'], 'X-Map': { a: 1, b: 2 }, 'X-Json': { a: 1n } },
      body: { a: 1n },
    });
    expect([headers.get('x-count'), headers.get('x-note')]).toEqual(['2', 'a,b']);
    expect([headers.get('x-map'), headers.get('x-json')]).toEqual(['a=1,b=2', '{"a":1}']);
  });

  it('is 204 without a body', async () => {
    expect(await answerTo({ status: 204 })).toMatchObject({ status: 204, text: '' });
  });

  it.each([
    { status: 200, headers: count, body: { a: 1n } },
    { status: 202, body: Readable.from(['abc']) },
  ])('has no body for HEAD', async (given) => {
    expect(await answerTo(given, { method: 'HEAD' })).toMatchObject({
      status: given.status,
      text: '',
    });
  });
});

const UNDECLARED: [string, unknown, RegExp][] = [
  ['an undeclared status', { status: 302 }, /get returned 302/],
  ['a missing header', { status: 200, body: { a: 1n } }, /header x-count is missing/],
  ['an undeclared header', { status: 204, headers: { 'X-Y': 1 } }, /header X-Y is not declared/],
  [
    'a header that breaks its schema',
    { status: 200, headers: { 'X-Count': 10 }, body: { a: 1n } },
    /header X-Count expected to be <= 9/,
  ],
  [
    'an undeclared media type',
    { status: 201, type: 'text/html', body: '' },
    /text\/html is not declared/,
  ],
  [
    'a body that breaks its schema',
    { status: 201, type: 'text/plain', body: 'abcdef' },
    /5 characters/,
  ],
  ['a body of the wrong type', { status: 418, body: { title: 1 } }, /\/title expected string/],
  ['a body where none is declared', { status: 204, body: 'x' }, /no body is declared/],
  ['an object as bytes', { status: 202, body: {} }, /expected text or bytes/],
  ['nothing at all', undefined, /./],
];

describe('a reply that the contract does not declare', () => {
  it.each(UNDECLARED)('is a 500 with reason and location: %s', async (_, given, message) => {
    const { status, text } = await answerTo(given);
    expect(status).toBe(500);
    expect(JSON.parse(text).error).toBe(50000);
    expect(JSON.parse(text).message).toMatch(message);
  });

  it.each(UNDECLARED)('is a 500 without details in production: %s', async (_, given) => {
    const own = await serveToy('3.1.0', PATHS, {
      handlers: { get: () => given },
      exposeErrors: false,
    });
    const { status, text } = await own.fetch('/x');
    await own.close();
    expect([status, text]).toEqual([500, '{"error":50000,"message":"internal error"}']);
  });
});

const OWNER = '{type: object, required: [id], properties: {id: {type: integer}}}';
const NAMED = '{type: object, required: [name], properties: {name: {type: string}}}';

describe('the body of a reply', () => {
  it.each<[string, string, unknown, string]>([
    [
      'siblings of $ref',
      '{$ref: "#/components/schemas/A", required: [b], properties: {b: {type: string}}}',
      { a: 'x', b: 'y' },
      '{"a":"x","b":"y"}',
    ],
    [
      'a property that two members of allOf declare',
      `{allOf: [{type: object, properties: {owner: ${OWNER}}}, {type: object, properties: {owner: ${NAMED}}}]}`,
      { owner: { id: 1, name: 'x' } },
      '{"owner":{"id":1,"name":"x"}}',
    ],
    [
      'an int64 of type number',
      '{type: object, properties: {n: {type: number, format: int64}}}',
      { n: 9007199254740993n },
      '{"n":9007199254740993}',
    ],
    [
      'a large integer of type number',
      '{type: object, properties: {n: {type: number}, list: {type: array, items: {type: number}}}}',
      { n: 9007199254740993n, list: Array(100).fill(9007199254740993n) },
      `{"n":9007199254740993,"list":[${Array(100).fill('9007199254740993').join()}]}`,
    ],
    [
      'what a dependent property requires',
      '{type: object, properties: {a: {type: string}}, dependentRequired: {a: [b]}}',
      { a: 'x', b: 1, c: 1 },
      '{"a":"x","b":1}',
    ],
    [
      'what a dynamic anchor declares',
      '{$dynamicAnchor: node, $ref: "#/components/schemas/Tree", properties: {name: {type: string}}}',
      { name: 'a', child: { name: 'b', other: 1 } },
      '{"name":"a","child":{"name":"b"}}',
    ],
    [
      'no property that is writeOnly beside its $ref',
      '{type: object, properties: {a: {type: string}, s: {$ref: "#/components/schemas/S", writeOnly: true}}}',
      { a: 'x', s: 'secret' },
      '{"a":"x"}',
    ],
    [
      'a property of another branch of oneOf, where only its value keeps that branch from matching',
      '{oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {a: {type: string}, b: {type: string}}}]}',
      { a: 'x', b: 5 },
      '{"a":"x","b":5}',
    ],
  ])('contains %s', async (_, schema, body, text) => {
    expect(await written(schema, body)).toMatchObject({ status: 200, text });
  });

  it.each<[string, string, unknown, RegExp]>([
    [
      'a oneOf matches one branch only by a property that is not declared',
      '{oneOf: [{type: object, required: [a], properties: {a: {type: string}}, additionalProperties: false}, {type: object, properties: {a: {type: string}, b: {type: string}}}]}',
      { a: 'x', internal: 1 },
      /without undeclared properties: expected to match exactly one schema/,
    ],
    [
      'items differ only by a property that is not declared',
      '{type: array, uniqueItems: true, items: {type: object, properties: {a: {type: string}}}}',
      [
        { a: 'x', internal: 1 },
        { a: 'x', internal: 2 },
      ],
      /without undeclared properties: expected different items, 0 and 1 are equal/,
    ],
  ])('is refused where %s', async (_, schema, body, message) => {
    const { status, text } = await written(schema, body);
    expect([status, JSON.parse(text).message]).toEqual([500, expect.stringMatching(message)]);
  });
});

async function written(schema: string, body: unknown) {
  const own = await serveToy(
    '3.1.0',
    `paths: {/x: {get: {operationId: get, responses: {'200': {description: ok, content: {application/json: {schema: ${schema}}}}}}}}
components: {schemas: {A: {type: object, properties: {a: {type: string}}}, S: {type: string}, Tree: {$dynamicAnchor: node, type: object, properties: {child: {$dynamicRef: "#node"}}}}}`,
    { handlers: { get: () => ({ status: 200, body }) } },
  );
  try {
    return await own.fetch('/x');
  } finally {
    await own.close();
  }
}

describe('a reply without validation', () => {
  const info = "openapi: 3.1.0\ninfo: {title: Toys, version: '1'}";
  const definition = new Contract(parse(`${info}${PATHS.replace(/^ +default: .*\n/m, '')}`));
  const publish = () => Promise.resolve({ text: '', servers: [0, 0] as const });
  const api = createApi({
    contract: { definition, warnings: [], files: [], publish },
    handlers: { get: () => reply() },
    responseValidation: 'off',
  });
  const send = async (given: unknown) => {
    reply = () => given;
    const response = await fetchHandler(await api)(new Request('http://t/x'));
    const { status, headers } = response;
    return { status, headers, text: await response.text(), type: headers.get('content-type') };
  };

  it.each<[unknown, string | null]>([
    ['a', 'a'],
    [1n, '1'],
    [false, 'false'],
    [null, 'null'],
    [[1, 'b'], '1,b'],
    [{ a: 1, b: 2 }, 'a,1,b,2'],
    [undefined, null],
  ])('has the undeclared header %j as text', async (value, text) => {
    const { headers } = await send({ status: 200, headers: { 'X-Other-Length': value }, body: {} });
    expect(headers.get('x-other-length')).toBe(text);
  });

  it.each<[unknown, string | undefined, string, string]>([
    ['a', undefined, 'text/plain; charset=utf-8', 'a'],
    ['a', 'application/json', 'application/json', '"a"'],
    [{ a: 1n }, undefined, 'application/json', '{"a":1}'],
    [[1], undefined, 'application/json', '[1]'],
    [Buffer.from('a'), undefined, 'application/octet-stream', 'a'],
    [Readable.from([Buffer.from('a')]), 'image/png', 'image/png', 'a'],
  ])('has the undeclared body %p as it is', async (body, type, sent, text) => {
    expect(await send({ status: 299, type, body })).toMatchObject({
      status: 299,
      type: sent,
      text,
    });
  });

  it.each([199, 600, 200.5])('has no status %d', async (status) => {
    expect((await send({ status, body: {} })).status).toBe(500);
  });
});
