// A request of an older version: what its converters receive, what the handler receives, and the response.
import { describe, expect, it } from '@jest/globals';
import { Problem } from '@stubwright/contract';
import { served } from './support.ts';

const ERROR = `
    Error:
      type: object
      required: [error, message]
      properties: {error: {type: integer}, message: {type: string}}
`;

const NEW = `
paths:
  /plants:
    get:
      operationId: listPlants
      parameters:
        - {name: state, in: query, schema: {$ref: '#/components/schemas/State'}}
        - {name: limit, in: query, schema: {type: integer, default: 10, maximum: 50}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: object, required: [plants], properties: {plants: {type: array, items: {$ref: '#/components/schemas/Plant'}}}}
    post:
      operationId: createPlant
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewPlant'}}}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
        409: {description: taken, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
        410: {description: gone, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
        default: {description: error, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
components:
  schemas:
    State: {type: string, enum: [alive, dormant, dead]}
    Names: {type: object, required: [common], properties: {common: {type: string, maxLength: 20}}}
    Plant:
      type: object
      required: [id, names, tags, state]
      properties:
        id: {type: integer, format: int64}
        names: {$ref: '#/components/schemas/Names'}
        tags: {type: array, items: {type: string}}
        state: {$ref: '#/components/schemas/State'}
    NewPlant:
      allOf:
        - {$ref: '#/components/schemas/Plant'}
        - {type: object, required: [owner], properties: {owner: {type: string}}}
${ERROR}`;

const OLD = `
paths:
  /plants:
    get:
      operationId: listPlants
      parameters:
        - {name: state, in: query, schema: {$ref: '#/components/schemas/State'}}
        - {name: sort, in: query, schema: {type: string}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: object, required: [plants], properties: {plants: {type: array, items: {$ref: '#/components/schemas/Plant'}}}}
    post:
      operationId: createPlant
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewPlant'}}}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
        404: {description: none, content: {application/json: {schema: {type: object, required: [code], additionalProperties: false, properties: {code: {type: integer}, text: {type: string}}}}}}
        default: {description: error, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
components:
  schemas:
    State: {type: string, enum: [alive, dead, unknown]}
    Plant:
      type: object
      required: [id, name, state]
      additionalProperties: false
      properties: {id: {type: integer, format: int64}, name: {type: string, maxLength: 100}, tag: {type: string}, state: {$ref: '#/components/schemas/State'}}
    NewPlant:
      type: object
      required: [id, name, owner]
      properties: {id: {type: integer, format: int64}, name: {type: string, maxLength: 100}, owner: {type: string}}
${ERROR}`;

interface NewPlant {
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
    Plant: {
      toOld: ({ id, names, tags, state }: NewPlant) => ({
        ...{ id, name: names.common, state },
        ...(tags[0] !== undefined && { tag: tags[0] }),
      }),
    },
    NewPlant: {
      toNew: ({ id, name, owner }: { id: bigint; name: string; owner: string }) => ({
        ...{ id, names: { common: name }, tags: [], state: 'alive', owner },
      }),
    },
  },
  statuses: { 410: 404 },
};

const plant = (id: bigint, state = 'alive', tags: readonly string[] = []) => ({
  ...{ id, names: { common: `p${id}` }, tags, state },
});

// biome-ignore lint/suspicious/noExplicitAny: a toy contract has no generated types
type Handler = (request: any) => unknown;

const serve = (handlers: Record<string, Handler>, changed: object = {}) =>
  served({
    yaml: NEW,
    older: [
      { version: '1.0.0', path: '/v1', yaml: OLD, converters: { ...converters, ...changed } },
    ],
    handlers: {
      listPlants: () => ({ status: 200, body: { plants: [] } }),
      createPlant: () => ({ status: 200, body: plant(1n) }),
      ...handlers,
    },
  });

describe('a component with a converter', () => {
  it('is converted wherever it stands, inner components first', async () => {
    const { send } = await serve({
      listPlants: () => ({
        ...{ status: 200, body: { plants: [plant(1n, 'dormant', ['a', 'b']), plant(2n)] } },
      }),
    });
    expect(await send('/v1/plants')).toMatchObject({
      status: 200,
      body: {
        plants: [
          { id: 1, name: 'p1', tag: 'a', state: 'dead' },
          { id: 2, name: 'p2', state: 'alive' },
        ],
      },
    });
  });

  it('is not converted for the current version', async () => {
    const { send } = await serve({
      listPlants: () => ({ status: 200, body: { plants: [plant(1n, 'dormant')] } }),
    });
    const { body } = await send('/plants');
    expect(body.plants).toEqual([{ id: 1, names: { common: 'p1' }, tags: [], state: 'dormant' }]);
  });

  it('is converted in parameters, and the handler receives those that it declares', async () => {
    const got: unknown[] = [];
    const { send } = await serve({
      listPlants({ query }) {
        got.push({ ...query });
        return { status: 200, body: { plants: [] } };
      },
    });
    await send('/v1/plants?state=unknown&sort=name');
    expect(got).toEqual([{ state: 'dormant', limit: 10 }]);
  });

  it('is converted in bodies, an int64 exactly', async () => {
    const got: unknown[] = [];
    const { send } = await serve({
      createPlant({ body }) {
        got.push(body);
        return { status: 200, body: plant(body.id) };
      },
    });
    const text = '{"id":9007199254740993,"name":"Fern","owner":"ann"}';
    const { response } = await send('/v1/plants', { text });
    expect(response.body).toBe(
      '{"id":9007199254740993,"name":"p9007199254740993","state":"alive"}',
    );
    expect(got).toEqual([
      { id: 9007199254740993n, names: { common: 'Fern' }, tags: [], state: 'alive', owner: 'ann' },
    ]);
  });

  it('is converted by the outermost component of a composition alone', async () => {
    const called: string[] = [];
    const { send } = await serve(
      {},
      {
        schemas: {
          ...converters.schemas,
          Plant: {
            toOld(value: NewPlant) {
              called.push('Plant');
              return converters.schemas.Plant.toOld(value);
            },
          },
          NewPlant: {
            ...converters.schemas.NewPlant,
            toOld(value: NewPlant) {
              called.push('NewPlant');
              return value;
            },
          },
        },
      },
    );
    await send('/v1/plants', { body: { id: 1, name: 'Fern', owner: 'ann' } });
    expect(called).toEqual(['Plant']);
  });
});

describe('the request of an older version', () => {
  it('is validated by its own contract, and the error is in its own format', async () => {
    const { send } = await serve({});
    const { status, body } = await send('/v1/plants', { body: { id: 1, names: {} } });
    expect({ status, body }).toEqual({
      ...{ status: 400 },
      body: { error: 40000, message: expect.stringMatching(/name.*owner/) },
    });
  });

  it('is a 500 if its conversion violates the current contract: nobody handles it', async () => {
    const handled: unknown[] = [];
    const { send } = await serve({
      createPlant(request) {
        handled.push(request);
        return { status: 200, body: plant(1n) };
      },
    });
    const name = 'n'.repeat(30);
    const answer = await send('/v1/plants', { body: { id: 1, name, owner: 'ann' } });
    expect(answer.status).toBe(500);
    expect(answer.cause).toMatch(
      /^version 1\.0\.0: createPlant: the converted request violates the contract: .*\/names\/common/,
    );
    expect(answer.response).toMatchObject({ version: '1.0.0', operationId: 'createPlant' });
    expect(handled).toEqual([]);
  });
});

describe('the reply to an older version', () => {
  it('is a 500 if the handler violates the current contract', async () => {
    const { send } = await serve({
      createPlant: () => ({ status: 200, body: { id: 1n, name: 'Fern', state: 'alive' } }),
    });
    const { status, cause } = await send('/v1/plants', { body: { id: 1, name: 'F', owner: 'a' } });
    expect(status).toBe(500);
    expect(cause).toMatch(/^version 1\.0\.0: createPlant returned 200: .*names/);
  });

  it('is a 500 if its conversion violates the older contract', async () => {
    const { send } = await serve(
      {},
      { schemas: { ...converters.schemas, Plant: { toOld: () => ({ id: 1n }) } } },
    );
    const { status, cause } = await send('/v1/plants', { body: { id: 1, name: 'F', owner: 'a' } });
    expect(status).toBe(500);
    expect(cause).toMatch(/createPlant returned 200: .*name/);
  });

  it('has no property that only the older contract declares', async () => {
    const { send } = await serve(
      {
        createPlant: () => ({ status: 200, body: { ...plant(1n), tag: 'secret' } }),
      },
      {
        schemas: {
          ...converters.schemas,
          Plant: {
            toOld: ({ id, names, state, ...rest }: NewPlant & { tag?: string }) => ({
              ...{ id, name: names.common, state },
              ...(rest.tag !== undefined && { tag: rest.tag }),
            }),
          },
        },
      },
    );
    const { body } = await send('/v1/plants', { body: { id: 1, name: 'F', owner: 'a' } });
    expect(body).toEqual({ id: 1, name: 'p1', state: 'alive' });
  });
});

describe('statuses', () => {
  const body = { id: 1, name: 'F', owner: 'a' };

  it('map those of thrown problems, whose body is the one of the older contract', async () => {
    const { send } = await serve({
      createPlant() {
        throw new Problem(410, 'withered');
      },
    });
    expect(await send('/v1/plants', { body })).toMatchObject({
      ...{ status: 404, body: { code: 404, text: 'withered' } },
    });
    expect(await send('/plants', { body: { ...plantText(), owner: 'a' } })).toMatchObject({
      ...{ status: 410, body: { error: 41000, message: 'withered' } },
    });
  });

  it('map those of replies', async () => {
    const { send } = await serve(
      {
        createPlant: () => ({ status: 410, body: { error: 41000, message: 'withered' } }),
      },
      {
        operations: {
          createPlant: {
            reply: ({ status }: { status: number }) => ({ status, body: { code: status } }),
          },
        },
      },
    );
    expect(await send('/v1/plants', { body })).toMatchObject({ status: 404, body: { code: 404 } });
  });

  it('map those of errors that toProblem maps', async () => {
    class Withered extends Error {}
    const { send } = await served({
      yaml: NEW,
      older: [{ version: '1.0.0', path: '/v1', yaml: OLD, converters }],
      toProblem: (error) => (error instanceof Withered ? new Problem(410, 'withered') : undefined),
      handlers: {
        listPlants: () => ({ status: 200, body: { plants: [] } }),
        createPlant() {
          throw new Withered('the cause');
        },
      },
    });
    expect(await send('/v1/plants', { body })).toMatchObject({ status: 404, cause: 'the cause' });
  });

  const plantText = () => ({ ...plant(1n), id: 1 });
});

describe('a converter that throws', () => {
  const body = { id: 1, name: 'F', owner: 'a' };
  const fail = () => {
    throw new Error('no names');
  };

  it.each([
    ['request', { schemas: { NewPlant: { toNew: fail } } }],
    ['request', { operations: { createPlant: { request: fail } } }],
    ['request', { operations: { createPlant: { request: async () => fail() } } }],
    ['reply', { schemas: { ...converters.schemas, Plant: { toOld: fail } } }],
    ['reply', { operations: { createPlant: { reply: fail } } }],
    ['reply', { operations: { createPlant: { reply: async () => fail() } } }],
  ])('is a 500 whose cause names version, operation and the %s', async (direction, changed) => {
    const outcomes: string[] = [];
    const context = () => ({
      async [Symbol.asyncDispose](outcome?: { kind: string }) {
        outcomes.push(outcome!.kind);
      },
    });
    const { send } = await served({
      yaml: NEW,
      older: [
        { version: '1.0.0', path: '/v1', yaml: OLD, converters: { ...converters, ...changed } },
      ],
      context: context as never,
      handlers: {
        listPlants: () => ({ status: 200, body: { plants: [] } }),
        createPlant: () => ({ status: 200, body: plant(1n) }),
      },
    });
    const answer = await send('/v1/plants', { body });
    expect(answer).toMatchObject({
      ...{ status: 500, body: { error: 50000 } },
      cause: `version 1.0.0: createPlant: the ${direction} converter failed: no names`,
    });
    expect(outcomes).toEqual(direction === 'reply' ? ['failed'] : []);
  });

  it('may throw a Problem, which is the response', async () => {
    const { send } = await serve(
      {},
      {
        operations: {
          createPlant: {
            request() {
              throw new Problem(400, 'expected a shorter name');
            },
          },
        },
      },
    );
    expect(await send('/v1/plants', { body })).toMatchObject({
      ...{ status: 400, body: { message: 'expected a shorter name' } },
    });
  });
});

describe('the context', () => {
  const body = { id: 1, name: 'F', owner: 'a' };

  it('is disposed after the reply of the older contract is valid, with its status', async () => {
    const outcomes: unknown[] = [];
    const serveWith = (toOld: (value: NewPlant) => unknown) =>
      served({
        yaml: NEW,
        older: [
          {
            ...{ version: '1.0.0', path: '/v1', yaml: OLD },
            converters: { ...converters, schemas: { ...converters.schemas, Plant: { toOld } } },
          },
        ],
        context: (() => ({
          async [Symbol.asyncDispose](outcome?: { kind: string; status?: number }) {
            outcomes.push([outcome?.kind, outcome?.status]);
          },
        })) as never,
        handlers: {
          listPlants: () => ({ status: 200, body: { plants: [] } }),
          createPlant: () => ({ status: 200, body: plant(1n) }),
        },
      });
    const { send } = await serveWith(converters.schemas.Plant.toOld);
    expect(await send('/v1/plants', { body })).toMatchObject({ status: 200 });
    const invalid = await serveWith(() => ({ id: 'x' }));
    expect(await invalid.send('/v1/plants', { body })).toMatchObject({ status: 500 });
    expect(outcomes).toEqual([
      ['replied', 200],
      ['failed', undefined],
    ]);
  });
});
