// The client of stubwright/testing: in process and over HTTP, against a served contract and wrong responses.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract, type LoadedContract } from '@stubwright/contract';
import { parse } from 'yaml';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import { ContractViolation, type TestClient, testClient } from '../src/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: the contracts of this test have no generated types
type Any = any;

function contractOf(yaml: string): LoadedContract {
  const publish = () => Promise.resolve({ text: '', servers: [0, 0] as const });
  return { definition: new Contract(parse(yaml)), warnings: [], files: [], publish };
}

const ECHO_TYPES = `
      application/json: {schema: {$ref: '#/components/schemas/Toy'}}
      application/problem+json: {schema: {$ref: '#/components/schemas/Toy'}}
      application/xml: {schema: {$ref: '#/components/schemas/Toy'}}
      text/plain: {schema: {type: string, minLength: 1}}
      text/csv: {}
      image/*: {schema: {type: string, format: binary}}
      application/octet-stream: {}`;

const SERVED = contractOf(`
openapi: 3.0.3
info: {title: Toys, version: '1'}
servers: [{url: 'https://toys.example/v1'}]
paths:
  /echo:
    post:
      operationId: echo
      requestBody: {required: true, content: {${''}${inFlow(ECHO_TYPES)}}}
      responses: {'200': {description: ok, content: {${inFlow(ECHO_TYPES)}}}, 4XX: {description: wrong, content: {'application/problem+json': {}}}}
  /forms:
    post:
      operationId: sendForm
      requestBody:
        content:
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Form'}, encoding: {size: {style: deepObject}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Form'}}}}}
  /files:
    post:
      operationId: sendFiles
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo]
              properties:
                photo: {type: string, format: binary}
                more: {type: array, items: {type: string, format: binary}}
                id: {type: integer, format: int64}
                note: {type: string}
                toy: {$ref: '#/components/schemas/Toy'}
            encoding: {photo: {contentType: 'image/png, image/gif'}, note: {contentType: application/json}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, additionalProperties: true}}}}}
  /archive:
    get:
      operationId: getArchive
      responses:
        '200':
          description: ok
          content:
            multipart/form-data:
              schema: {type: object, required: [photo, id], properties: {photo: {type: string, format: binary}, id: {type: integer, format: int64}}}
  /toys/{id}/{tags}:
    get:
      operationId: getToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
        - {name: tags, in: path, required: true, style: label, explode: true, schema: {type: array, items: {type: string}}}
        - {name: limit, in: query, schema: {type: integer, default: 10}}
        - {name: words, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: piped, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {size: {type: integer}, box: {type: object, properties: {depth: {type: integer}}}}}}
        - {name: url, in: query, allowReserved: true, schema: {type: string}}
        - {name: json, in: query, content: {application/json: {schema: {type: object, properties: {id: {type: integer, format: int64}}}}}}
        - {name: X-Sizes, in: header, schema: {type: array, items: {type: integer}}}
        - {name: X-Json, in: header, content: {application/json: {schema: {type: object}}}}
        - {name: session, in: cookie, schema: {type: string}}
      responses:
        '200':
          description: ok
          headers:
            X-Left: {required: true, schema: {type: integer, format: int64}}
            X-List: {schema: {type: array, items: {type: integer}}}
            X-Map: {explode: true, schema: {type: object, properties: {a: {type: integer}}}}
            X-Json: {content: {application/json: {schema: {type: array, items: {type: integer, format: int64}}}}}
          content: {application/json: {}}
        '304': {description: not modified}
  /nothing: {delete: {operationId: deleteNothing, responses: {'204': {description: gone}, default: {description: other}}}}
components:
  schemas:
    Toy:
      allOf:
        - {type: object, required: [name], properties: {name: {type: string}, tag: {type: string, xml: {attribute: true}}}}
        - {type: object, required: [id], properties: {id: {type: integer, format: int64}}}
    Form:
      type: object
      properties:
        id: {type: integer, format: int64}
        words: {type: array, items: {type: string}}
        size: {type: object, properties: {depth: {type: integer}}}
`);

/** @returns lines of a block mapping as entries of a flow mapping */
function inFlow(lines: string): string {
  return lines
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/^([^:]+):/, "'$1':"))
    .join(', ');
}

async function filesIn(body: Record<string, Any>): Promise<Record<string, unknown>> {
  const entries = Object.entries(body).map(async ([name, value]) => [name, await shown(value)]);
  return Object.fromEntries(await Promise.all(entries));
}

async function shown(value: Any): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  return value instanceof Blob ? `${value.type} ${await value.text()}` : value;
}

const BOUNDARY = 'multipart/form-data; boundary=b';
const ARCHIVE = [
  '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\n9007199254740993\r\n',
  '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n',
  'Content-Type: image/png\r\n\r\nPNG\r\n--b--\r\n',
].join('');

const handlers: Record<string, Any> = {
  echo: ({ body, mediaType }: Any) => ({ status: 200, type: mediaType, body }),
  sendForm: ({ body }: Any) => ({ status: 200, body }),
  sendFiles: async ({ body }: Any) => ({ status: 200, body: await filesIn(body) }),
  getArchive: () => ({ status: 200, type: BOUNDARY, body: Buffer.from(ARCHIVE) }),
  getToy: ({ path, query, header, cookie }: Any) => ({
    status: 200,
    headers: { 'X-Left': 9007199254740993n, 'X-List': [1, 2], 'X-Map': { a: 1 }, 'X-Json': [5n] },
    body: { path, query, header, cookie },
  }),
  deleteNothing: () => ({ status: 204 }),
};

const TOY = { id: 9007199254740993n, name: 'Bär & <co>' };

describe.each(['in process', 'over HTTP'])('a test client %s', (kind) => {
  let server: Server | undefined;
  let target: Parameters<typeof testClient>[0]['target'];
  let client: TestClient<Record<string, Any>>;

  beforeAll(async () => {
    if (kind === 'in process') {
      const api = await createApi<undefined, Request>({ contract: SERVED, handlers });
      target = fetchHandler(api);
      client = await testClient({ contract: SERVED, target });
      return;
    }
    const listener = requestListener(await createApi({ contract: SERVED, handlers }));
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server!.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    target = `http://127.0.0.1:${port}`;
    client = await testClient({ contract: SERVED, target });
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });

  it.each<[string, unknown, unknown?]>([
    ['application/json', TOY],
    ['application/problem+json', TOY],
    ['application/xml', { ...TOY, tag: 'soft' }],
    ['text/plain', 'käse'],
    ['text/csv', 'a,b'],
    ['application/octet-stream', Uint8Array.of(0, 255)],
    ['image/png', new Blob(['PNG']), new TextEncoder().encode('PNG')],
    ['image/gif', new TextEncoder().encode('GIF')],
    [
      'application/octet-stream',
      Readable.from([Buffer.from('ab')]),
      new TextEncoder().encode('ab'),
    ],
  ])('sends and reads %s', async (mediaType, body, expected = body) => {
    const answer = await client.call('echo', { mediaType, body });
    expect(answer).toMatchObject({ status: 200, type: mediaType });
    expect(answer.body).toEqual(expected);
  });

  it('sends JSON by default, and a Blob as its own type', async () => {
    expect((await client.call('echo', { body: TOY })).type).toBe('application/json');
    const png = new Blob(['PNG'], { type: 'image/png' });
    expect((await client.call('echo', { body: png })).type).toBe('image/png');
    const xml = Buffer.from('<Toy><name>x</name><id>1</id></Toy>');
    expect((await client.call('echo', { body: xml })).type).toBe('application/xml');
  });

  it('sends forms', async () => {
    const body = { id: 9007199254740993n, words: ['a&b', 'c d'], size: { depth: 2 } };
    expect((await client.call('sendForm', { body })).body).toEqual(body);
  });

  it('sends files of a form', async () => {
    const { body } = await client.call('sendFiles', {
      body: {
        photo: new TextEncoder().encode('PNG'),
        more: [new File(['a'], 'a.txt', { type: 'text/plain' }), new Blob(['b'])],
        id: 9007199254740993n,
        note: '5',
        toy: TOY,
      },
    });
    expect(body).toEqual({
      photo: 'image/png PNG',
      more: ['text/plain a', 'application/octet-stream b'],
      id: 9007199254740993n,
      note: '5',
      toy: { ...TOY },
    });
    const form = new FormData();
    form.set('photo', new Blob(['x'], { type: 'image/gif' }));
    expect((await client.call('sendFiles', { body: form })).body).toEqual({ photo: 'image/gif x' });
  });

  it('reads a form with a file', async () => {
    const { body } = await client.call('getArchive');
    expect(body.id).toBe(9007199254740993n);
    expect(body.photo).toMatchObject({ name: 'a.png', type: 'image/png' });
    expect(await body.photo.text()).toBe('PNG');
  });

  it('serializes parameters as they are declared', async () => {
    const query = {
      words: ['a,b', 'c'],
      piped: [1, 2],
      filter: { size: 1, box: { depth: 2 } },
      url: 'http://a/b?c=d&e',
      json: { id: 1 },
    };
    const { body, headers } = await client.call('getToy', {
      path: { id: 9223372036854775807n, tags: ['a,b', 'c/d'] },
      query,
      header: { 'x-sizes': [3, 4], 'X-Json': { a: 'b' }, 'X-Other': 1 },
      cookie: { session: 'a; b' },
    });
    expect(body).toEqual({
      path: { id: 9223372036854775807n, tags: ['a,b', 'c/d'] },
      query: { ...query, limit: 10 },
      header: { 'X-Sizes': [3, 4], 'X-Json': { a: 'b' } },
      cookie: { session: 'a; b' },
    });
    expect(headers).toEqual({
      'X-Left': 9007199254740993n,
      'X-List': [1, 2],
      'X-Map': { a: 1 },
      'X-Json': [5n],
    });
  });

  it('sends undeclared parameters, which the service rejects', async () => {
    const { status, body } = await client.call('deleteNothing', { query: { more: 1 } });
    expect([status, body]).toEqual([400, undefined]);
  });

  it('creates valid requests from the contract', async () => {
    const request = client.example('echo');
    expect(request.method).toBe('POST');
    expect(new URL(request.url).pathname).toBe('/v1/echo');
    const response = await client.fetch(request);
    expect(response.status).toBe(200);
    expect(() => client.example('none')).toThrow('the contract has no operation none');
  });

  it('fetches any path, and checks the operations of the contract', async () => {
    expect((await client.fetch('/nothing', { method: 'DELETE' })).status).toBe(204);
    expect((await client.fetch('/nowhere')).status).toBe(404);
    expect((await client.fetch('/archive', { method: 'HEAD' })).status).toBe(200);
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' };
    const wrong = await client.fetch('/echo', init);
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ status: 400 });
    await expect(client.fetch('/forms', { ...init })).rejects.toThrow(
      'sendForm responded 415: status is not declared',
    );
  });

  it('reports the declared responses that it has not received', async () => {
    const other = await testClient<Record<string, Any>>({ contract: SERVED, target });
    const all = other.uncovered();
    await other.call('deleteNothing');
    await other.call('echo', { mediaType: 'image/png', body: new Blob(['PNG']) });
    expect([...other.seen].sort()).toEqual(['deleteNothing 204', 'echo 200 image/*']);
    expect(all).toEqual(expect.arrayContaining([...other.seen, 'getToy 304', 'echo 200 text/csv']));
    expect(other.uncovered()).toEqual(all.filter((response) => !other.seen.has(response)));
  });
});

const WRONG = contractOf(`
openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    get:
      operationId: getToys
      responses:
        '200':
          description: ok
          headers:
            X-Left: {required: true, schema: {type: integer, format: int64}}
            X-List: {schema: {type: array, items: {type: integer}, maxItems: 2}}
          content:
            application/json: {schema: {$ref: '#/components/schemas/Toy'}}
            application/xml: {schema: {$ref: '#/components/schemas/Toy'}}
            text/plain: {schema: {type: string, maxLength: 3}}
        '202': {description: no body}
        '203': {description: pets, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '204': {description: nothing, content: {application/json: {}}}
        '304': {description: not modified, headers: {ETag: {required: true, schema: {type: string}}}}
        4XX: {description: wrong, content: {application/problem+json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
components:
  schemas:
    Toy:
      allOf:
        - {type: object, required: [name], properties: {name: {type: string}, secret: {type: string, writeOnly: true}}}
        - {type: object, required: [id], properties: {id: {type: integer, format: int64}, made: {type: string, format: date}, inner: {$ref: '#/components/schemas/Inner'}}}
    Inner: {type: object, properties: {size: {type: integer, default: 5}}}
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
      discriminator: {propertyName: kind}
    Cat: {type: object, required: [kind, lives], properties: {kind: {const: Cat}, lives: {type: integer, format: int64}}}
    Dog: {type: object, required: [kind, breed], properties: {kind: {const: Dog}, breed: {type: string}}}
`);

const JSON_HEADERS = { 'Content-Type': 'application/json', 'X-Left': '1' };
const XML_HEADERS = { ...JSON_HEADERS, 'Content-Type': 'application/xml' };
const TEXT_HEADERS = { ...JSON_HEADERS, 'Content-Type': 'text/plain' };
const PROBLEM = { 'Content-Type': 'application/problem+json' };

/** @returns a client of a service with one response */
function clientOf(
  body: string | null,
  status: number,
  headers: Record<string, string>,
  options: Partial<Parameters<typeof testClient>[0]> = {},
): Promise<TestClient<Record<string, Any>>> {
  const target = async () => {
    const response = new Response(body, { status, headers });
    if (headers['Content-Type'] === undefined) response.headers.delete('content-type');
    return response;
  };
  return testClient({ contract: WRONG, target, ...options });
}

describe('a response', () => {
  it.each<[string, number, Record<string, string>, string | null, string]>([
    ['an undeclared status', 500, {}, null, 'status is not declared'],
    ['a missing property', 200, JSON_HEADERS, '{"id":1}', '/name is required'],
    [
      'a property of an allOf',
      200,
      JSON_HEADERS,
      '{"name":"x","id":"1"}',
      '/id expected an int64 integer',
    ],
    [
      'an int64 out of range',
      200,
      JSON_HEADERS,
      '{"name":"x","id":9223372036854775808}',
      '/id expected an int64 integer',
    ],
    [
      'a format',
      200,
      JSON_HEADERS,
      '{"name":"x","id":1,"made":"today"}',
      '/made expected to match format "date"',
    ],
    [
      'an undeclared property',
      200,
      JSON_HEADERS,
      '{"name":"x","id":1,"more":1}',
      '/more is not declared for a response',
    ],
    [
      'an inner undeclared property',
      200,
      JSON_HEADERS,
      '{"name":"x","id":1,"inner":{"a/b":1}}',
      '/inner/a~1b is not declared for a response',
    ],
    [
      'a writeOnly property',
      200,
      JSON_HEADERS,
      '{"name":"x","id":1,"secret":"y"}',
      '/secret is not declared for a response',
    ],
    ['malformed JSON', 200, JSON_HEADERS, '{', 'expected JSON'],
    [
      'duplicate keys',
      200,
      JSON_HEADERS,
      '{"id":1,"id":1}',
      'expected no duplicate keys in an object',
    ],
    ['another JSON type', 200, JSON_HEADERS, '[]', 'expected object'],
    ['no body', 200, JSON_HEADERS, null, 'expected a body'],
    [
      'no Content-Type',
      200,
      { 'X-Left': '1' },
      '{}',
      'expected Content-Type application/json, application/xml, text/plain, got none',
    ],
    [
      'another media type',
      200,
      { ...JSON_HEADERS, 'Content-Type': 'text/html' },
      '',
      'expected Content-Type application/json, application/xml, text/plain, got text/html',
    ],
    [
      'a missing header',
      200,
      { 'Content-Type': 'application/json' },
      '{"name":"x","id":1}',
      'header X-Left is required',
    ],
    [
      'a header of another type',
      200,
      { ...JSON_HEADERS, 'X-Left': '0.5' },
      '{"name":"x","id":1}',
      'header X-Left expected an int64 integer',
    ],
    [
      'a header with too many items',
      200,
      { ...JSON_HEADERS, 'X-List': '1, 2,3' },
      '{"name":"x","id":1}',
      'header X-List expected to NOT have more than 2 items',
    ],
    ['malformed XML', 200, XML_HEADERS, '<Toy>', 'expected well-formed XML'],
    [
      'XML with another type',
      200,
      XML_HEADERS,
      '<Toy><name>x</name><id>y</id></Toy>',
      '/id expected an int64 integer',
    ],
    ['a text', 200, TEXT_HEADERS, 'long', 'expected to NOT have more than 3 characters'],
    ['an undeclared body', 202, {}, 'x', 'no body is declared'],
    [
      'a missing discriminator',
      203,
      JSON_HEADERS,
      '{"lives":9}',
      '/kind expected one of ["Cat","Dog"]',
    ],
    ['another branch', 203, JSON_HEADERS, '{"kind":"Dog","lives":9}', '/breed is required'],
    [
      'the property of another branch',
      203,
      JSON_HEADERS,
      '{"kind":"Cat","lives":9,"breed":"x"}',
      '/breed is not declared for a response',
    ],
    ['a 304 without its header', 304, {}, null, 'header ETag is required'],
    ['a range', 404, PROBLEM, '{}', '/title is required'],
  ])('is rejected for %s', async (_what, status, headers, body, violation) => {
    const client = await clientOf(body, status, headers);
    const error = await client.call('getToys').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ContractViolation);
    expect(error).toMatchObject({ operationId: 'getToys', status });
    const [line, second] = (error as Error).message.split('\n');
    expect(line).toContain(`getToys responded ${status}: `);
    expect(line).toContain(violation);
    expect(second).toBe(body ? `body: ${body}` : undefined);
  });

  it.each<[string, number, Record<string, string>, string | null, unknown]>([
    [
      'an object',
      200,
      JSON_HEADERS,
      '{"name":"x","id":1,"inner":{}}',
      { name: 'x', id: 1n, inner: {} },
    ],
    [
      'a charset',
      200,
      { ...JSON_HEADERS, 'Content-Type': 'application/json; charset=utf-8' },
      '{"name":"x","id":1}',
      { name: 'x', id: 1n },
    ],
    [
      'XML',
      200,
      XML_HEADERS,
      '<Toy><name>x</name><id>9007199254740993</id></Toy>',
      { name: 'x', id: 9007199254740993n },
    ],
    ['no body where none is declared', 202, {}, null, undefined],
    ['a branch', 203, JSON_HEADERS, '{"kind":"Cat","lives":9}', { kind: 'Cat', lives: 9n }],
    ['a 204 although a body is declared', 204, {}, null, undefined],
    ['a 304', 304, { ETag: '"a"' }, null, undefined],
    ['a range', 404, PROBLEM, '{"title":"x"}', { title: 'x' }],
  ])('is accepted with %s', async (_what, status, headers, body, expected) => {
    const client = await clientOf(body, status, headers);
    const answer = await client.call('getToys');
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(expected);
    // The default of a response is not part of what the service sent.
    expect(await answer.response.text()).toBe(body ?? '');
  });

  it('has a limited number of violations for any size', async () => {
    const more = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`more${at}`, 1]));
    const text = JSON.stringify({ name: 'x', id: 1, ...more });
    const client = await clientOf(text, 200, JSON_HEADERS);
    const { violations } = await client.call('getToys').catch((error) => error);
    expect(violations).toHaveLength(51);
    expect(violations[0]).toBe('/more0 is not declared for a response');
    expect(violations[50]).toBe('and more');
  });

  it('may have undeclared properties if they are allowed', async () => {
    const text = '{"name":"x","id":1,"more":1}';
    const client = await clientOf(text, 200, JSON_HEADERS, { undeclaredProperties: 'allow' });
    expect((await client.call('getToys')).body).toEqual({ name: 'x', id: 1n, more: 1 });
  });

  it('to HEAD has headers but no body', async () => {
    const client = await clientOf(null, 200, JSON_HEADERS);
    expect((await client.fetch('/toys', { method: 'HEAD' })).status).toBe(200);
    const wrong = await clientOf(null, 200, { 'X-Left': '1', 'Content-Type': 'text/html' });
    await expect(wrong.fetch('/toys', { method: 'HEAD' })).rejects.toThrow(/got text\/html/);
  });
});

describe('a request', () => {
  async function requestsOf(options: Partial<Parameters<typeof testClient>[0]>) {
    const requests: Request[] = [];
    const target = async (request: Request) => {
      requests.push(request);
      return new Response(null, { status: 204 });
    };
    const client: TestClient<Record<string, Any>> = await testClient({
      contract: SERVED,
      target,
      ...options,
    });
    return { client, requests };
  }

  it('has the base path and the headers of the client', async () => {
    const { client, requests } = await requestsOf({
      headers: { Authorization: 'Bearer a', 'X-A': '1' },
    });
    await client.call('deleteNothing', { header: { 'X-A': undefined, 'X-B': 2 } });
    await client.fetch('/nothing', { method: 'DELETE', headers: { Authorization: 'Bearer b' } });
    expect(requests.map(({ url }) => url)).toEqual(Array(2).fill('http://localhost/v1/nothing'));
    expect(requests.map(({ headers }) => Object.fromEntries(headers))).toEqual([
      { authorization: 'Bearer a', 'x-b': '2' },
      { authorization: 'Bearer b', 'x-a': '1' },
    ]);
  });

  it('has another base path if it is set', async () => {
    const { client, requests } = await requestsOf({ basePath: '/v2' });
    await client.call('deleteNothing');
    await client.fetch('http://localhost/v2/nothing', { method: 'DELETE' });
    expect(requests.map(({ url }) => url)).toEqual(Array(2).fill('http://localhost/v2/nothing'));
    expect([...client.seen]).toEqual(['deleteNothing 204']);
  });

  it('passes reserved characters only where they are allowed', async () => {
    const { client, requests } = await requestsOf({});
    const query = { url: 'http://a/?b=c&d', words: ['/'] };
    const sent = client.call('getToy', { path: { id: 1, tags: ['a'] }, query });
    await expect(sent).rejects.toThrow('getToy responded 204: status is not declared');
    expect(new URL(requests[0]!.url).search).toBe('?url=http://a/?b%3Dc%26d&words=%2F');
  });

  const SCHEMES: Record<string, [scheme: string, sent: Any]> = {
    bearer: ['{type: http, scheme: bearer}', { authorization: 'Bearer t' }],
    oauth: ['{type: oauth2, flows: {}}', { authorization: 'Bearer t' }],
    basic: ['{type: http, scheme: basic}', { authorization: `Basic ${btoa('user:t')}` }],
    header: ['{type: apiKey, in: header, name: X-Key}', { 'x-key': 't' }],
    cookie: ['{type: apiKey, in: cookie, name: key}', { cookie: 'key=t' }],
    query: ['{type: apiKey, in: query, name: key}', { key: 't' }],
  };

  describe.each(Object.entries(SCHEMES))('to an operation that requires %s', (_, each) => {
    const contract = contractOf(`
openapi: 3.0.3
info: {title: Toys, version: '1'}
paths: {/: {get: {operationId: get, security: [{scheme: []}], responses: {'204': {description: ok}}}}}
components: {securitySchemes: {scheme: ${each[0]}}}
`);
    const sentTo = (requests: Request[]) =>
      requests.map(({ url, headers }) => ({
        ...Object.fromEntries(headers),
        ...Object.fromEntries(new URL(url).searchParams),
      }));

    it('has the token of the client', async () => {
      const { client, requests } = await requestsOf({ contract, token: 't' });
      await client.call('get');
      await client.fetch(client.example('get'));
      expect(sentTo(requests)).toEqual([each[1], each[1]]);
    });

    it('has no credentials without a token', async () => {
      const { client, requests } = await requestsOf({ contract });
      await client.call('get');
      expect(sentTo(requests)).toEqual([{}]);
    });

    it('has its own credentials, or none', async () => {
      const { client, requests } = await requestsOf({ contract, token: 't' });
      const where = each[0].includes('in: query')
        ? 'query'
        : each[0].includes('in: cookie')
          ? 'cookie'
          : 'header';
      const name = where === 'header' ? Object.keys(each[1])[0]! : 'key';
      await client.call('get', { [where]: { [name]: 'own' } });
      await client.call('get', { [where]: { [name]: undefined } });
      const own = where === 'cookie' ? { cookie: 'key=own' } : { [name]: 'own' };
      expect(sentTo(requests)).toEqual([own, {}]);
    });
  });

  it.each<[string, string, object, string]>([
    ['an unknown operation', 'washToy', {}, 'the contract has no operation washToy'],
    [
      'a missing path parameter',
      'getToy',
      { path: { id: 1 } },
      'getToy: expected the path parameter tags',
    ],
    [
      'a path segment that a URL parser removes',
      'getToy',
      { path: { id: '..', tags: ['a'] } },
      'path parameter id: expected a value other than . and ..',
    ],
    [
      'an undeclared body',
      'getToy',
      { path: { id: 1, tags: ['a'] }, body: {} },
      'getToy: the contract declares no request body',
    ],
    [
      'an undeclared media type',
      'sendForm',
      { mediaType: 'text/plain', body: 'x' },
      'sendForm: the contract declares no request body text/plain',
    ],
  ])('is not sent with %s', async (_what, operationId, parts, message) => {
    const { client, requests } = await requestsOf({});
    await expect(client.call(operationId, parts)).rejects.toThrow(new TypeError(message));
    expect(requests).toEqual([]);
  });
});
