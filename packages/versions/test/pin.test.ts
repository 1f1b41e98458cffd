// The version that is pinned for the principal of a request.
import { describe, expect, it, jest } from '@jest/globals';
import type { Principal } from 'stubwright/internals';
import { type ServedOptions, served } from './support.ts';

const contract = (version: string, security: string, more = '') => `
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
    session: {type: apiKey, in: cookie, name: session}
    part: {type: apiKey, in: query, name: key}
paths:
  /toys:
    get:
      operationId: getToys
      security: ${security}
      responses:
        200:
          description: ok
          headers: {Cache-Control: {schema: {type: string}}, Vary: {schema: {type: string}}}
          content: {application/json: {schema: {type: object, required: [of], properties: {of: {const: '${version}'}}}}}
        401: {description: no token}
        403: {description: no scope}
  /open:
    get: {operationId: getOpen, security: [], responses: {204: {description: ok}}}
${more}`;

const REMOVED = `  /removed:
    get: {operationId: getRemoved, security: [{token: []}], responses: {204: {description: ok}, 401: {description: no}}}
`;

const PINS: Readonly<Record<string, string>> = {
  one: '1.0.0',
  two: '2.0.0',
  three: '3.0.0',
  wrong: '9.0.0',
};

const principalOf = jest.fn((token: string): Principal | undefined =>
  token === 'unknown' ? undefined : { name: token, scopes: token === 'two' ? [] : ['read'] },
);
const verifiers = {
  ...{ token: principalOf, key: (key: string) => principalOf(key) },
  ...{ session: (id: string) => principalOf(id), part: (part: string) => principalOf(part) },
};
const reply = (of: string) => ({ reply: () => ({ status: 200, body: { of } }) });

function withPins(options: Partial<ServedOptions> = {}, security = '[{token: [read]}, {key: []}]') {
  const older = (version: string, more = '') => ({
    ...{ version, path: `/v${version[0]}`, yaml: contract(version, security, more) },
    converters: {
      operations: {
        getToys: reply(version),
        ...(more !== '' && { getRemoved: { call: () => ({ status: 204 }) } }),
      },
    },
  });
  principalOf.mockClear();
  return served({
    ...{ version: '3.0.0', header: 'Api-Version', mediaType: 'version', verifiers },
    yaml: contract('3.0.0', security),
    older: [older('1.0.0', REMOVED), older('2.0.0')],
    handlers: {
      getToys: () => ({ status: 200, body: { of: '3.0.0' } }),
      getOpen: () => ({ status: 204 }),
    },
    pin: ({ name }) => PINS[name],
    ...options,
  });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the version of a request', () => {
  const header = { 'api-version': '2.0.0' };
  const mediaType = { accept: 'application/json; version=2.0.0' };

  it.each([
    ['the path', '/v2/toys', { ...bearer('one'), 'api-version': '1.0.0' }, '2.0.0'],
    ['the header', '/toys', { ...bearer('one'), ...header }, '2.0.0'],
    ['the header of a pinned current version', '/toys', { ...bearer('three'), ...header }, '2.0.0'],
    ['the media type', '/toys', { ...bearer('one'), ...mediaType }, '2.0.0'],
    ['the pin', '/toys', bearer('one'), '1.0.0'],
    ['the pin of another principal', '/toys', bearer('three'), '3.0.0'],
    ['the pin of another scheme', '/toys', { 'x-key': 'one' }, '1.0.0'],
    ['the default without a pin', '/toys', bearer('nobody'), '2.0.0'],
  ])('is that of %s', async (_, path, headers, of) => {
    const { send } = await withPins({ default: '2.0.0' });
    const { status, body } = await send(path, { headers });
    expect([status, body]).toEqual([200, { of }]);
  });

  it('is the closest earlier date', async () => {
    const security = '[{token: []}]';
    const { send } = await served({
      ...{ version: '2025-06-01', header: 'Api-Version', verifiers },
      yaml: contract('2025-06-01', security),
      older: [
        {
          ...{ version: '2025-01-01', yaml: contract('2025-01-01', security) },
          converters: { operations: { getToys: reply('2025-01-01') } },
        },
      ],
      handlers: {
        getToys: () => ({ status: 200, body: { of: '2025-06-01' } }),
        getOpen: () => ({ status: 204 }),
      },
      pin: () => '2025-02-14',
    });
    expect((await send('/toys', { headers: bearer('a') })).body).toEqual({ of: '2025-01-01' });
  });

  it('is pinned for an operation that only an older version has', async () => {
    const { send } = await withPins();
    expect((await send('/removed', { headers: bearer('one') })).status).toBe(204);
    expect((await send('/removed', { headers: bearer('three') })).status).toBe(404);
    expect((await send('/nowhere', { headers: bearer('one') })).status).toBe(404);
  });
});

describe('a pinned request', () => {
  it('is authenticated by the pinned version, and verified once', async () => {
    const admitted: string[] = [];
    const { send } = await withPins({
      rateLimitOf: () => async (principals) =>
        void admitted.push(...Object.values(principals).map(({ name }) => name)),
    });
    const { response } = await send('/toys', { headers: bearer('one') });
    expect([response.status, response.version]).toEqual([200, '1.0.0']);
    expect(principalOf).toHaveBeenCalledTimes(1);
    expect(admitted).toEqual(['one']);
    // Another request is verified again.
    await send('/toys', { headers: bearer('one') });
    expect(principalOf).toHaveBeenCalledTimes(2);
  });

  it.each([
    [{}, 401],
    [bearer('unknown'), 401],
    [bearer('two'), 403],
  ])('with the headers %j has the status %d', async (headers, status) => {
    const { send } = await withPins();
    const { response } = await send('/toys', { headers });
    expect([response.status, response.version]).toEqual([status, undefined]);
  });

  it.each([
    ['a version that is not served', () => '9.0.0', "pin: got '9.0.0', expected one of 1.0.0, "],
    ['another value', () => 1 as never, 'pin: got 1, expected one of'],
    ['a promise', async () => '1.0.0', 'pin: got'],
    [
      'an error',
      () => {
        throw new Error('no database');
      },
      'no database',
    ],
  ])('is a 500 for %s', async (_, pin, message) => {
    const { send } = await withPins({ pin: pin as () => string });
    const { status, cause } = await send('/toys', { headers: bearer('one') });
    expect([status, cause]).toEqual([500, expect.stringContaining(message)]);
  });

  it('ends with the time limit of its authentication', async () => {
    const LIMIT_MS = 499;
    const never = jest.fn(() => new Promise<undefined>(() => {}));
    const { send } = await withPins({
      ...{ handlerTimeoutMs: LIMIT_MS, verifiers: { ...verifiers, token: never } },
    });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      expect((await send('/toys', { headers: bearer('one') })).status).toBe(503);
      // Not twice, of the pin and of the version.
      expect(timers.mock.calls.filter(([, ms]) => ms === LIMIT_MS)).toHaveLength(1);
    } finally {
      timers.mockRestore();
    }
    expect(never).toHaveBeenCalledTimes(1);
  });
});

describe('the response to a pinned request', () => {
  const ALL = 'Authorization, X-Key, Api-Version, Accept, Content-Type';
  const handling = (headers: Record<string, string>) => ({
    getToys: () => ({ status: 200, headers, body: { of: '3.0.0' } }),
    getOpen: () => ({ status: 204 }),
  });

  it.each([
    [{}, 'private', ALL],
    [{ 'Cache-Control': 'no-store' }, 'no-store', ALL],
    [{ 'Cache-Control': 'Private, max-age=5' }, 'Private, max-age=5', ALL],
    [{ 'cache-control': 'public, max-age=60, s-maxage=90' }, 'private, max-age=60', ALL],
    [{ 'Cache-Control': 'private="X-A, X-B", max-age=1' }, 'private, max-age=1', ALL],
    [{ 'Cache-Control': 'max-age=1' }, 'private, max-age=1', ALL],
    [{ Vary: 'x-key' }, 'private', 'x-key, Api-Version, Accept, Content-Type, Authorization'],
    [{ vary: 'X-Own' }, 'private', `X-Own, ${ALL}`],
    [{ Vary: '*' }, 'private', '*'],
  ])('with the headers %j is private', async (own, cacheControl, vary) => {
    const { send } = await withPins({ handlers: handling(own) });
    const { headers } = await send('/toys', { headers: bearer('three') });
    const all = new Headers(headers);
    expect([all.get('cache-control'), all.get('vary')?.split(', ').sort()]).toEqual([
      ...[cacheControl, vary.split(', ').sort()],
    ]);
  });

  it('names the header of each scheme that has one', async () => {
    const { send } = await withPins({}, '[{session: []}, {part: []}, {}]');
    const { headers } = await send('/toys', {});
    expect(headers).toMatchObject({ 'Cache-Control': 'private' });
    expect(headers['Vary']?.split(', ').sort()).toEqual([
      ...['Accept', 'Api-Version', 'Content-Type', 'Cookie'],
    ]);
  });

  it('has no Vary if no header decides', async () => {
    const unnamed = { header: undefined, mediaType: undefined } as object;
    const { send } = await withPins(unnamed, '[{part: []}, {}]');
    expect((await send('/toys')).headers).not.toHaveProperty('Vary');
  });

  it.each([
    ['names its version', '/v3/toys', bearer('one')],
    ['names its version in a header', '/toys', { ...bearer('one'), 'api-version': '3.0.0' }],
    ['has no credentials', '/open', {}],
    ['no operation has', '/nowhere', bearer('one')],
  ])('is not private if the request %s', async (_, path, headers) => {
    const { send } = await withPins({});
    const response = await send(path, { headers });
    expect(response.headers['Cache-Control']).toBeUndefined();
  });
});

describe('versions with a pin', () => {
  it('have the security of the current contract', async () => {
    const { send, versions } = await withPins({ yaml: contract('3.0.0', '[{key: []}]') });
    await expect(versions.openAll()).resolves.toBeUndefined();
    const answers = [
      await send('/toys', { headers: { 'x-key': 'one' } }),
      await send('/toys', { headers: bearer('one') }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(answers[0]!.body).toEqual({ of: '1.0.0' });
  });

  it('need no path and no header', async () => {
    const older = [{ version: '1.0.0', yaml: contract('1.0.0', '[{token: []}]'), converters: {} }];
    const unnamed = { older, header: undefined, mediaType: undefined } as object;
    await expect(withPins(unnamed)).resolves.toBeDefined();
    const unpinned = withPins({ ...unnamed, pin: undefined } as object);
    await expect(unpinned).rejects.toThrow('no request can name');
  });
});
