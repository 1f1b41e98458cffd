// Mocked bodies repeat the path parameters and the selected status; replies are delayed and fail on demand.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import type { MockedExchange } from '../src/exchange.ts';
import { Disturbance } from '../src/replies/disturbance.ts';

const TOY =
  'type: object, required: [id, name], properties: {id: {type: integer, format: int64}, name: {type: string}}';
const json = (schema: string, more = '') =>
  `{description: d, content: {application/json: {schema: {${schema}}${more}}}}`;
const path = (name: string, type = 'integer') =>
  `{name: ${name}, in: path, required: true, schema: {type: ${type}}}`;
const get = (id: string, parameters: string[], response: string) =>
  `{get: {operationId: ${id}, parameters: [${parameters}], responses: ${response}}}`;

const PATHS = `
paths:
  /toys/{id}: ${get('a', [path('id')], `{'200': ${json(TOY)}}`)}
  /examples/{toyId}: ${get('b', [path('toyId')], `{'200': ${json(TOY, ', example: {id: 1, name: n}')}}`)}
  /texts/{toy_id}: ${get('c', [path('toy_id', 'string')], `{'200': ${json(TOY, ', example: {id: 1, name: n}')}}`)}
  /data/{id}: ${get('d', [path('id')], `{'200': ${json(`type: object, required: [data], properties: {data: {${TOY}}}`)}}`)}
  /owners/{ownerId}/toys: ${get('e', [path('ownerId')], `{'200': ${json('type: array, minItems: 2, items: {type: object, required: [id, owner_id], properties: {id: {type: integer}, owner_id: {type: string}}}')}}`)}
  /parts/{id}/toys: ${get('f', [path('id')], `{'200': ${json(TOY, ', example: {id: 1, name: n}')}}`)}
  /few/{id}: ${get('g', [path('id')], `{'200': ${json('type: object, required: [id], properties: {id: {type: integer, maximum: 9}}', ', example: {id: 1}')}}`)}
  /errors: ${get(
    'h',
    [],
    `{'200': ${json(TOY)}, '403': ${json('type: object, required: [status, code], properties: {status: {type: integer}, code: {type: string, enum: [forbidden]}}')},
      '404': ${json('type: object, properties: {status: {type: integer}, code: {type: integer}}', ', example: {status: 404, code: 1001}')},
      4XX: ${json('type: object, properties: {status: {type: integer}, code: {type: integer}}', ', example: {status: 400, code: 1001}')},
      default: ${json('type: object, required: [error], properties: {error: {type: object, required: [code], properties: {code: {type: integer}}}}')}}`,
  )}
`;

let toy: Toy;
beforeAll(async () => {
  toy = await serveToy('3.0.3', PATHS, { mock: 'all' });
});
afterAll(() => toy.close());

describe('a path parameter', () => {
  it.each([
    ['/toys/77', '{"id":77,'],
    ['/toys/9007199254740993', '{"id":9007199254740993,'],
    ['/examples/77', '{"id":77,"name":"n"}'],
    ['/texts/77', '{"id":77,"name":"n"}'],
    ['/texts/x', '{"id":1,"name":"n"}'],
    ['/data/77', '{"data":{"id":77,'],
    ['/parts/77/toys', '{"id":1,"name":"n"}'],
    ['/few/9', '{"id":9}'],
    ['/few/10', '{"id":1}'],
  ])('of %s results in %s', async (path, start) => {
    expect((await toy.fetch(path)).text.slice(0, start.length)).toBe(start);
  });

  it('is repeated in each item that has a property with its name', async () => {
    const items: { id: number; owner_id: string }[] = JSON.parse(
      (await toy.fetch('/owners/77/toys')).text,
    );
    expect(new Set(items.map(({ owner_id }) => owner_id))).toEqual(new Set(['77']));
    expect(items.length).toBeGreaterThan(1);
  });
});

describe('the body of Prefer: code', () => {
  it.each([
    ['403', { status: 403, code: 'forbidden' }],
    ['404', { status: 404, code: 1001 }],
    ['422', { status: 422, code: 1001 }],
    ['500', { error: { code: 500 } }],
  ])('=%s has the status', async (code, body) => {
    const { status, text } = await toy.fetch('/errors', { headers: { Prefer: `code=${code}` } });
    expect([status, JSON.parse(text)]).toEqual([Number(code), body]);
  });
});

describe('errorRate', () => {
  const ERRORS = `
paths:
  /declared: ${get('declared', [], `{'200': ${json(TOY)}, '502': ${json('type: object, required: [reason], properties: {reason: {type: string}}')}}`)}
  /undeclared: ${get('undeclared', [], `{'200': ${json(TOY)}}`)}
  /several: ${get('several', [], `{'200': ${json(TOY)}, '404': ${json(TOY)}, '500': ${json(TOY)}, '504': ${json(TOY)}, 5XX: ${json(TOY)}}`)}
`;
  const statuses = async (errorRate: number, path: string, headers = {}, seed = 'a') => {
    const own = await serveToy('3.0.3', ERRORS, { mock: 'all', mockOptions: { errorRate, seed } });
    const all: number[] = [];
    for (let count = 0; count < 20; count++) all.push((await own.fetch(path, { headers })).status);
    await own.close();
    return all;
  };

  it.each([
    [1, '/declared', {}, [502]],
    [1, '/undeclared', {}, [503]],
    [0, '/declared', {}, [200]],
    [1, '/declared', { Prefer: 'code=200' }, [200]],
    [0.5, '/declared', {}, [200, 502]],
    [1, '/several', {}, [500, 504]],
  ])('%d on %s with %j results in %j', async (rate, path, headers, expected) => {
    const all = await statuses(rate, path, headers);
    expect([...new Set(all)].sort()).toEqual(expected);
    expect(await statuses(rate, path, headers)).toEqual(all);
  });
});

describe('a delay', () => {
  it.each<[string, object | undefined, string, number]>([
    ['of the options', { delayMs: [120, 120] }, '', 120],
    ['of Prefer: wait', undefined, 'wait=0.12', 120],
    ['of Prefer instead of the options', { delayMs: [60_000, 60_000] }, 'wait=0', 0],
  ])('%s postpones the reply', async (_, mockOptions, prefer, expectedMs) => {
    const own = await serveToy('3.0.3', PATHS, { mock: 'all', mockOptions });
    const startedAt = performance.now();
    await own.fetch('/toys/1', { headers: { Prefer: prefer } });
    // A timer of Node may fire a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(expectedMs - 2);
    await own.close();
  });

  it('has each duration of a range', async () => {
    const timer = jest.spyOn(globalThis, 'setTimeout');
    try {
      const disturbance = new Disturbance({ delayMs: [3, 5] }, 'a');
      for (let count = 0; count < 60; count++) {
        await disturbance.delay({ body: {} } as MockedExchange, new Map());
      }
      expect(new Set(timer.mock.calls.map(([, ms]) => ms))).toEqual(new Set([3, 4, 5]));
    } finally {
      timer.mockRestore();
    }
  });

  it('ends when the client is gone', async () => {
    const own = await serveToy('3.0.3', PATHS, { mock: 'all' });
    const client = new AbortController();
    const pending = own.fetch('/toys/1', { headers: { Prefer: 'wait=60' }, signal: client.signal });
    setTimeout(() => client.abort(), 50);
    await expect(pending).rejects.toThrow('aborted');
    await own.close();
  });
});
