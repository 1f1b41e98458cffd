// Features of the current contract, for requests of each version: a row for each feature, a column for each way of a request.
import { describe, expect, it } from '@jest/globals';
import { Problem } from '@stubwright/contract';
import { memoryIdempotency } from 'stubwright/idempotency';
import type { EngineOptions, Principal } from 'stubwright/internals';
import { type Answer, type Sent, type ServedOptions, served, v1 } from './support.ts';

interface Shape {
  /** Of the required property of a toy. */
  readonly name: string;
  readonly security: string;
  readonly paths?: string;
}

const KEY = '{name: Idempotency-Key, in: header, x-idempotency: {ttl: 1h}, schema: {type: string}}';
const IF_MATCH = '{name: If-Match, in: header, required: true, schema: {type: string}}';

const contract = ({ name, security, paths = '' }: Shape) => `
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    app: {type: apiKey, in: header, name: X-App}
  schemas:
    Toy: {type: object, required: [${name}], properties: {${name}: {type: string}, count: {type: integer}, code: {type: string, writeOnly: true, default: a}}}
  responses:
    Toy:
      description: ok
      headers: {ETag: {schema: {type: string}}}
      content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}
    Error: {description: no, content: {application/problem+json: {}}}
security: ${security}
paths:
  /toys:
    post:
      operationId: addToy
      x-rate-limit: {requests: 2, window: 1m}
      parameters: [${KEY}]
      requestBody: &toy
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}
      responses: {200: {$ref: '#/components/responses/Toy'}, default: &error {$ref: '#/components/responses/Error'}}
  /toys/1:
    get:
      operationId: getToy
      responses: {200: {$ref: '#/components/responses/Toy'}, default: *error}
    patch:
      operationId: patchToy
      parameters: [${IF_MATCH}]
      requestBody:
        required: true
        content: {application/merge-patch+json: {schema: {type: object, properties: {${name}: {type: string}}}}}
      responses: {200: {$ref: '#/components/responses/Toy'}, 428: *error, default: *error}
  /toys/events:
    get:
      operationId: watchToys
      responses:
        200: {description: ok, content: {application/jsonl: {itemSchema: {$ref: '#/components/schemas/Toy'}}}}
        default: *error
  /toys/import:
    post:
      operationId: importToy
      parameters: [${KEY}]
      requestBody:
        required: true
        content: {multipart/form-data: {schema: {type: object, required: [toy], properties: {toy: {$ref: '#/components/schemas/Toy'}}}}}
      responses: {200: {$ref: '#/components/responses/Toy'}, default: *error}
${paths}`;

/** As a converter of an operation that the current contract does not have. */
const REMOVED = (name: string, security: string) => `
  /all:
    post:
      operationId: addAll
      security: ${security}
      parameters: [${KEY}]
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [${name}], properties: {${name}: {type: string}}}}}
      responses: {200: {$ref: '#/components/responses/Toy'}, default: *error}
`;

type Value = Readonly<Record<string, unknown>>;
type Patch = { readonly body: Value; readonly preconditions: { check(version: number): void } };
const renamed = (from: string, to: string) => (value: Value) => {
  if (!(from in value)) return value;
  const { [from]: found, ...rest } = value;
  return { ...rest, [to]: found };
};
const toNew = renamed('name', 'title');
const toOld = renamed('title', 'name');

const CONVERTERS = {
  schemas: { Toy: { toNew, toOld } },
  operations: {
    patchToy: { request: ({ body }: { body: Value }) => ({ body: toNew(body) }) },
    addAll: {
      async call(
        { header, body }: { header: object; body: Value },
        { addToy }: Record<'addToy', (request: object) => Promise<{ body: Value }>>,
      ) {
        const { body: toy } = await addToy({ header, body: toNew(body) });
        return { status: 200, body: toOld(toy) };
      },
    },
  },
};

const COLUMNS = ['current', 'path', 'header', 'pin', 'default', 'call'] as const;
type Column = (typeof COLUMNS)[number];
const OLD_SECURITY = ['[{token: []}]', '[]', '[{app: []}]', '[{token: []}, {}]'];

const verifiers = {
  token: (token: string): Principal | undefined =>
    /^\w+$/.test(token) ? { name: token } : undefined,
};

/** A limit for each caller and operation, as x-rate-limit has. */
function limits(counted: string[]): EngineOptions<never>['rateLimitOf'] {
  const counts = new Map<string, number>();
  return ({ operationId }) => {
    if (operationId !== 'addToy') return undefined;
    return async (given) => {
      const { name } = given as unknown as Principal;
      const caller = name ?? Object.values(given as object)[0].name;
      counted.push(caller);
      const count = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, count);
      if (count > 2) throw new Problem(429, 'too many requests');
      return { RateLimit: `r=${2 - count}` };
    };
  };
}

async function service(column: Column, oldSecurity: string, options: Partial<ServedOptions> = {}) {
  const counted: string[] = [];
  const handled: string[] = [];
  const verified: string[] = [];
  let version = 1;
  // The security of an operation that the current contract does not have is that of its own contract.
  const ofRemoved = oldSecurity.includes('app') ? '[{token: []}]' : oldSecurity;
  const of = (column: Column) => (column === 'path' || column === 'call' ? { path: '/v1' } : {});
  const { send } = await served({
    yaml: contract({ name: 'title', security: '[{token: []}]' }),
    older: [
      {
        ...{ version: '1.0.0', converters: CONVERTERS, ...of(column) },
        yaml: contract({ name: 'name', security: oldSecurity, paths: REMOVED('name', ofRemoved) }),
      },
    ],
    header: 'Version',
    ...(column === 'default' && { default: '1.0.0' }),
    ...(column === 'pin' && { pin: () => '1.0.0' }),
    verifiers: {
      token: (token: string) => {
        verified.push(token);
        return verifiers.token(token);
      },
    },
    rateLimitOf: limits(counted),
    idempotency: memoryIdempotency(),
    handlers: {
      addToy: ({ body, principal }: { body: Value; principal: Principal }) => {
        handled.push(principal.name);
        return { status: 200, headers: { ETag: '"1"' }, body: { ...body, count: handled.length } };
      },
      getToy: () => ({ status: 200, headers: { ETag: `"${version}"` }, body: { title: 'x' } }),
      watchToys: () => ({
        status: 200,
        body: (async function* () {
          yield { title: 'x' };
        })(),
      }),
      importToy({ body, principal }: { body: { toy: Value }; principal: Principal }) {
        handled.push(principal.name);
        return { status: 200, body: { ...body.toy, count: handled.length } };
      },
      patchToy: ({ body, preconditions }: Patch) => {
        preconditions.check(version);
        version++;
        return { status: 200, headers: { ETag: `"${version}"` }, body: { title: 'x', ...body } };
      },
    } as never,
    ...options,
  });
  const isOld = column !== 'current';
  const prefix = column === 'path' || column === 'call' ? '/v1' : '';
  const property = isOld ? 'name' : 'title';
  const request = (path: string, value: string | undefined, { headers, ...sent }: Sent) =>
    send(`${prefix}${path}`, {
      ...sent,
      headers: {
        authorization: 'Bearer ann',
        ...(column === 'header' && { version: '1.0.0' }),
        ...headers,
      },
      ...(value !== undefined && { body: { [property]: value } }),
    });
  return {
    ...{ counted, handled, verified, property },
    add: (value: string, headers: Sent['headers'] = {}) =>
      request(column === 'call' ? '/all' : '/toys', value, { headers }),
    get: (headers: Sent['headers'] = {}) => request('/toys/1', undefined, { headers }),
    watch: (headers: Sent['headers'] = {}) => request('/toys/events', undefined, { headers }),
    /** The boundary is another one in each request. */
    upload(value: string, headers: Sent['headers'] = {}) {
      const boundary = `b${++boundaries}`;
      const part = `Content-Disposition: form-data; name="toy"\r\nContent-Type: application/json`;
      return request('/toys/import', undefined, {
        text: `--${boundary}\r\n${part}\r\n\r\n{"${property}":"${value}"}\r\n--${boundary}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
      });
    },
    patch: (value: string, headers: Sent['headers'] = {}) =>
      request('/toys/1', value, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json', ...headers },
      }),
  };
}

let boundaries = 0;

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

const CELLS = COLUMNS.flatMap((column) =>
  (column === 'current' ? ['[]'] : OLD_SECURITY).map((security) => ({ column, security })),
);

describe.each(CELLS)('$column, with the old security $security', ({ column, security }) => {
  it('security: the current contract authenticates, once', async () => {
    const { add, verified, handled } = await service(column, security);
    expect((await add('x', { authorization: '' })).status).toBe(401);
    expect((await add('x', { authorization: 'Bearer -' })).status).toBe(401);
    expect(handled).toEqual([]);
    verified.length = 0;
    expect((await add('x', { authorization: 'Bearer bob' })).status).toBe(200);
    expect(handled).toEqual(['bob']);
    // A call authenticates for the operation that it calls as well.
    const isTwice = column === 'call' && security !== '[]';
    expect(verified).toEqual(isTwice ? ['bob', 'bob'] : ['bob']);
  });

  it('idempotency: a caller gets its own response again, and no other one', async () => {
    const { add, handled, property } = await service(column, security);
    const key = { 'idempotency-key': 'k' };
    const first = await add('x', key);
    const again = await add('x', key);
    expect(first.body).toEqual({ [property]: 'x', count: 1 });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await add('x', { ...key, authorization: 'Bearer bob' });
    expect(other.body).toEqual({ [property]: 'x', count: 2 });
    expect(handled).toEqual(['ann', 'bob']);
  });

  it('idempotency: another request with the key is refused', async () => {
    const { add, handled } = await service(column, security);
    const key = { 'idempotency-key': 'k' };
    expect(statusesOf([await add('x', key), await add('y', key)])).toEqual([200, 422]);
    expect(handled).toEqual(['ann']);
  });

  it('rate limits: each caller has that of the current operation', async () => {
    const { add, counted } = await service(column, security);
    const answers = [await add('x'), await add('x'), await add('x')];
    expect(statusesOf(answers)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers['RateLimit'])).toEqual(['r=1', 'r=0', undefined]);
    expect((await add('x', { authorization: 'Bearer bob' })).status).toBe(200);
    expect(counted).toEqual(['ann', 'ann', 'ann', 'bob']);
  });

  if (column === 'call') return;

  it('ETag: that of the current representation', async () => {
    const { get } = await service(column, security);
    const { headers, status } = await get();
    expect([status, headers['ETag']]).toEqual([200, '"1"']);
    expect((await get({ 'if-none-match': '"1"' })).status).toBe(304);
    expect((await get({ 'if-none-match': '"2"' })).status).toBe(200);
  });

  it('If-Match and patch: a recorded condition holds', async () => {
    const { patch, property } = await service(column, security);
    const patched = await patch('y', { 'if-match': '"1"' });
    expect([patched.status, patched.headers['ETag']]).toEqual([200, '"2"']);
    expect(patched.body).toEqual({ [property]: 'y' });
    expect((await patch('y', { 'if-match': '"1"' })).status).toBe(412);
    expect((await patch('y')).status).toBe(428);
  });

  it('multipart: a part is converted, and its key belongs to the caller', async () => {
    const { upload, handled, property } = await service(column, security);
    const key = { 'idempotency-key': 'k' };
    expect((await upload('x', key)).body).toEqual({ [property]: 'x', count: 1 });
    expect((await upload('x', key)).body).toEqual({ [property]: 'x', count: 1 });
    expect((await upload('y', key)).status).toBe(422);
    const other = await upload('x', { ...key, authorization: 'Bearer bob' });
    expect([other.body, handled]).toEqual([{ [property]: 'x', count: 2 }, ['ann', 'bob']]);
  });

  it('streams: items are converted for a caller of the current contract', async () => {
    const { watch, property } = await service(column, security);
    expect((await watch()).body).toEqual([{ [property]: 'x' }]);
    expect((await watch({ authorization: '' })).status).toBe(401);
  });
});

describe('a key after the upgrade', () => {
  const key = { 'idempotency-key': 'k' };
  const currentOnly = (idempotency: unknown, handled: string[]) =>
    served({
      version: '1.0.0',
      yaml: contract({ name: 'name', security: '[{token: []}]' }),
      ...{ older: [], verifiers, idempotency: idempotency as never },
      handlers: {
        addToy: ({ body }: { body: Value }) => {
          handled.push('1.0.0');
          return { status: 200, body: { ...body, count: 7 } };
        },
        getToy: () => ({ status: 200, body: { name: 'x' } }),
        patchToy: () => ({ status: 200, body: { name: 'x' } }),
        ...{ watchToys: () => ({ status: 404 }), importToy: () => ({ status: 404 }) },
      } as never,
    });

  it.each(['header', 'pin', 'default'] as const)(
    'repeats the response of before, by %s',
    async (column) => {
      const idempotency = memoryIdempotency();
      const handled: string[] = [];
      const before = await currentOnly(idempotency, handled);
      const first = await before.send('/toys', {
        headers: { authorization: 'Bearer ann', ...key },
        body: { name: 'x' },
      });
      expect(first.status).toBe(200);
      const after = await service(column, '[{token: []}]', { idempotency });
      const again = await after.add('x', key);
      expect([again.status, again.body]).toEqual([200, { name: 'x', count: 7 }]);
      expect([handled, after.handled]).toEqual([['1.0.0'], []]);
      expect((await after.add('y', key)).status).toBe(422);
    },
  );

  it('of an old request belongs to the same request of the current contract', async () => {
    const idempotency = memoryIdempotency();
    const old = await service('header', '[]', { idempotency });
    const current = await service('current', '[]', { idempotency });
    expect((await old.add('x', key)).body).toEqual({ name: 'x', count: 1 });
    expect((await current.add('x', key)).body).toEqual({ title: 'x', count: 1 });
    expect((await current.add('z', { 'idempotency-key': 'c' })).status).toBe(200);
    expect((await old.add('z', { 'idempotency-key': 'c' })).body).toEqual({ name: 'z', count: 1 });
  });
});

it('an ended version does not run its handler of OPTIONS', async () => {
  const paths = `
  /options:
    options: {operationId: options, security: [], responses: {204: {description: ok}}}
`;
  let calls = 0;
  const { send } = await served({
    yaml: contract({ name: 'title', security: '[{token: []}]', paths }),
    older: v1(
      contract({ name: 'title', security: '[{token: []}]', paths }),
      {},
      { deprecated: '2020-01-01', until: '2020-02-01' },
    ),
    ...{ idempotency: memoryIdempotency(), verifiers },
    handlers: {
      ...{ addToy: () => ({}), getToy: () => ({}), patchToy: () => ({}) },
      ...{ watchToys: () => ({}), importToy: () => ({}) },
      options: () => {
        calls++;
        return { status: 204 };
      },
    } as never,
  });
  const headers = { origin: 'https://a.test', 'access-control-request-method': 'POST' };
  const sent = { method: 'OPTIONS' };
  const answers = [
    await send('/v1/options', sent),
    await send('/v1/options', { ...sent, headers }),
  ];
  expect([statusesOf(answers), calls]).toEqual([[410, 410], 0]);
});
