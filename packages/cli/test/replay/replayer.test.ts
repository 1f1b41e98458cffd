// The replay of recorded requests to a service, without the command.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Contract } from '@stubwright/contract';
import type { ReleasedRequest } from '@stubwright/traffic';
import { parse } from 'yaml';
import { EarlierResponses, Replayer, type ReplayTarget } from '../../src/replay/replayer.ts';

const definition = new Contract(
  parse(`
openapi: 3.2.0
info: {title: Toys, version: '1'}
servers: [{url: /v1}]
paths:
  /toys:
    post: {operationId: createToy, responses: {201: &toy {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}}
    get: {operationId: streamToys, responses: {200: {description: ok, content: {application/jsonl: {itemSchema: {$ref: '#/components/schemas/Toy'}}}}}}
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {200: *toy, 404: {description: none}}
components:
  schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer}}}}
  securitySchemes: {bearer: {type: http, scheme: bearer}}
`),
);

const CREATE: ReleasedRequest = {
  operationId: 'createToy',
  method: 'post',
  path: '/toys',
  headers: { Authorization: 'Bearer TOKEN', 'Content-Type': 'application/json' },
  body: ['{"name":"', { repeat: 'x', times: 600 }, '"}'],
  status: 201,
};
const READ: ReleasedRequest = {
  operationId: 'getToy',
  method: 'get',
  path: '/toys/{id}',
  params: { path: { id: 1 } },
  headers: {},
  values: { '$request.path.id': { operationId: 'createToy', expression: '$response.body#/id' } },
  status: 200,
};

let answers: { status: number; type?: string; text: string }[];
let seen: string[];
const server = createServer(async (request, response) => {
  const { status, type = 'application/json', text } = answers.shift()!;
  seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
  seen.push(String((await textOf(request)).length));
  response.writeHead(status, { 'Content-Type': type }).end(text);
});
let target: ReplayTarget;
let refused: unknown[];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  target = { url: `http://127.0.0.1:${port}`, isOrigin: true, token: 'secret' };
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen = [];
  refused = [];
});

function replayer(mayRefuse = false): Replayer {
  return new Replayer(definition, {
    headers: { 'X-Run': '1' },
    mayRefuse: (...args) => {
      refused.push(args.slice(1));
      return mayRefuse;
    },
  });
}

const messages = ({ violations }: { violations: readonly { message: string }[] }) =>
  violations.map(({ message }) => message);

describe('a replay', () => {
  it('sends a recorded request with the credentials of the service, and reports it without', async () => {
    answers = [{ status: 201, text: '{"id":7}' }];
    const { curl, ...replayed } = await replayer().send(CREATE, target);
    expect(replayed).toMatchObject({ status: 201, response: '201 {"id":7}', violations: [] });
    expect(seen).toEqual(['POST /v1/toys Bearer secret', '611']);
    expect(curl).toContain("-H 'Authorization: Bearer TOKEN'");
    expect(curl).not.toContain('secret');
  });

  it('uses the values of earlier responses', async () => {
    answers = [
      { status: 201, text: '{"id":7}' },
      { status: 200, text: '{"id":7}' },
    ];
    const replay = replayer();
    replay.startConversation();
    await replay.send(CREATE, target);
    await replay.send(READ, target);
    expect(seen[2]).toBe('GET /v1/toys/7 undefined');
  });

  it('compares the response with the contract, and with the recorded status', async () => {
    answers = [
      { status: 201, text: '{"id":"7"}' },
      { status: 404, text: '' },
      { status: 404, text: '' },
    ];
    expect(messages(await replayer().send(CREATE, target))).toEqual(['expected integer']);
    expect(messages(await replayer().send(READ, target))).toEqual([
      'expected 200, as when the version was released',
    ]);
    expect(await replayer(true).send(READ, target)).toMatchObject({ violations: [] });
    // Nothing has created the toy.
    expect(refused).toEqual([
      [404, [404, 410, 422]],
      [404, [404, 410, 422]],
    ]);
  });

  it.each([200, 404])('accepts %j where a refusal was recorded', async (status) => {
    answers = [{ status, text: status === 200 ? '{"id":1}' : '' }];
    const { violations } = await replayer().send({ ...READ, status: 404 }, target);
    expect([violations, refused]).toEqual([[], []]);
  });

  it('validates the items of a stream, until the first invalid one', async () => {
    const type = 'application/jsonl';
    answers = [{ status: 200, type, text: '{"id":1}\n{"id":"2"}\n{"id":3}\n' }];
    const stream = { ...READ, operationId: 'streamToys', path: '/toys', values: {} };
    const replayed = await replayer().send(stream, target);
    expect(replayed.response).toBe('200 {"id":1}\n{"id":"2"}');
    expect(messages(replayed)).toEqual(['expected integer']);
  });

  it('reports a connection that fails, and throws without a service', async () => {
    const failing = (code: string) => {
      const cause = Object.assign(new Error('closed'), { code });
      jest
        .spyOn(globalThis, 'fetch')
        .mockRejectedValueOnce(new TypeError('fetch failed', { cause }));
      return replayer(true);
    };
    const replayed = await failing('ECONNRESET').send(CREATE, target);
    expect(messages(replayed)).toEqual(['no response: ECONNRESET']);
    await expect(failing('ECONNREFUSED').send(CREATE, target)).rejects.toThrow(
      `URL: got ${target.url}/v1 (ECONNREFUSED), expected a service that responds`,
    );
  });

  it('sends another idempotency key for each other request of each conversation', async () => {
    const keys: unknown[] = [];
    const withKeys = (schema?: object) => {
      const parameter = { name: 'Idempotency-Key', in: 'header', schema };
      const parameters = [{ ...parameter, 'x-idempotency': { ttl: '1h' } }];
      const responses = { 201: { description: 'ok' } };
      const post = { operationId: 'createToy', parameters, responses };
      const keyed = new Contract({ openapi: '3.1.0', info: {}, paths: { '/toys': { post } } });
      const replay = new Replayer(keyed, { mayRefuse: () => false });
      jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
        keys.push(new Headers(init?.headers).get('Idempotency-Key'));
        return new Response(null, { status: 201 });
      });
      return async (bodies: readonly (readonly [key: string, body: string, status?: number])[]) => {
        replay.startConversation();
        for (const [key, body, status = 201] of bodies) {
          const headers = { 'Idempotency-Key': key };
          await replay.send({ ...CREATE, headers, body: [body], status }, target);
        }
        return keys.splice(0);
      };
    };
    const UUID = '123e4567-e89b-12d3-a456-426614174000';
    const converse = withKeys({ type: 'string', format: 'uuid' });
    const [a, repeated, b, reused, other] = await converse([
      ...([
        [UUID, 'a'],
        [UUID, 'a'],
        [UUID, 'b'],
        [UUID, 'c', 422],
        ['x', 'a', 400],
      ] as const),
    ]);
    expect([repeated, reused, other]).toEqual([a, b, 'x']);
    const [later] = await converse([[UUID, 'a']]);
    const different = new Set([UUID, a, b, later]);
    expect(different.size).toBe(4);
    // A key that the contract does not allow is not invented.
    expect(await withKeys({ type: 'string', maxLength: 8 })([['key-1', 'a']])).toEqual(['key-1']);
  });

  it.each([
    [
      'a path that continues the host',
      { path: '.example/' },
      'expected a path at http://127.0.0.1',
    ],
    ['an unknown operation', { operationId: 'eatToy' }, 'has no operation eatToy'],
  ])('refuses %s', async (_, parts, message) => {
    const other = { url: target.url };
    await expect(replayer().send({ ...CREATE, ...parts }, other)).rejects.toThrow(message);
  });
});

describe('a value of an earlier response', () => {
  const sent: ReleasedRequest = {
    ...CREATE,
    path: '/toys?a=1&b%20c=x%20y',
    params: { path: { id: 9 } },
    body: ['{"name":"ant","list":[{"id":3}]}'],
  };
  const response = {
    text: '{"id":7,"big":9223372036854775807,"ok":true,"none":null,"dot":"..","part":{"a/b":"c"}}',
    headers: new Headers({ location: 'https://h.example/toys/a%20b/?q=1', 'x-id': '5' }),
  };
  const filledWith = (expression: string, recorded: Partial<ReleasedRequest> = {}) => {
    const earlier = new EarlierResponses(definition);
    earlier.startConversation();
    earlier.add(sent, response);
    const values = { '$request.path.id': { operationId: 'createToy', expression } };
    return earlier.fill(
      { ...READ, values, ...recorded },
      definition.operations.find((each) => each.operationId === 'getToy')!,
    );
  };

  it.each<[expression: string, value: unknown]>([
    ['$response.body#/id', '7'],
    ['$response.body#/big', '9223372036854775807'],
    ['$response.body#/ok', 'true'],
    ['$response.body#/part/a~1b', 'c'],
    ['$response.header.location', 'a b'],
    ['$response.header.Location', 'a b'],
    ['$response.header.X-Id', '5'],
    ['$request.body#/list/0/id', '3'],
    ['$request.body#/name', 'ant'],
    ['$request.path.id', '9'],
    ['$request.query.a', '1'],
    ['$request.query.b c', 'x y'],
  ])('is read by %s', (expression, value) => {
    const { request, allowed } = filledWith(expression);
    expect([request.params, allowed]).toEqual([{ path: { id: value } }, []]);
  });

  it.each([
    ...[
      '$response.body#/none',
      '$response.body#/part',
      '$response.body#/other',
      '$response.body#/dot',
    ],
    ...['$response.header.other', '$request.query.c', '$request.path.other', '$url', 'text'],
  ])('is not read by %s: the recorded one stays', (expression) => {
    const { request, allowed } = filledWith(expression);
    expect([request.params, allowed]).toEqual([READ.params, [404, 410, 422]]);
  });

  it('allows a missing resource that no request of the conversation has created', () => {
    const getToy = definition.operations.find((each) => each.operationId === 'getToy')!;
    const { values: _, ...unfilled } = READ;
    const earlier = new EarlierResponses(definition);
    expect(earlier.fill(unfilled, getToy).allowed).toEqual([404, 410]);
    earlier.add(sent, response);
    expect(earlier.fill(unfilled, getToy).allowed).toEqual([]);
    earlier.startConversation();
    expect(earlier.fill(unfilled, getToy).allowed).toEqual([404, 410]);
    // The values name no resource.
    const source = { operationId: 'createToy', expression: '$response.body#/id' };
    const other = filledWith('', { values: { '$request.query.q': source } });
    expect(other.allowed).toEqual([404, 410]);
  });

  it.each([
    [['owner', 'id'], []],
    [['owner'], [404, 410]],
    [['id'], [404, 410]],
  ])(
    'allows a missing resource unless earlier responses fill all path parameters: %j',
    (names, allowed) => {
      const owned = new Contract({
        openapi: '3.1.0',
        paths: {
          '/toys': { post: { operationId: 'createToy' } },
          '/owners/{owner}/toys/{id}': { get: { operationId: 'getOwned' } },
        },
      });
      const earlier = new EarlierResponses(owned);
      earlier.startConversation();
      earlier.add(sent, response);
      const source = { operationId: 'createToy', expression: '$response.body#/id' };
      const values = Object.fromEntries(names.map((name) => [`$request.path.${name}`, source]));
      const getOwned = owned.operations.find((each) => each.operationId === 'getOwned')!;
      expect(earlier.fill({ ...READ, values }, getOwned).allowed).toEqual(allowed);
    },
  );

  it.each<[target: string, recorded: Partial<ReleasedRequest>, written: Partial<ReleasedRequest>]>([
    ['$request.path.id', { params: { path: { a: 1 } } }, { params: { path: { a: 1, id: '7' } } }],
    ['$request.query.q', { path: '/toys' }, { path: '/toys?q=7' }],
    ['$request.query.q', { path: '/toys?q=1&a=b&q=2' }, { path: '/toys?a=b&q=7' }],
    ['$request.query.a b', { path: '/toys?a%20b=1' }, { path: '/toys?a%20b=7' }],
    ['$request.body#/id', { body: ['{"id":1}'] }, { body: ['{"id":7}'] }],
    ['$request.body#/id', { body: ['{"id":"1"}'] }, { body: ['{"id":"7"}'] }],
    ['$request.body#/a/b~1c', { body: ['{"a":{"b/c":1}}'] }, { body: ['{"a":{"b/c":7}}'] }],
    ['$request.body#/a/id', { body: ['{"a":1}'] }, { body: ['{"a":1}'] }],
    ['$request.body#/id', { body: ['no JSON'] }, { body: ['no JSON'] }],
  ])('is written to %s of %j', (target, recorded, written) => {
    const source = { operationId: 'createToy', expression: '$response.body#/id' };
    const { request } = filledWith('', { ...recorded, values: { [target]: source } });
    expect(request).toMatchObject(written);
  });
});
