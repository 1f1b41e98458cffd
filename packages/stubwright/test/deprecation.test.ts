// Deprecated operations, parameters and properties at run time.

import { describe, expect, it } from '@jest/globals';
import type { LoadedContract } from '@stubwright/contract';
import { readSettings } from '@stubwright/service';
import { fetchHandler } from '../src/fetch.ts';
import { type ApiOptions, type ApiResponse, createApi, type MockMode } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';
import { respond } from './support/engine.ts';

const DATES = { 'x-deprecated-since': '2026-01-31', 'x-sunset': '2027-01-31' };
const LINK = { externalDocs: { url: 'https://a.test/why' } };
const ANNOUNCED = {
  deprecation: `@${Date.UTC(2026, 0, 31) / 1000}`,
  sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
};
const FORM = 'application/x-www-form-urlencoded';
const OK = { 200: { description: 'ok' }, 400: { description: 'no' } };
const KIND = {
  type: 'object',
  properties: {
    old: { type: 'string', deprecated: true, 'x-sunset': '2026-12-01', default: 'x' },
    inner: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
    any: {
      anyOf: [{ type: 'string' }, { type: 'object', properties: { gone: { deprecated: true } } }],
    },
    map: { type: 'object', additionalProperties: { properties: { late: { deprecated: true } } } },
  },
};
const parameter = (where: string, name: string, parts: object) => ({
  ...{ in: where, name, schema: { type: 'string' } },
  ...parts,
});
const document = {
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  paths: {
    '/old': { get: { operationId: 'old', deprecated: true, ...DATES, ...LINK, responses: OK } },
    '/new': {
      get: {
        operationId: 'parameters',
        parameters: [
          parameter('query', 'q', { deprecated: true, ...DATES }),
          parameter('header', 'X-Old', { schema: { type: 'string', deprecated: true, ...LINK } }),
          parameter('cookie', 'c', { deprecated: true, 'x-sunset': '2026-06-01' }),
          parameter('query', 'fine', {}),
        ],
        responses: OK,
      },
      post: {
        operationId: 'body',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Kind' } } },
        },
        responses: OK,
      },
    },
    '/none': { get: { operationId: 'none', responses: OK } },
  },
  components: { schemas: { Kind: KIND } },
};
const reply = () => ({ status: 200 });
const handlers = { old: reply, parameters: reply, body: reply, none: reply };

async function apiOf(contract: LoadedContract, options: Partial<ApiOptions> = {}) {
  const api = await createApi({ contract, ...options });
  const used: ApiResponse['deprecated'][] = [];
  api.events.on('responded', ({ deprecated }) => used.push(deprecated));
  const respond = fetchHandler(api);
  const send = (path: string, init?: RequestInit) =>
    respond(new Request(`http://a.test${path}`, init));
  return { used, send };
}

const open = (mock: MockMode = 'off') => apiOf(loadedContract(document), { handlers, mock });

const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const DEPRECATED = { deprecated: true, 'x-sunset': '2026-12-01' };
const LEADING = { type: 'object', properties: { old: DEPRECATED } };
const ARRAY_OF_OLD = { type: 'array', items: { type: 'object', required: ['old'] } };
const KINDS = {
  oneOf: [
    { properties: { kind: { const: 'a' }, old: DEPRECATED } },
    { properties: { kind: { const: 'b' }, old: {} } },
  ],
};

/** @returns the status, and the deprecated parts that a request uses */
async function usedBy(operation: object, path: string, init: RequestInit) {
  const contract = loadedContract({
    openapi: '3.2.0',
    paths: { '/new': { post: { operationId: 'body', ...operation, responses: OK } } },
    components: { schemas: { Old: DEPRECATED } },
  });
  const { send, used } = await apiOf(contract, { handlers: { body: reply } });
  const { status } = await send(`/new${path}`, { method: 'POST', ...init });
  return [status, used[0]?.parts ?? []];
}

describe('a property is deprecated where its schema applies', () => {
  const withRef = { $ref: '#/components/schemas/Old' };
  it.each<[schema: object, value: unknown, ...parts: string[]]>([
    [{ patternProperties: { '^x-': DEPRECATED } }, { 'x-a': 1 }, '/*'],
    [{ patternProperties: { '^x-': DEPRECATED } }, { a: 1 }],
    [{ patternProperties: { '^x-': LEADING } }, { 'x-a': { old: 1 } }, '/*/old'],
    [{ additionalProperties: DEPRECATED }, { a: 1 }, '/*'],
    [{ unevaluatedProperties: DEPRECATED }, { a: 1 }, '/*'],
    [{ properties: { a: {} }, additionalProperties: DEPRECATED }, { a: 1 }],
    [{ patternProperties: { '^x-': {} }, additionalProperties: DEPRECATED }, { 'x-a': 1 }],
    [{ properties: { a: {} }, allOf: [{ additionalProperties: DEPRECATED }] }, { a: 1 }, '/a'],
    [{ properties: { xa: {} }, patternProperties: { '^x': DEPRECATED } }, { xa: 1 }, '/xa'],
    [{ prefixItems: [LEADING, {}] }, [{ old: 1 }, {}], '/old'],
    [{ prefixItems: [LEADING, {}] }, [{}, { old: 1 }]],
    [{ prefixItems: [{}], items: LEADING }, [{ old: 1 }, { old: 1 }], '/old'],
    [{ prefixItems: [{}], items: LEADING }, [{ old: 1 }]],
    [{ unevaluatedItems: LEADING }, [{ old: 1 }], '/old'],
    [{ oneOf: [{ type: 'array' }, LEADING] }, { old: 1 }, '/old'],
    [{ oneOf: [LEADING, ARRAY_OF_OLD] }, [{ old: 1 }]],
    [KINDS, { kind: 'a', old: 1 }, '/old'],
    [KINDS, { kind: 'b', old: 1 }],
    [{ anyOf: [{ type: 'null' }, LEADING] }, null],
    [{ not: { required: ['none'], ...LEADING } }, { old: 1 }],
    [{ properties: { old: { not: { type: 'null', ...DEPRECATED } } } }, { old: 1 }],
    [{ if: { required: ['a'] }, then: LEADING }, { a: 1, old: 1 }, '/old'],
    [{ if: { required: ['a'] }, then: LEADING }, { old: 1 }],
    [
      { if: { required: ['a'] }, else: LEADING },
      { a: 1, old: 1 },
    ],
    [{ if: { ...LEADING, required: ['a'] } }, { a: 1, old: 1 }, '/old'],
    [{ if: { ...LEADING, required: ['a'] } }, { old: 1 }],
    [{ dependentSchemas: { a: LEADING } }, { a: 1, old: 1 }, '/old'],
    [{ dependentSchemas: { a: LEADING } }, { old: 1 }],
    [{ contains: { ...LEADING, required: ['a'] } }, [{ a: 1, old: 1 }], '/old'],
    [{ contains: { ...LEADING, required: ['a'] } }, [{ a: 1 }, { old: 1 }]],
    [{ oneOf: [{ properties: { a: {} } }], unevaluatedProperties: DEPRECATED }, { a: 1 }],
    [{ allOf: [{ properties: { a: {} } }, { unevaluatedProperties: DEPRECATED }] }, { a: 1 }, '/a'],
    [{ properties: { a: withRef, b: withRef } }, { b: 1 }, '/b'],
    // The default is not sent.
    [{ properties: { a: { ...DEPRECATED, default: 1 } } }, {}],
  ])('%j: %j', async (schema, value, ...parts) => {
    const requestBody = { content: { 'application/json': { schema } } };
    const names = parts.map((part) => `body ${part}`);
    expect(await usedBy({ requestBody }, '', post(value))).toEqual([200, names]);
  });
});

describe('a parameter', () => {
  const OBJECT = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
  const OLD = {
    type: 'object',
    properties: { a: { type: 'integer' }, old: { type: 'integer', ...DEPRECATED } },
  };
  const WITH_DEFAULT = { schema: { ...OBJECT, default: { b: 1 } }, ...DEPRECATED };
  const DEEP = { style: 'deepObject' };
  const DEFAULT_OLD = { type: 'object', properties: { a: {}, old: { ...DEPRECATED, default: 1 } } };
  const EITHER = { oneOf: [{ type: 'integer', ...DEPRECATED }, { type: 'string' }] };

  /** The name of a part, or none. */
  it.each<[text: string, parameter: object, part: string]>([
    ['b=1', { schema: OBJECT, ...DEPRECATED }, 'query parameter o'],
    ['', { schema: OBJECT, ...DEPRECATED }, ''],
    ['', WITH_DEFAULT, ''],
    ['b=2', WITH_DEFAULT, 'query parameter o'],
    ['b=1', { in: 'cookie', schema: OBJECT, ...DEPRECATED }, 'cookie parameter o'],
    ['o[b]=1', { ...DEEP, schema: OBJECT, ...DEPRECATED }, 'query parameter o'],
    ['o=1', { schema: { $ref: '#/components/schemas/Old' } }, 'query parameter o'],
    ['old=1', { schema: OLD }, 'query parameter o /old'],
    ['a=1', { schema: OLD }, ''],
    ['old=1', { in: 'cookie', schema: OLD }, 'cookie parameter o /old'],
    ['o[old]=1', { ...DEEP, schema: OLD }, 'query parameter o /old'],
    ['a=1', { schema: DEFAULT_OLD }, ''],
    ['o={"old":1}', { content: { 'application/json': { schema: OLD } } }, 'query parameter o /old'],
    [
      'a=1',
      { in: 'querystring', content: { [FORM]: { schema: OLD } }, ...DEPRECATED },
      'querystring parameter o',
    ],
    ['%6f=1', { schema: { type: 'string' }, ...DEPRECATED }, 'query parameter o'],
    ['o=a', { schema: EITHER }, ''],
  ])('%s of %j uses "%s"', async (text, more, part) => {
    const parameter = { name: 'o', in: 'query', ...more };
    const isCookie = parameter.in === 'cookie';
    const init = isCookie ? { headers: { Cookie: text } } : {};
    const parts = part === '' ? [] : [part];
    const query = isCookie || text === '' ? '' : `?${text}`;
    expect(await usedBy({ parameters: [parameter] }, query, init)).toEqual([200, parts]);
  });
});

describe('a response', () => {
  it.each(['off', 'all'] as const)('announces a deprecated operation (mock: %s)', async (mock) => {
    const { send, used } = await open(mock);
    const { headers } = await send('/old');
    expect(Object.fromEntries(headers)).toMatchObject({
      ...ANNOUNCED,
      link: '<https://a.test/why>; rel="deprecation"',
    });
    expect(used).toEqual([
      { caller: 'anonymous', parts: ['operation'], sunset: Date.UTC(2027, 0, 31) },
    ]);
  });

  it('names the caller', async () => {
    const get = { operationId: 'old', deprecated: true, security: [{ token: [] }], responses: OK };
    const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };
    const contract = loadedContract({
      paths: { '/old': { get } },
      components: { securitySchemes },
    });
    const verifiers = { token: (name: string) => ({ name }) };
    const { send, used } = await apiOf(contract, { handlers: { old: reply }, verifiers });
    await send('/old', { headers: { Authorization: 'Bearer ann' } });
    expect(used[0]?.caller).toBe('ann');
  });

  it('announces a deprecated operation also with an error', async () => {
    const { send } = await open();
    const { status, headers } = await send('/old?unknown=1');
    expect(status).toBe(400);
    expect(headers.get('Deprecation')).toBe(ANNOUNCED.deprecation);
  });

  it.each([
    ['/new?q=1', {}, ['query parameter q']],
    ['/new', { 'x-old': '1' }, ['header parameter X-Old']],
    ['/new', { cookie: 'a=1; c=2' }, ['cookie parameter c']],
    ['/new?q=1', { cookie: 'c=2' }, ['query parameter q', 'cookie parameter c']],
    ['/new?fine=1', { cookie: 'cc=2' }, undefined],
    ['/none', {}, undefined],
  ])('announces the deprecated parameters that %s %j uses', async (path, headers, parts) => {
    const { send, used } = await open();
    const response = await send(path, { headers });
    expect(response.status).toBe(200);
    expect(used[0]?.parts).toEqual(parts);
    expect(response.headers.has('Sunset')).toBe(used[0]?.sunset !== undefined);
  });

  it('has the earliest dates of the used parts', async () => {
    const { send } = await open();
    const { headers } = await send('/new?q=1', { headers: { cookie: 'c=2' } });
    expect(headers.get('Sunset')).toBe('Mon, 01 Jun 2026 00:00:00 GMT');
    expect(headers.get('Deprecation')).toBe(ANNOUNCED.deprecation);
  });

  it.each([
    [{ old: 'a' }, ['body /old']],
    [{}, undefined],
    [{ inner: [{}, { inner: [{ any: { gone: 1 } }] }] }, ['body /any/gone']],
    [{ inner: [{ old: 'a' }] }, ['body /old']],
    [{ any: { gone: 1 }, map: { a: { late: 1 } } }, ['body /any/gone', 'body /map/late']],
    [{ any: 'text', inner: [] }, undefined],
  ])('announces the deprecated properties that %j uses', async (body, parts) => {
    const { send, used } = await open();
    expect((await send('/new', post(body))).status).toBe(200);
    expect(used[0]?.parts).toEqual(parts);
  });
});

describe('SUNSET', () => {
  const now = Date.now();
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString();

  async function statusWith(env: Record<string, string>, sunset: string): Promise<number> {
    const get = { operationId: 'a', deprecated: true, 'x-sunset': sunset, responses: OK };
    const { definition: own } = loadedContract({ paths: { '/a': { get } } });
    const { sunset: policy } = readSettings(env);
    const options = { definition: own, handlers: { a: reply }, sunset: policy };
    const { status, headers } = await respond(options, { url: '/a' });
    expect(headers['Sunset']).toBe(new Date(sunset).toUTCString());
    return status;
  }

  it.each([
    [{}, -1, 200],
    [{ SUNSET: 'refuse' }, 5, 200],
    [{ SUNSET: 'refuse' }, -1, 410],
  ] as const)('%j: a sunset in %d minutes gets %d', async (env, minutes, status) => {
    expect(await statusWith(env, inMinutes(minutes))).toBe(status);
  });
});
