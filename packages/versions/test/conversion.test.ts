// A request of an older version: what its converters receive, what the handler receives, and the response.
import { describe, expect, it } from '@jest/globals';
import { Problem } from '@stubwright/contract';
import { body, ERROR, list, reply } from '@stubwright/test-support/upgradeTexts';
import type { NewerOperations } from '../src/index.ts';
import { disposedContexts, open, type ServedOptions, served, v1 } from './support.ts';

const NEW = `
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: state, in: query, schema: {$ref: '#/components/schemas/State'}}
        - {name: limit, in: query, schema: {type: integer, default: 10, maximum: 50}}
      responses:
        ${list('toys', 'Toy')}
    post:
      operationId: createToy
      ${body('NewToy')}
      responses:
        ${reply(200, 'Toy')}
        ${reply(409, 'Error')}
        ${reply(410, 'Error')}
        ${reply('default', 'Error')}
components:
  schemas:
    State: {type: string, enum: [alive, dormant, dead]}
    Names: {type: object, required: [common], properties: {common: {type: string, maxLength: 20}}}
    Toy:
      type: object
      required: [id, names, tags, state]
      properties:
        id: {type: integer, format: int64}
        names: {$ref: '#/components/schemas/Names'}
        tags: {type: array, items: {type: string}}
        state: {$ref: '#/components/schemas/State'}
    NewToy:
      allOf:
        - {$ref: '#/components/schemas/Toy'}
        - {type: object, required: [owner], properties: {owner: {type: string}}}
${ERROR}`;

const OLD = `
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: state, in: query, schema: {$ref: '#/components/schemas/State'}}
        - {name: sort, in: query, schema: {type: string}}
      responses:
        ${list('toys', 'Toy')}
    post:
      operationId: createToy
      ${body('NewToy')}
      responses:
        ${reply(200, 'Toy')}
        404: {description: none, content: {application/json: {schema: {type: object, required: [code], additionalProperties: false, properties: {code: {type: integer}, text: {type: string}}}}}}
        ${reply('default', 'Error')}
components:
  schemas:
    State: {type: string, enum: [alive, dead, unknown]}
    Toy:
      type: object
      required: [id, name, state]
      additionalProperties: false
      properties: {id: {type: integer, format: int64}, name: {type: string, maxLength: 100}, tag: {type: string}, state: {$ref: '#/components/schemas/State'}}
    NewToy:
      type: object
      required: [id, name, owner]
      properties: {id: {type: integer, format: int64}, name: {type: string, maxLength: 100}, owner: {type: string}}
${ERROR}`;

interface NewToy {
  readonly id: bigint;
  readonly names: { readonly common: string };
  readonly tags: readonly string[];
  readonly state: string;
}

const converters = {
  schemas: {
    State: {
      toOld: (state: string) => (state === 'dormant' ? 'dead' : state),
      toNew: (state: string) => (state === 'unknown' ? 'dormant' : state),
    },
    Toy: {
      toOld: ({ id, names, tags, state }: NewToy) => ({
        ...{ id, name: names.common, state },
        ...(tags[0] !== undefined && { tag: tags[0] }),
      }),
    },
    NewToy: {
      toNew: ({ id, name, owner }: { id: bigint; name: string; owner: string }) => ({
        ...{ id, names: { common: name }, tags: [], state: 'alive', owner },
      }),
    },
  },
  statuses: { 410: 404 },
};

const toy = (id: bigint, state = 'alive', tags: readonly string[] = []) => ({
  ...{ id, names: { common: `p${id}` }, tags, state },
});

// biome-ignore lint/suspicious/noExplicitAny: a toy contract has no generated types
type Handler = (request: any) => unknown;

const serve = (
  handlers: Record<string, Handler>,
  changed: object = {},
  options: Partial<ServedOptions> = {},
) =>
  served({
    yaml: NEW,
    older: v1(OLD, { ...converters, ...changed }),
    handlers: {
      listToys: () => ({ status: 200, body: { toys: [] } }),
      createToy: () => ({ status: 200, body: toy(1n) }),
      ...handlers,
    },
    ...options,
  });

const CREATE = { body: { id: 1, name: 'F', owner: 'a' } };

/** Sends a valid `POST /v1/toys`. */
const create = async (...args: Parameters<typeof serve>) =>
  (await serve(...args)).send('/v1/toys', CREATE);

const withSchemas = (schemas: object) => ({ schemas: { ...converters.schemas, ...schemas } });
const withOperation = (createToy: object) => ({ operations: { createToy } });

describe('a component with a converter', () => {
  it('is converted wherever it stands, inner components first', async () => {
    const { send } = await serve({
      listToys: () => ({
        ...{ status: 200, body: { toys: [toy(1n, 'dormant', ['a', 'b']), toy(2n)] } },
      }),
    });
    expect(await send('/v1/toys')).toMatchObject({
      status: 200,
      body: {
        toys: [
          { id: 1, name: 'p1', tag: 'a', state: 'dead' },
          { id: 2, name: 'p2', state: 'alive' },
        ],
      },
    });
  });

  it('is not converted for the current version', async () => {
    const { send } = await serve({
      listToys: () => ({ status: 200, body: { toys: [toy(1n, 'dormant')] } }),
    });
    const { body } = await send('/toys');
    expect(body.toys).toEqual([{ id: 1, names: { common: 'p1' }, tags: [], state: 'dormant' }]);
  });

  it('is converted in parameters, and the handler receives those that it declares', async () => {
    const got: unknown[] = [];
    const { send } = await serve({
      listToys({ query }) {
        got.push({ ...query });
        return { status: 200, body: { toys: [] } };
      },
    });
    await send('/v1/toys?state=unknown&sort=name');
    expect(got).toEqual([{ state: 'dormant', limit: 10 }]);
  });

  it('is converted in bodies, an int64 exactly', async () => {
    const got: unknown[] = [];
    const { send } = await serve({
      createToy({ body }) {
        got.push(body);
        return { status: 200, body: toy(body.id) };
      },
    });
    const text = '{"id":9007199254740993,"name":"Fern","owner":"ann"}';
    const { response } = await send('/v1/toys', { text });
    expect(response.body).toBe(
      '{"id":9007199254740993,"name":"p9007199254740993","state":"alive"}',
    );
    expect(got).toEqual([
      { id: 9007199254740993n, names: { common: 'Fern' }, tags: [], state: 'alive', owner: 'ann' },
    ]);
  });

  it('is converted by the outermost component of a composition alone', async () => {
    const called: string[] = [];
    const noting = (name: string) => ({
      toOld(value: object) {
        called.push(name);
        return value;
      },
    });
    const yaml = `
paths:
  /toys:
    get:
      operationId: getToy
      responses:
        ${reply(200, 'Outer')}
components:
  schemas:
    Inner: {type: object, properties: {part: {$ref: '#/components/schemas/Part'}}}
    Outer: {allOf: [{$ref: '#/components/schemas/Inner'}]}
    Part: {type: object}
`;
    const schemas = { Inner: noting('Inner'), Outer: noting('Outer'), Part: noting('Part') };
    const { send } = await served({
      yaml,
      older: v1(yaml, { schemas }),
      handlers: { getToy: () => ({ status: 200, body: { part: {} } }) },
    });
    await send('/v1/toys');
    expect(called).toEqual(['Part', 'Outer']);
  });
});

describe('the request of an older version', () => {
  it('is validated by its own contract, and the error is in its own format', async () => {
    const { send } = await serve({});
    const { status, body } = await send('/v1/toys', { body: { id: 1, names: {} } });
    expect({ status, body }).toEqual({
      ...{ status: 400 },
      body: { error: 40000, message: expect.stringMatching(/name.*owner/) },
    });
  });

  it('is a 500 if its conversion violates the current contract: nobody handles it', async () => {
    const handled: unknown[] = [];
    const { send } = await serve({
      createToy(request) {
        handled.push(request);
        return { status: 200, body: toy(1n) };
      },
    });
    const name = 'n'.repeat(30);
    const answer = await send('/v1/toys', { body: { id: 1, name, owner: 'ann' } });
    expect(answer.status).toBe(500);
    expect(answer.cause).toMatch(
      /^version 1\.0\.0: createToy: the converted request violates the contract: .*\/names\/common/,
    );
    expect(answer.response).toMatchObject({ version: '1.0.0', operationId: 'createToy' });
    expect(handled).toEqual([]);
  });
});

describe('the reply to an older version', () => {
  it('is a 500 if the handler violates the current contract', async () => {
    const { status, cause } = await create({
      createToy: () => ({ status: 200, body: { id: 1n, name: 'Fern', state: 'alive' } }),
    });
    expect(status).toBe(500);
    expect(cause).toMatch(/^version 1\.0\.0: createToy returned 200: .*names/);
  });

  it('is a 500 if its conversion violates the older contract', async () => {
    const { status, cause } = await create({}, withSchemas({ Toy: { toOld: () => ({ id: 1n }) } }));
    expect(status).toBe(500);
    expect(cause).toMatch(/createToy returned 200: .*name/);
  });

  it('has no property that only the older contract declares', async () => {
    const toOld = ({ id, names, state, tag }: NewToy & { tag?: string }) => ({
      ...{ id, name: names.common, state },
      ...(tag !== undefined && { tag }),
    });
    const { body } = await create(
      { createToy: () => ({ status: 200, body: { ...toy(1n), tag: 'secret' } }) },
      withSchemas({ Toy: { toOld } }),
    );
    expect(body).toEqual({ id: 1, name: 'p1', state: 'alive' });
  });
});

describe('statuses', () => {
  it('map those of thrown problems, whose body is the one of the older contract', async () => {
    const { send } = await serve({
      createToy() {
        throw new Problem(410, 'withdrawn');
      },
    });
    expect(await send('/v1/toys', CREATE)).toMatchObject({
      ...{ status: 404, body: { code: 404, text: 'withdrawn' } },
    });
    expect(await send('/toys', { body: { ...toy(1n), id: 1, owner: 'a' } })).toMatchObject({
      ...{ status: 410, body: { error: 41000, message: 'withdrawn' } },
    });
  });

  it('map those of replies', async () => {
    const answer = await create(
      { createToy: () => ({ status: 410, body: { error: 41000, message: 'withdrawn' } }) },
      withOperation({
        reply: ({ status }: { status: number }) => ({ status, body: { code: status } }),
      }),
    );
    expect(answer).toMatchObject({ status: 404, body: { code: 404 } });
  });

  it('map those of errors that toProblem maps', async () => {
    class Withdrawn extends Error {}
    const createToy = () => {
      throw new Withdrawn('the cause');
    };
    const toProblem = (error: unknown) =>
      error instanceof Withdrawn ? new Problem(410, 'withdrawn') : undefined;
    const answer = await create({ createToy }, {}, { toProblem });
    expect(answer).toMatchObject({ status: 404, cause: 'the cause' });
  });
});

describe('a converter that throws', () => {
  const fail = () => {
    throw new Error('no names');
  };

  it.each([
    ['request', { schemas: { NewToy: { toNew: fail } } }],
    ['request', withOperation({ request: fail })],
    ['request', withOperation({ request: async () => fail() })],
    ['reply', withSchemas({ Toy: { toOld: fail } })],
    ['reply', withOperation({ reply: fail })],
    ['reply', withOperation({ reply: async () => fail() })],
  ])('is a 500 whose cause names version, operation and the %s', async (direction, changed) => {
    const { outcomes, context } = disposedContexts();
    expect(await create({}, changed, { context })).toMatchObject({
      ...{ status: 500, body: { error: 50000 } },
      cause: `version 1.0.0: createToy: the ${direction} converter failed: no names`,
    });
    expect(outcomes).toEqual(direction === 'reply' ? ['failed'] : []);
  });

  it('may throw a Problem, which is the response', async () => {
    const request = () => {
      throw new Problem(400, 'expected a shorter name');
    };
    expect(await create({}, withOperation({ request }))).toMatchObject({
      ...{ status: 400, body: { message: 'expected a shorter name' } },
    });
  });
});

it('disposes the context after the reply of the older contract is valid, with its status', async () => {
  const { outcomes, context } = disposedContexts();
  expect(await create({}, {}, { context })).toMatchObject({ status: 200 });
  const invalid = withSchemas({ Toy: { toOld: () => ({ id: 'x' }) } });
  expect(await create({}, invalid, { context })).toMatchObject({ status: 500 });
  expect(outcomes).toEqual(['replied 200', 'failed']);
});

it('keeps the parts of a request that its converter does not return', async () => {
  const { send } = await serve(
    { createToy: ({ body: { names } }) => ({ status: 200, body: { ...toy(1n), names } }) },
    { operations: { createToy: { request: () => ({}) } } },
  );
  const sent = { body: { id: 1, name: 'F', owner: 'a' } };
  expect(await send('/v1/toys', sent)).toMatchObject({ status: 200, body: { name: 'F' } });
});

it('passes a path parameter that has another name in the current contract', async () => {
  const contract = (name: string) => `
paths:
  /toys/{${name}}:
    get:
      operationId: getToy
      parameters: [{name: ${name}, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: ok, content: {application/json: {schema: {type: string}}}}}
`;
  const { send } = await served({
    yaml: contract('toyId'),
    older: v1(contract('id')),
    handlers: {
      getToy: ({ path }: { path: { toyId: string } }) => ({ status: 200, body: path.toyId }),
    },
  });
  expect(await send('/v1/toys/a')).toMatchObject({ status: 200, body: 'a' });
});

it('sends the body of a call as JSON, unless the converter names another media type', async () => {
  const removed = `
paths:
  /toy:
    get:
      operationId: getToy
      responses: {200: {description: ok, content: {application/json: {schema: {type: string}}}}}
`;
  async function call(_: unknown, { createToy }: NewerOperations) {
    const { status } = await createToy!({ body: { ...toy(1n), owner: 'ann' } });
    return { status, body: 'done' };
  }
  const older = v1(removed, { operations: { getToy: { call } } });
  const { send } = await serve({}, {}, { older });
  expect(await send('/v1/toy')).toMatchObject({ status: 200, body: 'done' });
});

it('passes a body of bytes unchanged', async () => {
  const yaml = `
paths:
  /images:
    post:
      operationId: addImage
      requestBody: {required: true, content: {image/png: {schema: {type: string, format: binary}}}}
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}}
`;
  const handlers = {
    addImage: async ({ body }: { readonly body: ReadableStream }) => ({
      ...{ status: 200, body: { text: await new Response(body).text() } },
    }),
  };
  const { send } = await served({ yaml, handlers, older: v1(yaml) });
  const headers = { 'content-type': 'image/png' };
  const { status, body } = await send('/v1/images', { text: 'bytes', headers });
  expect({ status, body }).toEqual({ status: 200, body: { text: 'bytes' } });
});

it.each([
  ['of one kind', (toy: string) => `properties: {${toy}}`, []],
  [
    'by the name of the event',
    (toy: string, count: string) =>
      `oneOf: [{properties: {event: {const: toy}, ${toy}}}, {properties: {event: {const: count}, ${count}}}]`,
    [{ event: 'count', data: 1 }],
  ],
])('converts the data of events %s', async (_, itemOf, more) => {
  const dataOf = (name: string) =>
    `data: {type: string, contentMediaType: application/json, contentSchema: {$ref: '#/components/schemas/${name}'}}`;
  const yaml = (property: string) => `
paths:
  /toys:
    get:
      operationId: watchToys
      responses:
        200:
          description: ok
          content: {text/event-stream: {itemSchema: {type: object, ${itemOf(dataOf('Toy'), dataOf('Count'))}}}}
components:
  schemas:
    Count: {type: integer}
    Toy: {type: object, required: [${property}], properties: {${property}: {type: string}}}
`;
  const schemas = {
    Toy: { toOld: ({ title }: { readonly title: string }) => ({ name: title }) },
    Count: { toOld: (count: number) => count + 1 },
  };
  const body = [{ event: 'toy', data: { title: 'a' } }, { id: '1', event: 'toy' }, ...more];
  const { versions } = await served({
    ...{ yaml: yaml('title'), older: v1(yaml('name'), { schemas }) },
    handlers: { watchToys: () => ({ status: 200, body }) },
  });
  const text = (await (await open(versions.engine, '/v1/toys')).toArray()).join('');
  expect(text.match(/(?<=data: ).*/g)).toEqual([
    ...['{"name":"a"}', ...more.map(({ data }) => String(data + 1))],
  ]);
});
