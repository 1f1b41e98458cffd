// Deprecated operations, parameters and properties at run time.

import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { readSettings, type ServiceEvents } from '@stubwright/service';
import { withDeprecationHeaders } from '../../service/src/docs/contractFile.ts';
import { collectMetrics } from '../../service/src/operations/admin/metrics.ts';
import { createLog, logEvents } from '../../service/src/operations/log.ts';
import { type DeprecatedUsage, Deprecations } from '../src/deprecation/deprecations.ts';
import { fetchHandler } from '../src/fetch.ts';
import { type Api, createApi } from '../src/index.ts';
import { createEngine } from '../src/pipeline/engine.ts';
import { Exchange } from '../src/request/exchange.ts';

const DATES = { 'x-deprecated-since': '2026-01-31', 'x-sunset': '2027-01-31' };
const LINK = { externalDocs: { url: 'https://a.test/why' } };
const ANNOUNCED = {
  deprecation: `@${Date.UTC(2026, 0, 31) / 1000}`,
  sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
};
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
const definition = new Contract(document);
const reply = () => ({ status: 200 });
const handlers = { old: reply, parameters: reply, body: reply, none: reply };

async function apiOf(mock: 'off' | 'all' = 'off') {
  const contract = {
    definition,
    files: [],
    warnings: [],
    publish: async () => ({ text: '', servers: [0, 0] as const }),
  };
  const api: Api<Request> = await createApi({ contract, handlers, mock });
  const used: (DeprecatedUsage | undefined)[] = [];
  api.events.on('responded', ({ deprecated }) => used.push(deprecated));
  const respond = fetchHandler(api);
  return {
    used,
    send: (path: string, init?: RequestInit) => respond(new Request(`http://a.test${path}`, init)),
  };
}

const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const DEPRECATED = { deprecated: true, 'x-sunset': '2026-12-01' };
const LEADING = { type: 'object', properties: { old: DEPRECATED } };
const ARRAY_OF_OLD = { type: 'array', items: { type: 'object', required: ['old'] } };

/** @returns the status, and the deprecated parts that a request uses */
async function usedBy(operation: object, path: string, init: RequestInit) {
  const definition = new Contract({
    openapi: '3.2.0',
    info: { title: 't', version: '1' },
    paths: { '/new': { post: { operationId: 'body', ...operation, responses: OK } } },
    components: { schemas: { Old: DEPRECATED } },
  });
  const api = await createApi({
    contract: { definition, files: [], warnings: [] },
    handlers: { body: reply },
  } as never);
  const used: (readonly string[] | undefined)[] = [];
  api.events.on('responded', ({ deprecated }) => used.push(deprecated?.parts));
  const { status } = await fetchHandler(api as Api<Request>)(
    new Request(`http://a.test/new${path}`, { method: 'POST', ...init }),
  );
  return [status, used[0] ?? []] as const;
}

describe('a property', () => {
  it.each<[string, object, unknown, string[]]>([
    ['by pattern', { patternProperties: { '^x-': DEPRECATED } }, { 'x-a': 1 }, ['body /*']],
    [
      'of another name than the pattern',
      { patternProperties: { '^x-': DEPRECATED } },
      { a: 1 },
      [],
    ],
    [
      'below a pattern',
      { patternProperties: { '^x-': LEADING } },
      { 'x-a': { old: 1 } },
      ['body /*/old'],
    ],
    ['that is additional', { additionalProperties: DEPRECATED }, { a: 1 }, ['body /*']],
    ['that is unevaluated', { unevaluatedProperties: DEPRECATED }, { a: 1 }, ['body /*']],
    [
      'that is declared beside additional ones',
      { properties: { a: {} }, additionalProperties: DEPRECATED },
      { a: 1 },
      [],
    ],
    [
      'that matches a pattern beside additional ones',
      { patternProperties: { '^x-': {} }, additionalProperties: DEPRECATED },
      { 'x-a': 1 },
      [],
    ],
    [
      'that another schema declares',
      { properties: { a: {} }, allOf: [{ additionalProperties: DEPRECATED }] },
      { a: 1 },
      ['body /a'],
    ],
    [
      'that is declared and matches a pattern',
      { properties: { 'x-a': {} }, patternProperties: { '^x-': DEPRECATED } },
      { 'x-a': 1 },
      ['body /x-a'],
    ],
    ['of the first item', { prefixItems: [LEADING, {}] }, [{ old: 1 }, {}], ['body /old']],
    ['of another item', { prefixItems: [LEADING, {}] }, [{}, { old: 1 }], []],
    [
      'of an item after the first ones',
      { prefixItems: [{}], items: LEADING },
      [{ old: 1 }, { old: 1 }],
      ['body /old'],
    ],
    ['of the first of all items', { prefixItems: [{}], items: LEADING }, [{ old: 1 }], []],
    ['of an unevaluated item', { unevaluatedItems: LEADING }, [{ old: 1 }], ['body /old']],
    [
      'of the alternative that a value satisfies',
      { oneOf: [{ type: 'array' }, LEADING] },
      { old: 1 },
      ['body /old'],
    ],
    ['of another alternative', { oneOf: [LEADING, ARRAY_OF_OLD] }, [{ old: 1 }], []],
    [
      'of the other of two objects',
      {
        oneOf: [
          { properties: { kind: { const: 'a' }, old: DEPRECATED } },
          { properties: { kind: { const: 'b' }, old: {} } },
        ],
      },
      { kind: 'b', old: 1 },
      [],
    ],
    ['of an alternative that is deprecated', { anyOf: [{ type: 'null' }, LEADING] }, null, []],
    ['of `not`', { not: { required: ['none'], ...LEADING } }, { old: 1 }, []],
    [
      'below `not`',
      { properties: { old: { not: { type: 'null', ...DEPRECATED } } } },
      { old: 1 },
      [],
    ],
    ['of `then`', { if: { required: ['a'] }, then: LEADING }, { a: 1, old: 1 }, ['body /old']],
    ['of `then` without its condition', { if: { required: ['a'] }, then: LEADING }, { old: 1 }, []],
    ['of `else`', { if: { required: ['a'] }, else: LEADING }, { a: 1, old: 1 }, []],
    ['of a valid `if`', { if: { ...LEADING, required: ['a'] } }, { a: 1, old: 1 }, ['body /old']],
    ['of another `if`', { if: { ...LEADING, required: ['a'] } }, { old: 1 }, []],
    [
      'of a dependent schema',
      { dependentSchemas: { a: LEADING } },
      { a: 1, old: 1 },
      ['body /old'],
    ],
    ['of no dependent schema', { dependentSchemas: { a: LEADING } }, { old: 1 }, []],
    [
      'of an item that matches `contains`',
      { contains: { ...LEADING, required: ['a'] } },
      [{ a: 1, old: 1 }],
      ['body /old'],
    ],
    [
      'of an item beside one that matches `contains`',
      { contains: { ...LEADING, required: ['a'] } },
      [{ a: 1 }, { old: 1 }],
      [],
    ],
    [
      'that is evaluated by an alternative',
      { oneOf: [{ properties: { a: {} } }], unevaluatedProperties: DEPRECATED },
      { a: 1 },
      [],
    ],
    [
      'that another schema declares beside unevaluated ones',
      { allOf: [{ properties: { a: {} } }, { unevaluatedProperties: DEPRECATED }] },
      { a: 1 },
      ['body /a'],
    ],
    [
      'with a shared schema',
      {
        properties: {
          a: { $ref: '#/components/schemas/Old' },
          b: { $ref: '#/components/schemas/Old' },
        },
      },
      { b: 1 },
      ['body /b'],
    ],
    [
      'with a default that is not sent',
      { properties: { a: { ...DEPRECATED, default: 1 } } },
      {},
      [],
    ],
  ])('%s is deprecated where its schema applies', async (_, schema, value, parts) => {
    const requestBody = { content: { 'application/json': { schema } } };
    expect(await usedBy({ requestBody }, '', post(value))).toEqual([200, parts]);
  });
});

describe('a parameter', () => {
  const OBJECT = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
  const OLD = {
    type: 'object',
    properties: { a: { type: 'integer' }, old: { type: 'integer', ...DEPRECATED } },
  };
  it.each<[string, object, string, string, string[]]>([
    [
      'an exploded object',
      { in: 'query', schema: OBJECT, ...DEPRECATED },
      '?b=1',
      '',
      ['query parameter o'],
    ],
    [
      'an exploded object that is not sent',
      { in: 'query', schema: OBJECT, ...DEPRECATED },
      '',
      '',
      [],
    ],
    [
      'an exploded object with a default that is not sent',
      { in: 'query', schema: { ...OBJECT, default: { b: 1 } }, ...DEPRECATED },
      '',
      '',
      [],
    ],
    [
      'an exploded object with a default that is sent',
      { in: 'query', schema: { ...OBJECT, default: { b: 1 } }, ...DEPRECATED },
      '?b=2',
      '',
      ['query parameter o'],
    ],
    [
      'an exploded object in a cookie',
      { in: 'cookie', schema: OBJECT, ...DEPRECATED },
      '',
      'b=1',
      ['cookie parameter o'],
    ],
    [
      'a deepObject',
      { in: 'query', style: 'deepObject', schema: OBJECT, ...DEPRECATED },
      '?o[b]=1',
      '',
      ['query parameter o'],
    ],
    [
      'a referenced schema',
      { in: 'query', schema: { $ref: '#/components/schemas/Old' } },
      '?o=1',
      '',
      ['query parameter o'],
    ],
    [
      'a property of an exploded object',
      { in: 'query', schema: OLD },
      '?old=1',
      '',
      ['query parameter o /old'],
    ],
    ['no property of an exploded object', { in: 'query', schema: OLD }, '?a=1', '', []],
    [
      'a property in a cookie',
      { in: 'cookie', schema: OLD },
      '',
      'old=1',
      ['cookie parameter o /old'],
    ],
    [
      'a property of a deepObject',
      { in: 'query', style: 'deepObject', schema: OLD },
      '?o[old]=1',
      '',
      ['query parameter o /old'],
    ],
    [
      'a property whose default is not sent',
      {
        in: 'query',
        schema: { type: 'object', properties: { a: {}, old: { ...DEPRECATED, default: 1 } } },
      },
      '?a=1',
      '',
      [],
    ],
    [
      'a property in JSON',
      { in: 'query', content: { 'application/json': { schema: OLD } } },
      '?o={"old":1}',
      '',
      ['query parameter o /old'],
    ],
    [
      'the whole query',
      {
        in: 'querystring',
        content: { 'application/x-www-form-urlencoded': { schema: OLD } },
        ...DEPRECATED,
      },
      '?a=1',
      '',
      ['querystring parameter o'],
    ],
    [
      'an encoded name',
      { in: 'query', schema: { type: 'string' }, ...DEPRECATED },
      '?%6f=1',
      '',
      ['query parameter o'],
    ],
    [
      'another alternative',
      { in: 'query', schema: { oneOf: [{ type: 'integer', ...DEPRECATED }, { type: 'string' }] } },
      '?o=a',
      '',
      [],
    ],
  ])('uses %s', async (_, more, query, cookie, parts) => {
    const parameters = [{ name: 'o', ...more }];
    const init = { headers: cookie === '' ? {} : { Cookie: cookie } };
    expect(await usedBy({ parameters }, query, init)).toEqual([200, parts]);
  });
});

describe('a response', () => {
  it.each(['off', 'all'] as const)('announces a deprecated operation (mock: %s)', async (mock) => {
    const { send, used } = await apiOf(mock);
    const { headers } = await send('/old');
    expect(Object.fromEntries(headers)).toMatchObject({
      ...ANNOUNCED,
      link: '<https://a.test/why>; rel="deprecation"',
    });
    expect(used).toEqual([
      { caller: 'anonymous', parts: ['operation'], sunset: Date.UTC(2027, 0, 31) },
    ]);
  });

  it('announces a deprecated operation also with an error', async () => {
    const { send } = await apiOf();
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
    const { send, used } = await apiOf();
    const response = await send(path, { headers });
    expect(response.status).toBe(200);
    expect(used[0]?.parts).toEqual(parts);
    expect(response.headers.has('Sunset')).toBe(used[0]?.sunset !== undefined);
  });

  it('has the earliest dates of the used parts', async () => {
    const { send } = await apiOf();
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
    const { send, used } = await apiOf();
    expect((await send('/new', post(body))).status).toBe(200);
    expect(used[0]?.parts).toEqual(parts);
  });
});

describe('SUNSET', () => {
  const now = Date.now();
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString();

  async function statusWith(env: Record<string, string>, sunset: string): Promise<number> {
    const get = { operationId: 'a', deprecated: true, 'x-sunset': sunset, responses: OK };
    const own = new Contract({ ...document, paths: { '/a': { get } } });
    const { sunset: policy } = readSettings(env);
    const engine = await createEngine({ definition: own, handlers: { a: reply }, sunset: policy });
    const request = { method: 'GET', url: '/a', headers: {} };
    const body = {
      readBody: async () => Buffer.alloc(0),
      stream: () => {
        throw new Error();
      },
    };
    const { status, headers } = await engine.handle(new Exchange(request, body));
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

describe('the published contract', () => {
  it('declares the headers of operations with deprecated parts', () => {
    const published = withDeprecationHeaders(document);
    const names = (path: string, method: string) =>
      Object.keys(published.paths[path][method].responses[200].headers ?? {});
    expect(names('/old', 'get')).toEqual(['Deprecation', 'Sunset', 'Link']);
    expect(names('/new', 'get')).toEqual(['Deprecation', 'Sunset', 'Link']);
    expect(names('/new', 'post')).toEqual(['Sunset']);
    expect(names('/none', 'get')).toEqual([]);
    expect(document.paths['/old'].get.responses[200]).toEqual({ description: 'ok' });
  });

  it('declares them for an operation behind a $ref of its path item', () => {
    const pathItems = { Old: document.paths['/old'] };
    const published = withDeprecationHeaders({
      ...{ ...document, paths: { '/shared': { $ref: '#/components/pathItems/Old' } } },
      components: { ...document.components, pathItems },
    });
    const { headers } = published['components'].pathItems.Old.get.responses[200];
    expect(Object.keys(headers)).toEqual(['Deprecation', 'Sunset', 'Link']);
  });

  it('is the same without deprecated parts', () => {
    const plain = { ...document, paths: { '/none': document.paths['/none'] }, components: {} };
    expect(withDeprecationHeaders(plain)).toBe(plain);
  });
});

it('an operation that cannot have deprecated parts has no such step', () => {
  const none = definition.operations.find((each) => each.operationId === 'none')!;
  const deprecations = new Deprecations(new Validators(definition, 'request'), undefined);
  expect(deprecations.sunset(none)).toBeUndefined();
});

describe('who uses deprecated parts', () => {
  const response = (caller: string, id = 'a') => ({
    ...{ id, method: 'GET', route: '/a', operationId: 'a', status: 200, durationMs: 1, bytes: 0 },
    ...{ traceId: undefined, cause: undefined },
    deprecated: { caller, parts: ['operation'], sunset: Date.UTC(2027, 0, 31) },
  });

  it('is one log line for each caller and day', () => {
    const events = new EventEmitter<ServiceEvents>();
    const lines: string[] = [];
    logEvents(events, createLog('warn', { write: (line) => void lines.push(line) }));
    for (const caller of ['ann', 'bo', 'ann', 'ann']) events.emit('responded', response(caller));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { caller: 'ann', operationId: 'a', parts: ['operation'], sunset: '2027-01-31T00:00:00.000Z' },
      { caller: 'bo', msg: 'deprecated' },
    ]);
  });

  it('is a counter for each operation and caller, with a bounded number of callers', async () => {
    const events = new EventEmitter<ServiceEvents>();
    const metrics = collectMetrics(events, () => 0);
    for (let caller = 0; caller < 150; caller++) events.emit('responded', response(`c${caller}`));
    events.emit('responded', response('c1'));
    const text = await metrics();
    expect(text).toContain('http_deprecated_requests_total{operation="a",caller="c1"} 2\n');
    expect(text).toContain('http_deprecated_requests_total{operation="a",caller="other"} 50\n');
  });
});
