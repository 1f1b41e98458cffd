// Mocks with state, over HTTP: what requests created is found, listed, changed and deleted.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { Items } from '../src/state/items.ts';
import { conventionsOf, fitted } from '../src/state/statefulMocks.ts';

const properties =
  'id: {type: integer, format: int64, readOnly: true}, name: {type: string}, tag: {type: string, nullable: true}, at: {type: string, format: date-time, readOnly: true}, key: {type: string, writeOnly: true}';
const content = (schema: string) =>
  `{description: d, content: {application/json: {schema: ${schema}}}}`;
const toy = "{$ref: '#/components/schemas/Toy'}";
const body = `requestBody: {required: true, content: {application/json: {schema: ${toy}}, application/merge-patch+json: {schema: {type: object}}, application/json-patch+json: {schema: {type: array}}}}`;
const NONE = content('{type: object, required: [message], properties: {message: {type: string}}}');
const responses = (own: string) => `responses: {${own}, '404': ${NONE}}`;
const parameter = (name: string) =>
  `{name: ${name}, in: path, required: true, schema: {type: integer, format: int64}}`;

const collection = (path: string, list: string, more = '', parameters = '') => `
  ${path}:
    parameters: [${parameters}]
    get: {operationId: 'list ${path}', responses: {'200': ${content(list)}}}
    post: {operationId: 'create ${path}', ${body}, responses: {'201': ${content(toy)}${more}}}
  ${path}/{toyId}:
    parameters: [${parameters}${parameters && ', '}${parameter('toyId')}]
    get: {operationId: 'read ${path}', ${responses(`'200': ${content(toy)}`)}}
    put: {operationId: 'replace ${path}', ${body}, ${responses(`'200': ${content(toy)}`)}}
    patch: {operationId: 'change ${path}', ${body.replaceAll(toy, '{type: object}')}, ${responses(`'200': ${content(toy)}`)}}
    delete: {operationId: 'remove ${path}', ${responses("'204': {description: d}")}}
`;
const PATHS = `
components: {schemas: {Toy: {type: object, additionalProperties: false, required: [id, name, at], properties: {${properties}}}}}
paths:
  ${collection('/toys', `{type: array, items: ${toy}}`, `, '409': ${NONE}`)}
  ${collection('/owners/{ownerId}/toys', `{type: object, required: [items, total], properties: {total: {type: integer}, items: {type: array, items: ${toy}}}}`, '', parameter('ownerId'))}
  ${collection('/few', `{type: array, minItems: 1, maxItems: 2, items: ${toy}}`)}
  /owners/{ownerId}:
    put: {operationId: putOwner, parameters: [${parameter('ownerId')}], requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': ${content('{type: object, properties: {id: {type: integer}, nick: {type: string}}}')}, '201': ${content('{type: object, properties: {id: {type: integer}, nick: {type: string}}}')}}}
    get: {operationId: getOwner, parameters: [${parameter('ownerId')}], responses: {'200': ${content('{type: object, properties: {id: {type: integer}, nick: {type: string, maxLength: 3}}}')}}}
    delete: {operationId: removeOwner, parameters: [${parameter('ownerId')}], responses: {'204': {description: d}}}
  /pages:
    get:
      operationId: listPages
      parameters:
        - {name: name, in: query, schema: {type: array, items: {type: string}}}
        ${['tag', 'other'].map((name) => `- {name: ${name}, in: query, schema: {type: string}}`).join('\n        ')}
        ${['limit', 'offset', 'page'].map((name) => `- {name: ${name}, in: query, schema: {type: integer}}`).join('\n        ')}
      responses: {'200': ${content(`{type: object, required: [items, total], properties: {total: {type: integer}, items: {type: array, items: ${toy}}}}`)}}
    post: {operationId: createPage, ${body}, responses: {'201': {description: d, headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: ${toy}}}}}}
  /pages/{pageId}:
    get: {operationId: getPage, parameters: [${parameter('pageId')}], ${responses(`'200': ${content(toy)}`)}}
  /boxes:
    post: {operationId: createBox, requestBody: {content: {application/json: {schema: {type: object, properties: {box: {type: object}}}}}}, responses: {'201': ${content('{type: object, required: [box], properties: {box: {type: object, required: [boxId], properties: {boxId: {type: string, format: uuid}, size: {type: integer}}}}}')}}}
  /boxes/{boxId}:
    get: {operationId: getBox, parameters: [{name: boxId, in: path, required: true, schema: {type: string}}], ${responses(`'200': ${content('{type: object, required: [box], properties: {box: {type: object, required: [boxId], properties: {boxId: {type: string, format: uuid}, size: {type: integer}}}}}')}`)}}
  /sums:
    get: {operationId: getSum, responses: {'200': ${content('{type: object, required: [sum], properties: {sum: {type: integer, example: 5}}}')}}}
    post: {operationId: createSum, ${body}, responses: {'201': ${content(toy)}}}
  /sums/{sumId}:
    get: {operationId: readSum, parameters: [${parameter('sumId')}], ${responses(`'200': ${content(toy)}`)}}
  ${['/named', '/renamed']
    .map(
      (path) => `${path}:
    post: {operationId: 'create ${path}', requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'201': ${content('{type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}')}${path === '/named' ? `, '409': ${NONE}` : ''}}}
  ${path}/{id}:
    get: {operationId: 'read ${path}', parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${responses(`'200': ${content('{type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}')}`)}}`,
    )
    .join('\n  ')}
  /readers/{id}:
    get: {operationId: readOnlyResource, parameters: [${parameter('id')}], ${responses(`'200': ${content('{type: object, required: [id], properties: {id: {type: integer}}}')}`)}}
`;

let served: Toy | undefined;
const causes: string[] = [];
afterEach(async () => {
  await served?.close();
  served = undefined;
  causes.length = 0;
});

async function serve() {
  served = await serveToy('3.0.3', PATHS, {
    mock: 'all',
    mockOptions: { isStateful: true, seed: 's' },
    onLog: ({ err }) => err !== undefined && causes.push(err.message),
  });
  const toy = served;
  return async (line: string, sent?: object, type = 'application/json') => {
    const [method, path] = line.split(' ') as [string, string];
    const { status, text, headers } = await toy.fetch(path, {
      method,
      ...(sent && { body: JSON.stringify(sent), headers: { 'Content-Type': type } }),
    });
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
  };
}

describe.each([
  ['/toys', (body: unknown) => body],
  ['/owners/7/toys', (body: { items: unknown; total: number }) => body.items],
])('%s', (path, itemsIn) => {
  it('finds, lists, changes and deletes what was created', async () => {
    const send = await serve();
    expect(itemsIn((await send(`GET ${path}`)).body)).toEqual([]);
    const { status, body: created } = await send(`POST ${path}`, { name: 'Bär', key: 'secret' });
    expect([status, created]).toEqual([
      201,
      { id: expect.any(Number), name: 'Bär', at: expect.any(String) },
    ]);
    const item = `${path}/${created.id}`;
    expect(await send(`GET ${item}`)).toMatchObject({ status: 200, body: created });
    const second = (await send(`POST ${path}`, { name: 'Ente', tag: 'x' })).body;
    expect(second.id).not.toBe(created.id);
    expect(itemsIn((await send(`GET ${path}`)).body)).toEqual([created, second]);
    const changed = await send(`PATCH ${item}`, { tag: 'new' });
    expect(changed).toMatchObject({ status: 200, body: { ...created, tag: 'new' } });
    const merge = await send(`PATCH ${item}`, { tag: null }, 'application/merge-patch+json');
    expect(merge.body).toEqual(created);
    const operations = [
      { op: 'test', path: '/name', value: created.name },
      { op: 'add', path: '/tag', value: 'json' },
    ];
    const json = 'application/json-patch+json';
    const patched = await send(`PATCH ${item}`, operations, json);
    expect(patched.body).toEqual({ ...created, tag: 'json' });
    expect((await send(`PATCH ${item}`, [{ op: 'remove', path: '/tag' }], json)).body).toEqual(
      created,
    );
    expect((await send(`PATCH ${item}`, [{ op: 'remove', path: '/none' }], json)).status).toBe(422);
    const replaced = await send(`PUT ${item}`, { name: 'Hase' });
    expect(replaced.body).toEqual({ ...created, name: 'Hase' });
    expect((await send(`GET ${item}`)).body).toEqual(replaced.body);
    expect((await send(`DELETE ${item}`)).status).toBe(204);
    for (const line of ['GET', 'DELETE']) {
      const { status, body } = await send(`${line} ${item}`);
      expect([status, body]).toEqual([404, { message: 'no resource has this id' }]);
    }
    expect((await send(`PUT ${item}`, { name: 'x' })).status).toBe(404);
    expect(itemsIn((await send(`GET ${path}`)).body)).toEqual([second]);
    expect(causes).toEqual([]);
  });
});

it('counts the items of a list, and separates the collections of each owner', async () => {
  const send = await serve();
  await send('POST /owners/7/toys', { name: 'a' });
  expect((await send('GET /owners/7/toys')).body).toMatchObject({ total: 1 });
  expect((await send('GET /owners/8/toys')).body).toEqual({ total: 0, items: [] });
  await send('DELETE /owners/7');
  expect((await send('GET /owners/7/toys')).body).toMatchObject({ total: 1 });
  expect((await send('PUT /owners/7', { nick: 'n' })).status).toBe(201);
  await send('DELETE /owners/7');
  expect((await send('GET /owners/7/toys')).body).toEqual({ total: 0, items: [] });
});

it.each([
  ['', ['a', 'b', 'c', 'd'], 4],
  ['?tag=x', ['a', 'c', 'd'], 3],
  ['?tag=x&name=c&name=d', ['c', 'd'], 2],
  ['?limit=2', ['a', 'b'], 4],
  ['?limit=2&offset=1', ['b', 'c'], 4],
  ['?limit=2&page=2', ['c', 'd'], 4],
  ['?tag=x&limit=2&page=2', ['d'], 3],
  ['?page=2', [], 4],
  ['?other=x', ['a', 'b', 'c', 'd'], 4],
])('lists the items that %s selects', async (query, names, total) => {
  const send = await serve();
  for (const [name, tag] of ['ax', 'by', 'cx', 'dx']) await send('POST /pages', { name, tag });
  const { body } = await send(`GET /pages${query}`);
  expect({
    names: body.items.map((item: { name: string }) => item.name),
    total: body.total,
  }).toEqual({ names, total });
  expect(causes).toEqual([]);
});

it('returns the path of a created item as Location', async () => {
  const send = await serve();
  const { headers, body } = await send('POST /pages', { name: 'a' });
  const location = headers.get('location')!;
  expect(location).toBe(`/pages/${body.id}`);
  expect((await send(`GET ${location}`)).body).toEqual(body);
});

const step = fc.record({
  method: fc.constantFrom('POST', 'GET', 'PUT', 'PATCH', 'DELETE'),
  /** An item in the order of creation, deleted ones too. */
  item: fc.nat(4),
  sent: fc.record({ name: fc.string({ maxLength: 3 }), tag: fc.constantFrom(null, 'x', 'y') }),
});

it('replies to any sequence of requests as a map of the created items does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const send = await serve();
      const known = new Map<number, object>();
      const ids: number[] = [];
      for (const { method, item, sent } of steps) {
        if (method === 'POST' || ids.length === 0) {
          const { body } = await send('POST /toys', sent);
          expect(known.has(body.id)).toBe(false);
          known.set(body.id, { ...body, ...sent });
          ids.push(body.id);
          continue;
        }
        const id = ids[item % ids.length]!;
        const before = known.get(id);
        const { status, body } = await send(
          `${method} /toys/${id}`,
          method.startsWith('P') ? sent : undefined,
        );
        if (before === undefined) {
          expect(status).toBe(404);
        } else if (method === 'DELETE') {
          expect(status).toBe(204);
          known.delete(id);
        } else {
          if (method !== 'GET') known.set(id, { ...before, ...sent });
          expect([status, body]).toEqual([200, known.get(id)]);
        }
        expect((await send('GET /toys')).body).toEqual([...known.values()]);
      }
      await served!.close();
    }),
    { numRuns: runs(100) },
  );
});

it('creates the same ids from the same seed', async () => {
  const ids = async () => {
    const send = await serve();
    const all = [];
    for (let at = 0; at < 3; at++)
      all.push((await send('POST /boxes', { box: {} })).body.box.boxId);
    await served!.close();
    return all;
  };
  const first = await ids();
  expect(new Set(first).size).toBe(3);
  expect(await ids()).toEqual(first);
});

it('creates an item by PUT, and replaces it with 200', async () => {
  const send = await serve();
  expect(await send('PUT /owners/7', { nick: 'n' })).toMatchObject({
    status: 201,
    body: { id: 7, nick: 'n' },
  });
  expect((await send('PUT /owners/7', { nick: 'm' })).status).toBe(200);
  expect((await send('GET /owners/7')).body).toEqual({ id: 7, nick: 'm' });
});

it('sends a sample instead of an item that does not fit, and logs it', async () => {
  const send = await serve();
  await send('PUT /owners/7', { nick: 'long' });
  const { status, body } = await send('GET /owners/7');
  expect(status).toBe(200);
  expect(body.nick?.length ?? 0).toBeLessThanOrEqual(3);
  expect(causes).toEqual([
    expect.stringContaining(
      'getOwner: /owners/7: the item does not fit the schema of the response',
    ),
  ]);
});

it('cuts a list that is too long for its schema, and sends a sample for an empty one, and logs both', async () => {
  const send = await serve();
  expect((await send('GET /few')).body).toHaveLength(1);
  expect(causes.splice(0)).toHaveLength(1);
  for (const name of ['a', 'b', 'c']) await send('POST /few', { name });
  expect((await send('GET /few')).body).toMatchObject([{ name: 'a' }]);
  expect(causes).toEqual([expect.stringContaining('3 items')]);
});

it('leaves the reply of a collection that is no list as it is', async () => {
  const send = await serve();
  await send('POST /sums', { name: 'a' });
  expect(await send('GET /sums')).toMatchObject({ status: 200, body: { sum: 5 } });
});

it('rejects a second item of one id where the contract declares it, and replaces the item elsewhere', async () => {
  const send = await serve();
  for (const [path, status, n] of [
    ['/named', 409, 1],
    ['/renamed', 201, 2],
  ] as const) {
    expect((await send(`POST ${path}`, { id: 'a', n: 1 })).body).toEqual({ id: 'a', n: 1 });
    expect((await send(`POST ${path}`, { id: 'a', n: 2 })).status).toBe(status);
    expect((await send(`GET ${path}/a`)).body).toEqual({ id: 'a', n });
    expect((await send(`POST ${path}`, { id: 'b', n: 3 })).status).toBe(201);
  }
});

it('finds a resource in an envelope', async () => {
  const send = await serve();
  const { body } = await send('POST /boxes', { box: { size: 3 } });
  expect(body).toEqual({ box: { boxId: expect.any(String), size: 3 } });
  expect((await send(`GET /boxes/${body.box.boxId}`)).body).toEqual(body);
  const second = (await send('POST /boxes', { box: { size: 3 } })).body;
  expect(second.box.boxId).not.toBe(body.box.boxId);
});

it.each([
  ['GET /readers/7', { status: 200, body: { id: 7 } }],
  ['GET /owners/9', { status: 200, body: expect.objectContaining({ id: 9 }) }],
])('leaves %s, which cannot be created or declares no 404, stateless', async (line, expected) => {
  expect(await (await serve())(line)).toMatchObject(expected);
});

it('keeps a selected reply out of the state', async () => {
  const send = await serve();
  const { status } = await send('GET /toys/7?__code=200');
  expect(status).toBe(200);
  await send('POST /toys?__code=409', { name: 'a' });
  expect((await send('GET /toys')).body).toEqual([]);
});

describe('Items', () => {
  const item = (id: string, collection = '/a') => ({
    ...{ collection, id, assigned: {}, body: { name: 'x'.repeat(90) } },
  });
  const idsIn = (items: Items) => items.in('/a').map(({ item }) => item.id);

  it.each([
    ['number', { items: 2, characters: 10_000 }, ['2', '3']],
    ['size', { items: 9, characters: 300 }, ['2', '3']],
  ])('drops the oldest beyond its %s', (_, bounds, expected) => {
    const items = new Items(bounds);
    for (const id of ['1', '2', '3', '3']) items.set(item(id));
    expect(idsIn(items)).toEqual(expected);
    items.delete('/a', '3');
    items.set(item('4'));
    expect(idsIn(items)).toEqual(['2', '4']);
  });
});

describe('an id that the mock assigns', () => {
  const ID = [
    '{type: number}',
    '{type: number, format: double, example: 1.5}',
    '{type: number, format: float, minimum: 0.25}',
    '{type: number, example: -0.5}',
    '{type: number, example: 1.0e+300}',
    '{type: number, example: 9007199254740993}',
    '{type: number, multipleOf: 0.5, example: 2.5}',
    '{type: integer, minimum: 10000000000}',
    '{type: integer, minimum: 100000000000000000}',
    '{type: integer, example: 9007199254740991}',
    '{type: integer, format: int64, example: 9223372036854775000}',
    '{type: integer, format: int32}',
    '{type: string}',
    '{type: string, format: uuid}',
    '{}',
  ];

  it.each(ID)('is new and found again: %s', async (id) => {
    const item = content(
      `{type: object, required: [id], properties: {id: ${id}, name: {type: string}}}`,
    );
    served = await serveToy(
      '3.0.3',
      `paths:
  /a: {post: {operationId: create, requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'201': ${item}, '409': ${NONE}}}}
  /a/{id}: {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: ${id}}], ${responses(`'200': ${item}`)}}}
`,
      { mock: 'all', mockOptions: { isStateful: true, seed: 's' } },
    );
    const ids = new Set<string>();
    for (let count = 0; count < 4; count++) {
      const name = `n${count}`;
      const init = { method: 'POST', body: JSON.stringify({ name }) };
      const headers = { 'Content-Type': 'application/json' };
      const { status, text } = await served.fetch('/a', { ...init, headers });
      // As text: an id may be no double.
      const [, own] = /"id":"?([^",}]+)/.exec(text) ?? [];
      expect([status, text]).toEqual([201, expect.stringContaining(name)]);
      ids.add(own!);
      const found = await served.fetch(`/a/${encodeURIComponent(own!)}`);
      expect([found.status, found.text]).toEqual([200, expect.stringContaining(name)]);
      expect(found.text).toMatch(/"id":"?/);
      expect(found.text).toContain(own!);
    }
    expect(ids.size).toBe(4);
  });
});

describe('the role of an operation', () => {
  const rolesOf = (...routes: string[]) => {
    const paths: Record<string, Record<string, object>> = {};
    for (const route of routes) {
      const [method, path] = route.split(' ') as [string, string];
      paths[path] = { ...paths[path], [method]: { responses: {} } };
    }
    const { operations } = new Contract({ openapi: '3.1.0', paths });
    return [...conventionsOf(operations)].map(
      ([operation, { role, collection, parameter, idName }]) =>
        `${operation.route} ${role} ${collection} ${parameter} ${idName}`,
    );
  };

  it.each<[routes: string[], roles: string[]]>([
    [
      ['get /a', 'post /a', 'put /a', 'patch /a', 'delete /a'],
      [
        'get /a list /a undefined id',
        'put /a replace /a undefined id',
        'post /a create /a undefined id',
      ],
    ],
    [
      [
        'post /a',
        'get /a/{aId}',
        'put /a/{aId}',
        'patch /a/{aId}',
        'delete /a/{aId}',
        'head /a/{aId}',
      ],
      [
        'post /a create /a undefined aId',
        'get /a/{aId} read /a aId aId',
        'put /a/{aId} replace /a aId aId',
        'delete /a/{aId} remove /a aId aId',
        'patch /a/{aId} change /a aId aId',
      ],
    ],
    [
      ['put /a/{id}', 'get /a/{id}'],
      ['get /a/{id} read /a id id', 'put /a/{id} replace /a id id'],
    ],
    [
      ['put /a/{id}', 'get /a'],
      ['put /a/{id} replace /a id id', 'get /a list /a undefined id'],
    ],
    [['put /a', 'get /a'], []],
    [['post /a'], []],
    [['get /a', 'get /a/{id}', 'delete /a/{id}'], []],
    [['post /a', 'delete /a/{id}'], []],
    [
      ['post /o/{o}/a', 'get /o/{o}/a/{id}'],
      ['post /o/{o}/a create /o/{o}/a undefined id', 'get /o/{o}/a/{id} read /o/{o}/a id id'],
    ],
    [
      ['post /a/x{id}', 'get /a/x{id}'],
      ['get /a/x{id} list /a/x{id} undefined id', 'post /a/x{id} create /a/x{id} undefined id'],
    ],
  ])('of %j', (routes, roles) => {
    expect(rolesOf(...routes)).toEqual(roles);
  });
});

describe('an item for a response', () => {
  const sample = { id: 7, name: 'sample', size: 1, note: 'a' };
  const fit = (body: object, isValid: (resource: object) => boolean) =>
    fitted({ body: body as never, id: '3' }, sample, 'toyId', isValid);

  it('has its id in the type of the sample', () => {
    const own = { id: 3, name: 'own' };
    expect(fit({ name: 'own' }, () => true)).toEqual({ full: { ...sample, ...own }, minimal: own });
    expect(fit({ id: 9 }, () => true).minimal).toEqual({ id: 9 });
  });

  it('has the properties of the sample without which it is invalid', () => {
    const isValid = (resource: object) => 'size' in resource;
    expect(fit({ name: 'own' }, isValid).minimal).toEqual({ id: 3, name: 'own', size: 1 });
    const never = fit({ name: 'own' }, () => false);
    expect(never.minimal).toBe(never.full);
    expect(never.full).toEqual({ ...sample, id: 3, name: 'own' });
  });
});
