// Replies without a body, and those of the media types `*/*` and `application/*`, over HTTP.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UndeclaredResponse } from '@stubwright/client';
import { type Served, served } from '../support/clientProject.ts';
import { type AnyClient, generatedClient } from '../support/generatedClient.ts';

const int64 = { type: 'integer', format: 'int64' };
const toy = {
  type: 'object',
  required: ['id'],
  properties: { id: int64, name: { type: 'string' } },
};
const schemas: Readonly<Record<string, object | undefined>> = {
  none: undefined,
  untyped: { description: 'anything' },
  toy,
  toys: { type: 'array', items: toy },
  reference: { $ref: '#/components/schemas/Toy' },
  composed: { allOf: [{ $ref: '#/components/schemas/Toy' }] },
  text: { type: 'string' },
  number: { type: 'number' },
  exact: int64,
  file: { type: 'string', format: 'binary' },
  either: { oneOf: [{ type: 'string', format: 'binary' }, toy] },
};
const RANGES = ['*/*', 'application/*'];
const STATUSES = [200, 204, 205, 304];

const paths: Record<string, object> = {};
const contentOf = (range: string, schema: object | undefined) => ({
  [range]: schema === undefined ? {} : { schema },
});
for (const [name, schema] of Object.entries(schemas)) {
  for (const range of RANGES) {
    const content = contentOf(range, schema);
    const operationId = `${name} ${range}`.replace(/\W+/g, '_');
    paths[`/${operationId}`] = {
      get: { operationId, responses: { '200': { description: 'ok', content } } },
    };
  }
}
const json = { 'application/json': { schema: toy } };
const declared = { description: 'a toy', content: json };
for (const method of ['head', 'get', 'delete']) {
  for (const key of ['200', '204', '205', '304', '2XX', 'default']) {
    paths[`/${method}${key}`] ??= {};
    Object.assign(paths[`/${method}${key}`]!, {
      [method]: { operationId: `${method}${key}`, responses: { [key]: declared } },
    });
  }
}
paths['/count'] = {
  post: {
    operationId: 'count',
    requestBody: { content: { '*/*': {} } },
    responses: {
      200: { description: 'ok', content: { 'text/plain': { schema: { type: 'integer' } } } },
    },
  },
};

let service: Served;
let client: AnyClient;
let next: { status: number; type: string | undefined; body: string | Uint8Array };
let sentType: string | undefined;
beforeAll(async () => {
  service = await served((request, response) => {
    sentType = request.headers['content-type'];
    const { status, type, body } = next;
    response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body);
  });
  const { createClient } = await generatedClient({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths,
    components: { schemas: { Toy: toy } },
  });
  client = createClient({ baseUrl: service.url, retry: false });
});
afterAll(() => service.close());

describe('a reply without a body is returned, also with declared content', () => {
  it.each(
    ['head', 'get', 'delete'].flatMap((method) =>
      ['200', '204', '205', '304', '2XX', 'default'].flatMap((key) =>
        STATUSES.filter((status) => {
          const isDeclared = key === 'default' || key.startsWith(String(status)[0]!);
          const isExact = /^\d+$/.test(key);
          return (
            (isExact ? Number(key) === status : isDeclared) && (method === 'head' || status > 200)
          );
        }).flatMap((status) =>
          ['application/json', 'text/html', undefined].map((type) => [method, key, status, type]),
        ),
      ),
    ) as [string, string, number, string | undefined][],
  )('%s of %s: %i with %s', async (method, key, status, type) => {
    next = { status, type, body: '' };
    expect(await client[`${method}${key}`]!()).toMatchObject({
      ...{ status, type: undefined, body: undefined },
    });
  });

  it('but a 200 of GET without its JSON is undeclared', async () => {
    next = { status: 200, type: 'application/json', body: '' };
    await expect(client['get200']!()).rejects.toThrow('expected JSON');
  });
});

const JSON_TOY = '{"id":9007199254740993,"name":"a"}';
const TOY = { id: 9007199254740993n, name: 'a' };
const BYTES = new Uint8Array([0, 255, 10]);
const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/vnd.toy+json',
  'APPLICATION/PROBLEM+JSON',
];
const UNDECLARED = Symbol('an UndeclaredResponse');

const replies: [
  schema: string,
  type: string | undefined,
  body: string | Uint8Array,
  value: unknown,
][] = [
  ...JSON_TYPES.flatMap((type): typeof replies => [
    ['none', type, '{"a":[1]}', { a: [1] }],
    ['untyped', type, '{"a":[1]}', { a: [1] }],
    ...['toy', 'reference', 'composed', 'either'].map((name): (typeof replies)[number] => [
      name,
      type,
      JSON_TOY,
      TOY,
    ]),
    ['toys', type, `[${JSON_TOY}]`, [TOY]],
    ['text', type, '"a"', 'a'],
    ['number', type, '1.5', 1.5],
    ['exact', type, '9007199254740993', 9007199254740993n],
    ['file', type, '{}', new TextEncoder().encode('{}')],
    ['toy', type, '{', UNDECLARED],
  ]),
  ['none', 'text/plain', 'a', 'a'],
  ['none', 'text/html; charset=utf-8', '<p>', '<p>'],
  ['none', 'application/octet-stream', BYTES, BYTES],
  ['none', 'image/png', BYTES, BYTES],
  ['none', undefined, BYTES, BYTES],
  ['untyped', 'text/plain', 'a', 'a'],
  ['untyped', 'image/png', BYTES, BYTES],
  ['text', 'text/plain', '"a"', '"a"'],
  ['text', 'application/yaml', 'a: 1', 'a: 1'],
  ['number', 'text/plain', '1.5', 1.5],
  ['exact', 'text/plain', '9007199254740993', 9007199254740993n],
  ['file', 'image/png', BYTES, BYTES],
  ['file', 'text/plain', BYTES, BYTES],
  ['file', undefined, BYTES, BYTES],
  ['either', 'image/png', BYTES, BYTES],
  ['toy', undefined, JSON_TOY, TOY],
  ['toy', 'text/plain', JSON_TOY, TOY],
  ['toy', 'image/png', BYTES, UNDECLARED],
  ['toy', 'text/html', '<p>', UNDECLARED],
];

describe('a reply of a range is read by its Content-Type and typed by its schema', () => {
  it.each(RANGES.flatMap((range) => replies.map((each) => [range, ...each] as const)))(
    '%s of %s: %s',
    async (range, schema, type, body, value) => {
      next = { status: 200, type, body };
      const act = client[`${schema} ${range}`.replace(/\W+/g, '_')]!();
      const isOutside =
        range === 'application/*' && !(type ?? 'application/').match(/^application/i);
      if (isOutside || value === UNDECLARED) {
        await expect(act).rejects.toBeInstanceOf(UndeclaredResponse);
        return;
      }
      const reply = await act;
      expect(reply.body).toEqual(value);
      expect(reply.type).toBe(type === undefined ? range : type.replace(/;.*/, '').toLowerCase());
    },
  );
});

it('a number of text/plain is read, and a body of any type is sent as bytes', async () => {
  next = { status: 200, type: 'text/plain', body: '5' };
  expect((await client['count']!({ body: BYTES })).body).toBe(5);
  expect(sentType).toBe('application/octet-stream');
});
