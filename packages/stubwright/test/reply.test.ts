import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';

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
  const JSON_TYPE = 'application/json';
  const BYTES = 'application/octet-stream';
  const counted = (body: unknown) => ({ status: 200, headers: { 'X-Count': 1 }, body });
  it.each<[reply: { status: number; body: unknown; type?: string }, type: string, text: string]>([
    [counted({ a: 9007199254740993n }), JSON_TYPE, '{"a":9007199254740993}'],
    // The properties of its branch alone, and none that is writeOnly.
    [counted({ b: { x: 1 }, a2: 1 }), JSON_TYPE, '{"b":{"x":1}}'],
    [counted({ a: 1n, secret: 's' }), JSON_TYPE, '{"a":1}'],
    // No default of a property that is absent.
    [{ status: 207, body: {} }, JSON_TYPE, '{}'],
    // A property that is required, and not declared otherwise.
    [{ status: 206, body: { r: { deep: [1] }, x: 1 } }, JSON_TYPE, '{"r":{"deep":[1]}}'],
    [{ status: 201, type: 'text/plain', body: 'abc' }, 'text/plain', 'abc'],
    [{ status: 201, body: 5 }, JSON_TYPE, '5'],
    [{ status: 202, body: Buffer.from('abc') }, BYTES, 'abc'],
    [{ status: 202, body: Readable.from([Buffer.from('a'), Buffer.from('bc')]) }, BYTES, 'abc'],
    [{ status: 202, body: new Blob(['abc']).stream() }, BYTES, 'abc'],
    [{ status: 202, body: new Blob(['abc']) }, BYTES, 'abc'],
    [{ status: 203, type: 'image/svg+xml', body: '<svg/>' }, 'image/svg+xml', '<svg/>'],
    // A range, and default.
    [{ status: 418, body: { title: 't' } }, 'application/problem+json', '{"title":"t"}'],
    [{ status: 503, body: { x: 1 } }, JSON_TYPE, '{"x":1}'],
  ])('is sent: %p', async (given, type, text) => {
    expect(await answerTo(given)).toMatchObject({ status: given.status, type, text });
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

  it.each([counted({ a: 1n }), { status: 202, body: Readable.from(['abc']) }])(
    'has no body for HEAD',
    async (given) => {
      expect(await answerTo(given, { method: 'HEAD' })).toMatchObject({
        status: given.status,
        text: '',
      });
    },
  );
});

describe('a reply that the contract does not declare', () => {
  let production: Toy;
  beforeAll(async () => {
    const handlers = { get: () => reply() };
    production = await serveToy('3.1.0', PATHS, { handlers, isProduction: true });
  });
  afterAll(() => production.close());

  it.each<[unknown, RegExp]>([
    [{ status: 302 }, /get returned 302/],
    [{ status: 200, body: { a: 1n } }, /header x-count is missing/],
    [{ status: 204, headers: { 'X-Y': 1 } }, /header X-Y is not declared/],
    [{ status: 200, headers: { 'X-Count': 10 }, body: { a: 1n } }, /X-Count expected to be <= 9/],
    [{ status: 201, type: 'text/html', body: '' }, /text\/html is not declared/],
    [{ status: 201, type: 'text/plain', body: 'abcdef' }, /5 characters/],
    [{ status: 418, body: { title: 1 } }, /\/title expected string/],
    [{ status: 204, body: 'x' }, /no body is declared/],
    [{ status: 202, body: {} }, /expected text or bytes/],
  ])('is a 500 with the reason, and without it in production: %p', async (given, message) => {
    const { status, text } = await answerTo(given);
    expect(status).toBe(500);
    expect(JSON.parse(text).error).toBe(50000);
    expect(JSON.parse(text).message).toMatch(message);
    const hidden = await production.fetch('/x');
    expect([hidden.status, hidden.text]).toEqual([
      500,
      '{"error":50000,"message":"internal error"}',
    ]);
  });
});

const OWNER = '{type: object, required: [id], properties: {id: {type: integer}}}';
const NAMED = '{type: object, required: [name], properties: {name: {type: string}}}';

describe('the body of a reply', () => {
  const A = 'type: object, properties: {a: {type: string}';
  const DYNAMIC = '$dynamicAnchor: node, $ref: "#/components/schemas/Tree"';
  const LARGE = '9007199254740993';
  const large = Array(100).fill(BigInt(LARGE));
  it.each<[schema: string, body: unknown, text: string]>([
    // Keywords beside a $ref.
    [
      '{$ref: "#/components/schemas/A", required: [b], properties: {b: {type: string}}}',
      { a: 'x', b: 'y' },
      '{"a":"x","b":"y"}',
    ],
    [
      `{${A}, s: {$ref: "#/components/schemas/S", writeOnly: true}}}`,
      { a: 'x', s: 1 },
      '{"a":"x"}',
    ],
    // Both members declare the property.
    [
      `{allOf: [{properties: {owner: ${OWNER}}}, {properties: {owner: ${NAMED}}}]}`,
      { owner: { id: 1, name: 'x' } },
      '{"owner":{"id":1,"name":"x"}}',
    ],
    ['{properties: {n: {type: number, format: int64}}}', { n: large[0] }, `{"n":${LARGE}}`],
    ['{properties: {n: {type: number}}}', { n: large[0] }, `{"n":${LARGE}}`],
    ['{type: array, items: {type: number}}', large, `[${large.join()}]`],
    [`{${A}}, dependentRequired: {a: [b]}}`, { a: 'x', b: 1, c: 1 }, '{"a":"x","b":1}'],
    [
      `{${DYNAMIC}, properties: {name: {type: string}}}`,
      { name: 'a', child: { name: 'b', other: 1 } },
      '{"name":"a","child":{"name":"b"}}',
    ],
    // A property of another branch, which only its value keeps from matching.
    [`{oneOf: [{${A}}}, {${A}, b: {type: string}}}]}`, { a: 'x', b: 5 }, '{"a":"x","b":5}'],
  ])('of %s has the declared properties of %p', async (schema, body, text) => {
    expect(await written(schema, body)).toMatchObject({ status: 200, text });
  });

  it.each<[schema: string, body: unknown, message: RegExp]>([
    [
      `{oneOf: [{required: [a], ${A}}, additionalProperties: false}, {${A}, b: {type: string}}}]}`,
      { a: 'x', internal: 1 },
      /expected to match exactly one schema/,
    ],
    [
      `{type: array, uniqueItems: true, items: {${A}}}}`,
      [1, 2].map((internal) => ({ a: 'x', internal })),
      /expected different items, 0 and 1 are equal/,
    ],
  ])('of %s is refused where it is invalid without undeclared properties', async (...row) => {
    const [schema, body, message] = row;
    const { status, text } = await written(schema, body);
    expect([status, JSON.parse(text).message]).toEqual([500, expect.stringMatching(message)]);
    expect(text).toContain('without undeclared properties: ');
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
  const api = createApi({
    contract: loadedContract(PATHS.replace(/^ +default: .*\n/m, '')),
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
