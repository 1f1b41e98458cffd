// The client of stubwright/testing: in process and over HTTP, against a served contract and wrong responses.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import {
  ContractViolation,
  type TestClient,
  type TestClientOptions,
  testClient,
} from '../src/testing.ts';
import { loadedContract } from './support/contract.ts';
import { closeServers, listening } from './support/listening.ts';

// biome-ignore lint/suspicious/noExplicitAny: the contracts of this test have no generated types
type Any = any;

const ECHO_TYPES = `
      application/json: {schema: {$ref: '#/components/schemas/Toy'}}
      application/problem+json: {schema: {$ref: '#/components/schemas/Toy'}}
      application/xml: {schema: {$ref: '#/components/schemas/Toy'}}
      text/plain: {schema: {type: string, minLength: 1}}
      text/csv: {}
      image/*: {schema: {type: string, format: binary}}
      application/octet-stream: {}`;

const SERVED = loadedContract(`
openapi: 3.0.3
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
  let target: TestClientOptions['target'];
  let client: TestClient<Record<string, Any>>;

  beforeAll(async () => {
    const api = await createApi({ contract: SERVED, handlers });
    target = kind === 'in process' ? fetchHandler(api) : await listening(requestListener(api));
    client = await testClient({ contract: SERVED, target });
  });
  afterAll(closeServers);

  const encoded = (text: string) => new TextEncoder().encode(text);
  it.each<[string, unknown, unknown?]>([
    ['application/json', TOY],
    ['application/problem+json', TOY],
    ['application/xml', { ...TOY, tag: 'soft' }],
    ['text/plain', 'käse'],
    ['text/csv', 'a,b'],
    ['application/octet-stream', Uint8Array.of(0, 255)],
    ['application/octet-stream', Readable.from([Buffer.from('ab')]), encoded('ab')],
    ['image/png', new Blob(['PNG']), encoded('PNG')],
    ['image/gif', encoded('GIF')],
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

const WRONG = loadedContract(`
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

/** @returns the headers of a response with the required one */
const typed = (type: string, more: object = {}) => ({
  'Content-Type': type,
  'X-Left': '1',
  ...more,
});
const JSON_HEADERS = typed('application/json');
const PROBLEM = { 'Content-Type': 'application/problem+json' };

/** @returns a client of a service with one response */
function clientOf(
  body: string | null,
  status: number,
  headers: Record<string, string>,
  options: Partial<TestClientOptions> = {},
): Promise<TestClient<Record<string, Any>>> {
  const target = async () => {
    const response = new Response(body, { status, headers });
    if (headers['Content-Type'] === undefined) response.headers.delete('content-type');
    return response;
  };
  return testClient({ contract: WRONG, target, ...options });
}

describe('a response', () => {
  const TYPES = 'expected Content-Type application/json, application/xml, text/plain';
  const toy = (more = '') => `{"name":"x","id":1${more}}`;
  const xml = (id: string | bigint) => `<Toy><name>x</name><id>${id}</id></Toy>`;
  const XML = typed('application/xml');

  it.each<[violation: string, body: string | null, headers?: object, status?: number]>([
    ['status is not declared', null, {}, 500],
    ['/name is required', '{"id":1}'],
    ['/id expected an int64 integer', '{"name":"x","id":"1"}'],
    ['/id expected an int64 integer', '{"name":"x","id":9223372036854775808}'],
    ['/made expected to match format "date"', toy(',"made":"today"')],
    ['/more is not declared for a response', toy(',"more":1')],
    ['/inner/a~1b is not declared for a response', toy(',"inner":{"a/b":1}')],
    // It is writeOnly.
    ['/secret is not declared for a response', toy(',"secret":"y"')],
    ['expected JSON', '{'],
    ['expected no duplicate keys in an object', '{"id":1,"id":1}'],
    ['expected object', '[]'],
    ['expected a body', null],
    [`${TYPES}, got none`, '{}', { 'X-Left': '1' }],
    [`${TYPES}, got text/html`, '', typed('text/html')],
    ['header X-Left is required', toy(), { 'Content-Type': 'application/json' }],
    ['header X-Left expected an int64 integer', toy(), { ...JSON_HEADERS, 'X-Left': '0.5' }],
    ['header X-List expected to NOT have more', toy(), { ...JSON_HEADERS, 'X-List': '1, 2,3' }],
    ['expected well-formed XML', '<Toy>', XML],
    ['/id expected an int64 integer', xml('y'), XML],
    ['expected to NOT have more than 3 characters', 'long', typed('text/plain')],
    ['no body is declared', 'x', {}, 202],
    ['/kind expected one of ["Cat","Dog"]', '{"lives":9}', JSON_HEADERS, 203],
    ['/breed is required', '{"kind":"Dog","lives":9}', JSON_HEADERS, 203],
    ['/breed is not declared', '{"kind":"Cat","lives":9,"breed":"x"}', JSON_HEADERS, 203],
    ['header ETag is required', null, {}, 304],
    ['/title is required', '{}', PROBLEM, 404],
  ])('is rejected: %s', async (...row) => {
    const [violation, body, headers = JSON_HEADERS, status = 200] = row;
    const client = await clientOf(body, status, headers as never);
    const error = await client.call('getToys').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ContractViolation);
    expect(error).toMatchObject({ operationId: 'getToys', status });
    const [line, second] = (error as Error).message.split('\n');
    expect(line).toContain(`getToys responded ${status}: `);
    expect(line).toContain(violation);
    expect(second).toBe(body ? `body: ${body}` : undefined);
  });

  it.each<[status: number, headers: Record<string, string>, body: string | null, value: unknown]>([
    [200, JSON_HEADERS, toy(',"inner":{}'), { name: 'x', id: 1n, inner: {} }],
    [200, typed('application/json; charset=utf-8'), toy(), { name: 'x', id: 1n }],
    [200, XML, xml(TOY.id), { name: 'x', id: TOY.id }],
    [202, {}, null, undefined],
    [203, JSON_HEADERS, '{"kind":"Cat","lives":9}', { kind: 'Cat', lives: 9n }],
    // A body is declared.
    [204, {}, null, undefined],
    [304, { ETag: '"a"' }, null, undefined],
    [404, PROBLEM, '{"title":"x"}', { title: 'x' }],
  ])('is accepted: %d %j %s', async (status, headers, body, expected) => {
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
  async function requestsOf(options: Partial<TestClientOptions>) {
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

  it.each<[where: 'header' | 'query' | 'cookie', name: string, scheme: string, sent: string]>([
    ['header', 'authorization', 'type: http, scheme: bearer', 'Bearer t'],
    ['header', 'authorization', 'type: oauth2, flows: {}', 'Bearer t'],
    ['header', 'authorization', 'type: http, scheme: basic', `Basic ${btoa('user:t')}`],
    ['header', 'x-key', 'type: apiKey, in: header, name: X-Key', 't'],
    ['query', 'key', 'type: apiKey, in: query, name: key', 't'],
    ['cookie', 'key', 'type: apiKey, in: cookie, name: key', 't'],
  ])('has the credentials in %s %s of {%s}', async (where, name, scheme, sent) => {
    const contract = loadedContract(`
paths: {/: {get: {operationId: get, security: [{scheme: []}], responses: {'204': {description: ok}}}}}
components: {securitySchemes: {scheme: {${scheme}}}}
`);
    const shownAs = (value: string) =>
      where === 'cookie' ? { cookie: `key=${value}` } : { [name]: value };
    const sentTo = (requests: Request[]) =>
      requests.map(({ url, headers }) => ({
        ...Object.fromEntries(headers),
        ...Object.fromEntries(new URL(url).searchParams),
      }));

    const { client, requests } = await requestsOf({ contract, token: 't' });
    await client.call('get');
    await client.fetch(client.example('get'));
    await client.call('get', { [where]: { [name]: 'own' } });
    await client.call('get', { [where]: { [name]: undefined } });
    expect(sentTo(requests)).toEqual([shownAs(sent), shownAs(sent), shownAs('own'), {}]);
    const without = await requestsOf({ contract });
    await without.client.call('get');
    expect(sentTo(without.requests)).toEqual([{}]);
  });

  const path = { id: 1, tags: ['a'] };
  it.each<[operationId: string, parts: object, message: string]>([
    ['washToy', {}, 'the contract has no operation washToy'],
    ['getToy', { path: { id: 1 } }, 'getToy: expected the path parameter tags'],
    [
      'getToy',
      { path: { ...path, id: '..' } },
      'path parameter id: expected a value other than . and ..',
    ],
    ['getToy', { path, body: {} }, 'getToy: the contract declares no request body'],
    [
      'sendForm',
      { mediaType: 'text/plain', body: 'x' },
      'sendForm: the contract declares no request body text/plain',
    ],
  ])('is not sent to %s with %j', async (operationId, parts, message) => {
    const { client, requests } = await requestsOf({});
    await expect(client.call(operationId, parts)).rejects.toThrow(new TypeError(message));
    expect(requests).toEqual([]);
  });
});
