// Selection, chains, streams and headers of representations.
import { describe, expect, it } from '@jest/globals';
import { open, replyWith, type ServedOptions, served, v1 } from './support.ts';

const json = (schema: string) =>
  `{description: ok, content: {application/json: {schema: {type: object, required: [${schema}], properties: {${schema}: {type: string}}, additionalProperties: false}}}}`;

const one = (property: string, rest = '') => `
paths:
  /toys/{id}:
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {200: ${json(property)}}
${rest}`;

/** Renames the property of the reply: `a` of the oldest version to `d` of the current one. */
const renaming = (older: string, newer: string) => ({
  operations: {
    getToy: {
      reply: replyWith((body) => ({ [older]: `${body[newer]}${older}` })),
      request: ({ path }: { path: { id: string } }) => ({ path: { id: `${path.id}${newer}` } }),
    },
  },
});

const three = (names: readonly string[], current: string, given: Partial<ServedOptions>) =>
  served({
    version: current,
    yaml: one('d'),
    older: [
      { version: names[0]!, path: '/v1', yaml: one('a'), converters: renaming('a', 'b') },
      { version: names[1]!, path: '/v2', yaml: one('b'), converters: renaming('b', 'c') },
      { version: names[2]!, path: '/v3', yaml: one('c'), converters: renaming('c', 'd') },
    ],
    handlers: {
      getToy: ({ path }: { path: { id: string } }) => ({ status: 200, body: { d: path.id } }),
    } as never,
    ...given,
  });

describe('a chain', () => {
  it('converts a request through each version, and the reply back', async () => {
    const { send } = await three(['1.0.0', '2.0.0', '3.0.0'], '4.0.0', {});
    expect((await send('/v1/toys/x')).body).toEqual({ a: 'xbcdcba' });
    expect((await send('/v2/toys/x')).body).toEqual({ b: 'xcdcb' });
    expect((await send('/v3/toys/x')).body).toEqual({ c: 'xdc' });
    expect((await send('/toys/x')).body).toEqual({ d: 'x' });
  });

  it('is opened from the version that a request names on', async () => {
    const { versions } = await served({
      yaml: one('d'),
      older: [
        {
          version: '0.9.0',
          path: '/v0',
          yaml: 'paths: {}',
          converters: { schemas: { None: { toNew: String } } },
        },
        { version: '1.0.0', path: '/v1', yaml: one('c'), converters: renaming('c', 'd') },
      ],
      handlers: { getToy: () => ({ status: 200, body: { d: '' } }) },
    });
    const opened = (path: string) => versions.selected({ path, headers: {} });
    await opened('/v1/toys');
    expect(await opened('/toys')).toBeUndefined();
    await expect(opened('/v0/toys')).rejects.toThrow(
      'version 0.9.0: schemas.None.toNew: no component of 0.9.0',
    );
    await expect(versions.openAll()).rejects.toThrow('version 0.9.0');
  });

  it('rejects converters that are missing or belong to nothing', async () => {
    const { versions, send } = await served({
      yaml: 'paths: {}\n',
      older: v1(one('a'), {
        schemas: { Toy: { toOldSteps: {} } as never },
        operations: { getTy: {}, getToy: { replies: () => ({}) } as never },
        statuses: { 404: 200 },
      }),
    });
    const error = await versions.openAll().catch(({ message }: Error) => message);
    expect(error).toContain('getToy is not in 2.0.0, expected operations.getToy.call');
    expect(error).toContain('operations.getTy: the contract has no such operation');
    expect(error).toContain('statuses: got 404: 200');
    expect(error).toContain('schemas.Toy: got toOldSteps, expected toNew, toOld, loses');
    expect(error).toContain('operations.getToy: got replies, expected request, reply, item, call');
    const { status, cause } = await send('/v1/toys/x');
    expect({ status, cause }).toMatchObject({ status: 500 });
    expect(cause).toMatch(/^version 1\.0\.0: /);
  });
});

describe('the version of a request', () => {
  const names = ['2024-01-10', '2024-06-01', '2025-03-01'];
  const serve = () =>
    three(names, '2026-01-01', {
      header: 'Api-Version',
      mediaType: 'version',
      default: '2025-03-01',
    });
  const propertyFor = async (headers: Record<string, string>, url = '/toys/x') => {
    const { status, body } = await (await serve()).send(url, { headers });
    return status === 200 ? Object.keys(body)[0] : `${status} ${body.message}`;
  };
  const unknown = (name: string, got: string) =>
    `400 ${name}: got "${got}", expected one of 2024-01-10, 2024-06-01, 2025-03-01, 2026-01-01`;

  it.each([
    [{}, 'c'],
    [{ 'api-version': '2026-01-01' }, 'd'],
    [{ 'api-version': '2024-01-10' }, 'a'],
    [{ 'api-version': '2024-05-31' }, 'a'],
    [{ 'api-version': '2030-01-01' }, 'd'],
    [{ 'api-version': '2023-12-31' }, unknown('Api-Version', '2023-12-31')],
    [{ 'api-version': '1.0.0' }, unknown('Api-Version', '1.0.0')],
    [{ accept: 'text/html, application/json; version=2024-06-01' }, 'b'],
    [{ accept: 'application/json; version="2024-06-01"' }, 'b'],
    [{ 'content-type': 'application/json; version=2024-06-01' }, 'b'],
    [{ accept: 'application/json;version=x' }, unknown('Accept parameter version', 'x')],
    [{ accept: 'application/json;version=2024-06-01', 'api-version': '2024-01-10' }, 'a'],
  ])('%j selects %s', async (headers, expected) => {
    expect(await propertyFor(headers as Record<string, string>)).toBe(expected);
  });

  it('is that of the path before that of a header', async () => {
    expect(await propertyFor({ 'api-version': '2026-01-01' }, '/v1/toys/x')).toBe('a');
    expect(await propertyFor({}, '/v12/toys/x')).toMatch(/^404/);
  });

  it('is in Vary, of errors too', async () => {
    const { send } = await serve();
    const vary = async (sent: Record<string, string>) =>
      (await send('/toys/x', { headers: sent })).headers['Vary'];
    expect(await vary({})).toBe('Api-Version, Accept, Content-Type');
    expect(await vary({ 'api-version': '1.0.0' })).toBe('Api-Version, Accept, Content-Type');
    const byPath = await three(['1.0.0', '2.0.0', '3.0.0'], '4.0.0', {});
    expect((await byPath.send('/v1/toys/x')).headers['Vary']).toBeUndefined();
  });

  it('may be named by scripts of other origins', async () => {
    const { send } = await three(names, '2026-01-01', {
      ...{ header: 'Api-Version', cors: { origins: ['https://app.example'] } },
    });
    const { status, headers } = await send('/toys/x', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    });
    expect(status).toBe(204);
    expect(headers['Access-Control-Allow-Headers']).toMatch(/(^|, )Api-Version$/);
    expect(headers['Vary']).toBe('Origin, Api-Version');
    const old = await send('/v1/toys/x', { headers: { origin: 'https://app.example' } });
    expect(old.headers['Access-Control-Allow-Origin']).toBe('https://app.example');
  });
});

it('rejects a selection that cannot work at the start', async () => {
  const handlers = { getToy: () => ({ status: 200, body: { d: '' } }) };
  const options = { yaml: one('d'), older: v1(one('a')), handlers, default: '9.0.0' };
  await expect(served(options)).rejects.toThrow(
    'served.default: got 9.0.0, expected one of 1.0.0, 2.0.0',
  );
});

describe('a stream', () => {
  const lines = (property: string) => `
paths:
  /toys:
    get:
      operationId: listToys
      responses:
        200:
          description: ok
          content:
            application/jsonl:
              x-item-schema: {$ref: '#/components/schemas/Toy'}
components:
  schemas:
    Toy: {type: object, required: [${property}], properties: {${property}: {type: integer}}, additionalProperties: false}
`;
  interface New {
    readonly size: number;
  }
  const serve = (
    items: () => AsyncIterable<unknown> | Iterable<unknown>,
    converters: object = {},
  ) =>
    served({
      yaml: lines('size'),
      older: v1(lines('length'), {
        schemas: { Toy: { toOld: ({ size }: New) => ({ length: size }) } },
        ...converters,
      }),
      handlers: { listToys: () => ({ status: 200, body: items() }) },
    });

  it('is converted item by item, without those that become undefined', async () => {
    const { send } = await serve(() => [{ size: 1 }, { size: 2 }, { size: 3 }], {
      operations: {
        listToys: {
          item: (item: { length: number }) => (item.length === 2 ? undefined : item),
        },
      },
    });
    expect((await send('/v1/toys')).body).toEqual([{ length: 1 }, { length: 3 }]);
    expect((await send('/toys')).body).toEqual([{ size: 1 }, { size: 2 }, { size: 3 }]);
  });

  it('without a converter passes unchanged', async () => {
    const yaml = lines('size');
    const handlers = { listToys: () => ({ status: 200, body: [{ size: 1 }] }) };
    const { send } = await served({ yaml, older: v1(yaml), handlers });
    expect((await send('/v1/toys')).body).toEqual([{ size: 1 }]);
  });

  it('is a 500 if its first item violates the current contract', async () => {
    const { send } = await serve(() => [{ length: 1 }]);
    const { status, cause } = await send('/v1/toys');
    expect({ status, cause }).toMatchObject({
      ...{ status: 500, cause: expect.stringMatching(/^listToys returned 200: item 0: .*size/) },
    });
  });

  it('closes its source when the client leaves, although no item is pending', async () => {
    let closed = 0;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: async () => ({ done: true as const, value: ++closed }),
      }),
    };
    const { versions } = await serve(() => source);
    (await open(versions.engine, '/v1/toys')).destroy();
    await new Promise(setImmediate);
    expect(closed).toBe(1);
  });
});

describe('headers of a representation', () => {
  const toys = (base: string, path: string, version: string) => `
servers: [{url: '${base}'}]
paths:
  ${path}:
    get:
      operationId: getToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: If-None-Match, in: header, schema: {type: string}}
      responses:
        200:
          description: ${version}
          headers: {ETag: {schema: {type: string}}, Location: {schema: {type: string}}, Link: {schema: {type: string}}}
          content: {application/json: {schema: {type: object}}}
        304: {description: same, headers: {ETag: {schema: {type: string}}}}
`;
  const serve = () =>
    served({
      yaml: toys('/api/v2', '/toys/{id}', 'new'),
      older: v1(toys('/', '/playthings/{id}', 'old')),
      handlers: {
        getToy: ({ path, header }: { path: { id: string }; header: Record<string, string> }) => {
          const headers = { ETag: '"abc"' };
          if (header['If-None-Match']?.includes('"abc"')) return { status: 304, headers };
          return {
            ...{ status: 200, body: {} },
            headers: {
              ...headers,
              Location: `/api/v2/toys/${encodeURIComponent(path.id)}?x=1`,
              Link: '<https://a.example/api/v2/toys/9>; rel="next", </other>; rel="up"',
            },
          };
        },
      } as never,
    });

  it('are those of the older version', async () => {
    const { send } = await serve();
    expect((await send('/v1/playthings/a%20b')).headers).toMatchObject({
      ETag: '"abc"',
      Location: '/v1/playthings/a%20b?x=1',
      Link: '<https://a.example/v1/playthings/9>; rel="next", </other>; rel="up"',
    });
    expect((await send('/api/v2/toys/1')).headers).toMatchObject({ ETag: '"abc"' });
  });

  it.each([
    ['"abc"', 304],
    ['W/"x", W/"abc"', 304],
    ['"abc;1.0.0"', 200],
    ['"x"', 200],
  ])('are conditions of the current version: %s', async (tag, status) => {
    const { send } = await serve();
    const answer = await send('/v1/playthings/1', { headers: { 'if-none-match': tag } });
    expect(answer.status).toBe(status);
    expect(answer.headers['ETag']).toBe('"abc"');
  });
});

describe('a computed entity tag', () => {
  const toy = (property: string, etag: string) => `
paths:
  /toys/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getToy
      responses:
        200: {description: ok, ${etag} content: {application/json: {schema: {type: object, required: [${property}], properties: {${property}: {type: string}}}}}}
    put:
      operationId: putToy
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {${property}: {type: string}}}}}}
      responses:
        200: {description: ok, ${etag} content: {application/json: {schema: {type: object, required: [${property}], properties: {${property}: {type: string}}}}}}
`;
  const TAG = 'headers: {ETag: {required: true, schema: {type: string}}},';
  const reply = replyWith(({ b }) => ({ a: b }));
  const request = replyWith(({ a }) => ({ b: a }));
  const serve = (current: string, { checks = true, toNew = request as never as object } = {}) => {
    let b = 'kite';
    return served({
      yaml: toy('b', current),
      older: v1(toy('a', TAG), {
        operations: { getToy: { reply }, putToy: { reply, request: toNew } },
      }),
      handlers: {
        getToy: () => ({ status: 200, body: { b } }),
        putToy: ({ body, preconditions }: Put) => {
          if (checks) preconditions.checkRepresentation({ b });
          ({ b } = body);
          return { status: 200, body: { b } };
        },
      } as never,
    } as ServedOptions);
  };
  interface Put {
    readonly body: { readonly b: string };
    readonly preconditions: { checkRepresentation(body: unknown): void };
  }
  const put = (tag?: string) => ({
    ...{ method: 'PUT', body: { a: 'ball' } },
    headers: tag === undefined ? {} : { 'if-match': tag },
  });

  it('is a condition of reads and writes of the older version', async () => {
    const { send } = await serve(TAG);
    const first = await send('/v1/toys/1');
    const tag = first.headers['ETag']!;
    expect([first.body, tag]).toEqual([{ a: 'kite' }, expect.stringMatching(/^"[\w-]{43}"$/)]);
    expect((await send('/v1/toys/1', { headers: { 'if-none-match': tag } })).status).toBe(304);
    const current = (await send('/toys/1')).headers['ETag']!;
    expect(tag).toBe(current);
    const won = await send('/v1/toys/1', put(tag));
    expect([won.status, won.body]).toEqual([200, { a: 'ball' }]);
    expect((await send('/v1/toys/1', put(tag))).status).toBe(412);
    const second = await send('/v1/toys/1');
    expect(second.headers['ETag']).toBe(won.headers['ETag']);
    expect((await send('/v1/toys/1', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('is that of the older bytes if the current contract has none', async () => {
    const { send } = await serve('');
    const tag = (await send('/v1/toys/1')).headers['ETag']!;
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect((await send('/v1/toys/1', { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await send('/toys/1')).headers).not.toHaveProperty('ETag');
  });

  it('is a condition that a converter adds', async () => {
    const add = (tag: string) => (given: { body: Record<string, string> }) => ({
      ...{ ...request(given), header: { 'If-Match': tag } },
    });
    const { send } = await serve(TAG, { toNew: add('*') });
    expect((await send('/v1/toys/1', put())).status).toBe(200);
    const other = await serve(TAG, { toNew: add('"0"') });
    expect((await other.send('/v1/toys/1', put())).status).toBe(412);
  });

  it('is checked by the handler of the current contract', async () => {
    const { send } = await serve(TAG, { checks: false });
    expect((await send('/v1/toys/1', put('"a;1.0.0"'))).cause).toBe(
      'version 1.0.0: putToy returned 200: the request has If-Match, expected a call of request.preconditions.check',
    );
  });
});
