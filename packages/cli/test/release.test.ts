// `stubwright release`, in a temporary project.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Conversation } from '@stubwright/traffic';
import { createFolder, createToyProject, type ToyProject } from './support/toyProject.ts';

let project: ToyProject;

beforeEach(() => {
  project = createToyProject();
});
afterEach(() => project.remove());

/** Releases the contract with replaced strings. */
function release(replaced: readonly (readonly [string, string])[], ...args: string[]) {
  const released = project.read('test/released/1.0.0.yaml');
  const text = replaced.reduce((before, [from, to]) => before.replace(from, to), released);
  project.write('openapi.yaml', text);
  return project.run('release', ...args);
}

const MODULE = 'errorScenarios.mjs';

function writeScenarios(scenarios: string): void {
  project.write(MODULE, `export const errorScenarios = ${scenarios};`);
}

function requestsOf(version: string): Conversation[] {
  return JSON.parse(project.read(`test/released/${version}.requests.json`));
}

const NEXT = ['version: 1.0.0', 'version: 1.1.0'] as const;
const LATER = ['version: 1.0.0', 'version: 1.2.0'] as const;
const HEALTH = [
  'paths:',
  `paths:
  /health:
    get:
      operationId: getHealth
      responses: { '204': { description: well } }`,
] as const;

describe('make release', () => {
  it('stores the contract, and the documented requests of each operation', async () => {
    expect((await release([NEXT, HEALTH])).status).toBe(0);
    expect(project.read('test/released/1.1.0.yaml')).toBe(project.read('openapi.yaml'));
    expect(requestsOf('1.1.0')).toContainEqual({
      name: 'getHealth as documented',
      requests: [
        {
          ...{ operationId: 'getHealth', method: 'get', path: '/health' },
          headers: { Authorization: 'Bearer TOKEN' },
          status: 204,
        },
      ],
    });
  });

  it('stores documented requests after a create, with the types of their parameters', async () => {
    await release([NEXT]);
    const { requests } = requestsOf('1.1.0').find(({ name }) => name === 'getToy as documented')!;
    expect(requests.map((each) => each.operationId)).toEqual(['storeToy', 'getToy']);
    expect(requests.at(-1)).toMatchObject({ path: '/toys/{id}', params: { path: { id: 1 } } });
  });

  it.each([
    ['schema: { type: integer }, example: 5', '/files/{of}?x=1', { of: 5 }],
    ['style: matrix, schema: { type: integer }, example: 5', '/files/{of}?x=1', { of: 5 }],
    ['style: label, schema: { type: string }, example: a/b', '/files/{of}?x=1', { of: 'a/b' }],
    ['schema: { type: integer, format: int64 }, example: 7', '/files/{of}?x=1', { of: 7 }],
    ['schema: {}, example: 9007199254740993', '/files/{of}?x=1', { of: '9007199254740993' }],
    ['schema: { type: array }, example: [a, b]', '/files/a,b?x=1', undefined],
  ])('stores the path parameter %s', async (parameter, path, values) => {
    const text = `paths:
  /files/{of}:
    get:
      operationId: getFile
      parameters:
        - { name: of, in: path, required: true, ${parameter} }
        - { name: x, in: query, required: true, schema: { type: integer }, example: 1 }
      responses: { '204': { description: found } }`;
    await release([NEXT, ['openapi: 3.0.3', 'openapi: 3.1.0'], ['paths:', text]]);
    const { requests } = requestsOf('1.1.0').find(({ name }) => name === 'getFile as documented')!;
    expect(requests).toMatchObject([{ path }]);
    expect(requests[0]!.params?.path).toEqual(values);
  });

  it('stores the request of each error scenario, those of * for each operation', async () => {
    writeScenarios(`{
      '* 401 missing': { headers: { Authorization: undefined } },
      'getToy 401 missing': { path: '/toys/7' },
      'storeToy 413 tooLarge': { body: [{ repeat: 'x', times: 9 }], situation: 'full' },
      'getToy 200 stored': { before: ['storeToy tagged'] },
    }`);
    expect(await release([NEXT], '--error-scenarios', MODULE)).toMatchObject({
      ...{ status: 0, err: '' },
    });
    const stored = Object.fromEntries(requestsOf('1.1.0').map((each) => [each.name, each]));
    expect(stored['storeToy 401 missing']!.requests[0]).toMatchObject({
      headers: { 'Content-Type': 'application/json' },
      status: 401,
    });
    expect(stored['storeToy 401 missing']!.requests[0]!.headers).not.toHaveProperty(
      'Authorization',
    );
    expect(stored['getToy 401 missing']!.requests).toEqual([
      expect.objectContaining({ path: '/toys/7' }),
    ]);
    expect(stored['storeToy 413 tooLarge']).toMatchObject({
      situation: 'full',
      requests: [{ body: [{ repeat: 'x', times: 9 }], status: 413 }],
    });
    expect(stored['getToy 200 stored']!.requests.map((each) => each.operationId)).toEqual([
      'storeToy',
      'getToy',
    ]);
  });

  it('lists the declared responses without a request', async () => {
    writeScenarios("{ '* 401 missing': { headers: { Authorization: undefined } } }");
    const { status, out } = await release([NEXT], '--error-scenarios', MODULE);
    expect(status).toBe(0);
    expect(out).toMatch(/^without a request: .*getToy 400, getToy 404/m);
    expect(out).not.toContain('getToy 401');
  });

  it('rejects an error scenario after a request that is not documented', async () => {
    writeScenarios("{ 'getToy 200 stored': { before: ['storeToy typo'] } }");
    expect((await release([NEXT], '--error-scenarios', MODULE)).err).toBe(
      'stubwright: getToy 200 stored: the contract documents no request storeToy typo\n',
    );
  });

  it('lists the operations without a handler, which the mock responds to', async () => {
    project.write('package.json', '{"type":"module"}');
    project.write('src/handlers/index.ts', 'export const handlers = { getToy: Symbol("mocked") };');
    const { status, out } = await release([NEXT]);
    expect(out).toMatch(/^test\/released\/1\.1\.0\.yaml: .*\nmocked: storeToy, getToy\n$/s);
    expect(status).toBe(0);
    expect(project.read('test/released/1.1.0.yaml')).toContain('1.1.0');
  });

  it('writes the client package of the version, with its changes', async () => {
    await release([NEXT, HEALTH]);
    const folder = 'test/released/1.1.0.client';
    expect(JSON.parse(project.read(`${folder}/package.json`))).toMatchObject({
      ...{ name: 'toy-store', version: '1.1.0' },
      files: [
        ...['index.js', 'index.d.ts', 'operations.d.ts', 'index.cjs', 'index.d.cts'],
        ...['contract.d.ts', 'CHANGELOG.md'],
      ],
    });
    expect(project.read(`${folder}/index.d.ts`)).toContain('getHealth');
    const first = project.read(`${folder}/CHANGELOG.md`);
    expect(first).toMatch(/^# Toy store: 1\.0\.0 → 1\.1\.0\n.*### `GET \/health`/s);
    expect((await release([LATER, HEALTH], '--client', '@acme/toys')).out).toContain(
      'test/released/1.2.0.client: @acme/toys 1.2.0\n',
    );
    expect(project.read('test/released/1.2.0.client/CHANGELOG.md')).toMatch(
      /^# Toy store: 1\.1\.0 → 1\.2\.0\n.*\n# Toy store: 1\.0\.0 → 1\.1\.0\n/s,
    );
  });

  it('writes a client with the types of the one before', async () => {
    const typesIn = (version: string) =>
      JSON.parse(project.read(`test/released/${version}.client/package.json`)).stubwright;
    const types = ['--int64', 'number', '--dates', 'Date'];
    expect((await release([NEXT], ...types)).status).toBe(0);
    expect(typesIn('1.1.0')).toEqual({ dates: 'Date', int64: 'number' });
    expect((await release([LATER], '--dates', 'string')).status).toBe(0);
    expect(typesIn('1.2.0')).toEqual({ dates: 'string', int64: 'number' });
  });

  it('writes no client package with --no-client', async () => {
    const { out } = await release([NEXT], '--no-client');
    expect(out).toMatch(/^test\/released\/1\.1\.0\.yaml: [^\n]*\n$/);
  });
});

describe('the values of a released request', () => {
  const json = (schema: string) => `content: {application/json: {schema: ${schema}}}`;
  const withStrings = (...names: string[]) =>
    `{type: object, properties: {${names.map((name) => `'${name}': {type: string}`).join()}}}`;
  const created = (schema: string, more = '') =>
    `responses: {201: {description: ok, ${json(schema)}${more}}}`;
  const parameter = (name: string, where: string) =>
    `{name: ${name}, in: ${where}, required: true, schema: {type: string}}`;
  const get = (id: string, name: string) =>
    `get: {operationId: ${id}, parameters: [${parameter(name, 'path')}], responses: {200: {description: ok}}}`;
  const LINKS = `links: {
        invoice: {operationId: getInvoice, parameters: {number: $response.body#/no, query.page: $response.body#/page}},
        bill: {operationRef: '#/paths/~1bills~1{id}/get', parameters: {path.id: $response.body#/no}},
        gone: {operationId: none, parameters: {number: $response.body#/id}}}`;
  const EXAMPLE = '{orderId: a, list: [{a/b: {orderId: b}}], code: c}';
  const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /orders: {post: {operationId: createOrder, ${created(withStrings('name', 'id'), `, ${LINKS}`)}}}
  /orders/{orderId}:
    ${get('getOrder', 'orderId')}
    put: {operationId: putOrder, parameters: [${parameter('orderId', 'path')}], responses: {200: {description: ok}}}
  /customers/{id}/items:
    post: {operationId: createItem, parameters: [${parameter('id', 'path')}], requestBody: {${json(withStrings('itemId'))}}, ${created('{}', ', headers: {location: {schema: {}}}')}}
  /items/{itemId}: {${get('getItem', 'itemId')}}
  /boxes: {post: {operationId: createBox, ${created(`{properties: {a/b: ${withStrings('boxId')}}}`)}}}
  /boxes/{boxId}: {${get('getBox', 'boxId')}}
  /codes: {post: {operationId: createCode, requestBody: {${json(withStrings('code'))}}, responses: {204: {description: ok}}}}
  /codes/{code}: {${get('getCode', 'code')}}
  /parts: {post: {operationId: createPart, responses: {204: {description: ok}}}}
  /parts/{partId}: {${get('getPart', 'partId')}}
  /others: {post: {operationId: createOther, ${created(withStrings('tagId'))}}}
  /tags/{tagId}: {${get('getTag', 'tagId')}}
  /invoices/{number}: {${get('getInvoice', 'number')}}
  /bills/{id}: {${get('getBill', 'id')}}
  /search:
    get: {operationId: find, parameters: [${['orderId', 'code', 'Id'].map((name) => parameter(name, 'query')).join()}], responses: {200: {description: ok}}}
    post: {operationId: search, requestBody: {content: {application/json: {schema: {}, example: ${EXAMPLE}}}}, responses: {200: {description: ok}}}
    put: {operationId: text, requestBody: {content: {text/plain: {schema: {type: string}, example: '${JSON.stringify({ orderId: 'a' })}'}}}, responses: {200: {description: ok}}}
`;
  let valuesOf: Record<string, object | undefined>;
  beforeAll(async () => {
    using folder = createFolder();
    folder.write('openapi.yaml', CONTRACT);
    expect(await folder.run('release', '--no-client')).toMatchObject({ status: 0, err: '' });
    const conversations: Conversation[] = JSON.parse(
      folder.read('test/released/1.0.0.requests.json'),
    );
    const last = conversations.map(({ requests }) => requests.at(-1)!);
    valuesOf = Object.fromEntries(last.map(({ operationId, values }) => [operationId, values]));
  });

  const ORDER = 'createOrder $response.body#/id';
  it.each<[operationId: string, values: Record<string, string>]>([
    ['getOrder', { '$request.path.orderId': ORDER }],
    ['putOrder', { '$request.path.orderId': ORDER }],
    ['getItem', { '$request.path.itemId': 'createItem $response.header.Location' }],
    ['getBox', { '$request.path.boxId': 'createBox $response.body#/a~1b/boxId' }],
    ['getCode', { '$request.path.code': 'createCode $request.body#/code' }],
    ['getPart', { '$request.path.partId': 'createPart $response.header.Location' }],
    ['getTag', { '$request.path.tagId': 'createOther $response.body#/tagId' }],
    [
      'getInvoice',
      {
        '$request.path.number': 'createOrder $response.body#/no',
        '$request.query.page': 'createOrder $response.body#/page',
      },
    ],
    ['getBill', { '$request.path.id': 'createOrder $response.body#/no' }],
    ['find', { '$request.query.orderId': ORDER }],
    ['search', { '$request.body#/orderId': ORDER, '$request.body#/list/0/a~1b/orderId': ORDER }],
    ['createItem', {}],
    ['text', {}],
  ])('of %s come from earlier responses', (operationId, expected) => {
    const sources = Object.entries(expected).map(([target, source]) => {
      const [from, expression] = source.split(' ');
      return [target, { operationId: from, expression }];
    });
    expect(valuesOf[operationId] ?? {}).toEqual(Object.fromEntries(sources));
  });
});
