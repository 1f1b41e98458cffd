// What a recorder writes: counts without values.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { createApi, type Principal } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import {
  type PartLocation,
  type Recorder,
  type RecorderOptions,
  RequestParts,
  recorder,
} from 'stubwright/recording';
import { parse } from 'yaml';
import { credentialHeaders, ShownValues } from '../src/recording/shownValues.ts';
import { MAX_COUNTS, OTHERS, type UsageLine } from '../src/recording/usage.ts';

const CONTRACT = `openapi: 3.2.0
info: {title: Toys, version: 1.4.0}
servers: [{url: /v1}]
security: [{}, {bearer: []}, {key: []}]
paths:
  /toys/{id}/{code}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
      - {name: code, in: path, required: true, schema: {type: string}}
    post:
      operationId: storeToy
      parameters:
        - {name: sort, in: query, schema: {type: string, enum: [name, age], default: name}}
        - {name: note, in: query, schema: {type: string}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Toy'}}
          text/csv: {schema: {type: string}}
      responses: {default: {description: any}}
components:
  schemas:
    Toy:
      type: object
      properties:
        name: {type: string}
        kind: {type: string, enum: [soft, hard]}
        size: {type: string, enum: [${Array.from({ length: 100 }, (_, at) => `s${at}`)}]}
        password: {type: string, format: password}
        list: {type: array, items: {$ref: '#/components/schemas/Toy'}}
        secrets: {type: object, additionalProperties: {type: string}}
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
`;

const definition = new Contract(parse(CONTRACT));
const contract = { definition, warnings: [], files: [] } as never;
const SECRET = 'hunter2';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  jest.useRealTimers();
  folder.remove();
});

const setTime = (now: number | string) =>
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'], now: new Date(now) });
const texts = () =>
  readdirSync(folder.path).map((each) => readFileSync(join(folder.path, each), 'utf8'));
const lines = <T>() =>
  texts()
    .flatMap((each) => each.trimEnd().split('\n'))
    .map((each) => JSON.parse(each) as T);

type Send = (path: string, init?: RequestInit) => Promise<Response>;

async function serve(
  options: Partial<RecorderOptions> = {},
): Promise<{ send: Send; recording: Recorder }> {
  const recording = recorder({ file: join(folder.path, 'traffic.jsonl'), ...options });
  const verify = (): Principal => ({ name: 'ann' });
  const api = await createApi({
    ...{ contract, verifiers: { bearer: verify, key: verify }, recorder: recording },
    handlers: { storeToy: () => ({ status: 200 }) },
  } as never);
  const handle = fetchHandler(api);
  const send: Send = (path, init = {}) =>
    handle(new Request(`http://localhost/v1${path}`, { method: 'POST', ...init }));
  return { send, recording };
}

const json = (value: unknown, headers: object = {}): RequestInit => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const as = (type: string, body: string): RequestInit => ({
  headers: { 'Content-Type': type },
  body,
});

const TOY = {
  ...{ name: 'Bear-value', size: 's42', password: SECRET, secrets: { any: SECRET } },
  list: [{ password: SECRET }, { name: 'Inner-value', password: SECRET }],
};
const nameOf = ({ subject, path, mediaType, value }: PartLocation) =>
  [
    subject,
    mediaType ?? path.map((each) => `/${each ?? '*'}`).join(''),
    value === undefined ? '' : JSON.stringify(value),
  ]
    .filter((each) => each !== '')
    .join(' ');

describe('shapes', () => {
  it('count what each caller sends, without values', async () => {
    const { send, recording } = await serve({ callerHeader: 'X-App' });
    const app = { 'X-App': 'mobile' };
    await send('/toys/1/c?note=Note-value', json(TOY, app));
    await send('/toys/1/c?sort=age', json({ name: 'Other-value', kind: 'soft' }, app));
    await send('/toys/1/c', json({ name: 7 }, app));
    await send('/toys/1/c', as('text/csv', 'Text-value'));
    await recording.close();
    expect(texts()).toHaveLength(1);
    for (const value of ['-value', SECRET]) {
      expect(texts()[0]).not.toContain(value);
    }
    const [mobile, anonymous] = lines<UsageLine>();
    expect(mobile).toMatchObject({
      ...{ usage: 2, caller: 'mobile', operation: 'POST /toys/{id}/{code}', contract: '1.4.0' },
      ...{ requests: 3, valid: 2, responses: { 200: 2, 400: 1 } },
    });
    const counts = mobile!.parts.map((part) => [nameOf(part), part.count]);
    expect(Object.fromEntries(counts)).toMatchObject({
      'path parameter id': 2,
      'query parameter note': 1,
      'query parameter sort': 1,
      'query parameter sort "age"': 1,
      'request body application/json': 2,
      'request body /name': 2,
      'request body /kind "soft"': 1,
      'request body /size "s42"': 1,
      'request body /list/*': 1,
      'request body /list/*/password': 1,
      'request body /secrets/*': 1,
    });
    // The default of `sort` is not sent.
    expect(mobile!.parts.map(nameOf)).not.toContain('query parameter sort "name"');
    expect(anonymous).toMatchObject({ caller: 'anonymous', requests: 1, valid: 1 });
    expect(anonymous!.parts.map(nameOf)).toContain('request body text/csv');
  });

  it('are replaced at each flush, and start anew on another day', async () => {
    setTime(Date.UTC(2026, 10, 22, 23, 59));
    const { send, recording } = await serve();
    await send('/toys/1/c');
    await jest.advanceTimersByTimeAsync(59_000);
    await send('/toys/1/c');
    await jest.advanceTimersByTimeAsync(2_000);
    for (let count = 0; count < 3; count++) await send('/toys/1/c');
    await recording.close();
    expect(readdirSync(folder.path).sort()).toEqual([
      expect.stringMatching(/^traffic\.2026-11-22\.[0-9a-f]{8}\.jsonl$/),
      expect.stringMatching(/^traffic\.2026-11-23\.[0-9a-f]{8}\.jsonl$/),
    ]);
    const byDay = lines<UsageLine>().sort((a, b) => (a.first < b.first ? -1 : 1));
    expect(byDay.map((each) => each.requests)).toEqual([2, 3]);
  });

  // The timer has not run since: the request itself is the first thing that happens on the new day.
  it.each([
    ['one', [2, 1]],
    ['several', [2, 3]],
    ['the days between without a request, and one', [2, 1]],
  ])(
    'of the first request after midnight are those of the new day: %s',
    async (which, expected) => {
      const evening = Date.UTC(2026, 10, 22, 23, 59);
      setTime(evening);
      const { send, recording } = await serve({ flushMs: 24 * 3_600_000 });
      await send('/toys/1/c?sort=age');
      await send('/toys/1/c');
      const days = which.startsWith('the days') ? 3 : 0;
      jest.setSystemTime(evening + 61_000 + days * 24 * 3_600_000);
      for (let count = 0; count < expected[1]!; count++) await send('/toys/1/c?sort=age');
      await recording.close();
      const byDay = lines<UsageLine>().sort((a, b) => (a.first < b.first ? -1 : 1));
      expect(byDay.map((each) => each.requests)).toEqual(expected);
      expect(byDay.map((each) => each.valid)).toEqual(expected);
    },
  );

  it('have the first and the last use of each caller, operation and part', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 12, minute)).toISOString();
    setTime(at(0));
    const { send, recording } = await serve({ callerHeader: 'X-App', flushMs: 3_600_000 });
    const uses = [
      [1, 'web', '?sort=name'],
      [2, 'app', '?sort=age'],
      [3, 'web', ''],
      [4, 'web', '?sort=name'],
      [5, 'web', ''],
      [6, 'web', '?sort=none'],
    ] as const;
    for (const [minute, caller, query] of uses) {
      jest.setSystemTime(new Date(at(minute)));
      await send(`/toys/1/c${query}`, { headers: { 'X-App': caller } });
    }
    await recording.close();
    const found = lines<UsageLine>().map(({ caller, first, last, requests, valid, parts }) => {
      const sort = parts.filter(({ subject, value }) => subject.includes('sort') && value);
      const uses = sort.map((part) => [part.value, part.count, part.first, part.last]);
      return [caller, requests, valid, first, last, ...uses];
    });
    expect(found.sort()).toEqual([
      ['app', 1, 1, at(2), at(2), ['age', 1, at(2), at(2)]],
      ['web', 5, 4, at(1), at(6), ['name', 2, at(1), at(4)]],
    ]);
  });

  it('take bounded memory for any number of callers', async () => {
    const { send, recording } = await serve({ callerHeader: 'X-App' });
    await send('/toys/1/c', json(TOY, { 'X-App': 'first' }));
    const { parts } = new RequestParts(definition.operations[0]!, definition);
    const callers = 2 * Math.ceil(MAX_COUNTS / parts.length);
    for (let at = 0; at < callers; at++) {
      await send('/toys/1/c', { headers: { 'X-App': `caller-${at}` } });
    }
    await recording.close();
    const all = lines<UsageLine>();
    expect(all.length).toBeLessThan(callers / 2 + 2);
    expect(all.find((each) => each.caller === OTHERS)?.requests).toBe(callers + 2 - all.length);
    expect(all.reduce((sum, each) => sum + each.requests, 0)).toBe(callers + 1);
  });
});

describe('a recording', () => {
  it('names the principal, and hashes names with a key', async () => {
    const { send, recording } = await serve({ hashKey: 'k' });
    await send('/toys/1/c', { headers: { Authorization: 'Bearer abc' } });
    await send('/toys/1/c');
    await recording.close();
    const callers = lines<UsageLine>().map((each) => each.caller);
    expect(callers).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), 'anonymous']);
  });

  it('refuses a caller header with credentials', async () => {
    await expect(serve({ callerHeader: 'X-Key' })).rejects.toThrow(
      'caller header: got X-Key, expected a header without credentials',
    );
  });

  it('refuses a folder that is not there', async () => {
    await expect(serve({ file: join(folder.path, 'none/traffic.jsonl') })).rejects.toThrow(
      /ENOENT.*expected a folder to write to/,
    );
  });

  it('ends with one message when it cannot be written, and responses go on', async () => {
    const errors: string[] = [];
    const onError = ({ message }: Error) => errors.push(message);
    const { send, recording } = await serve({ onError, flushMs: 5 });
    rmSync(folder.path, { recursive: true });
    for (let at = 0; at < 5; at++) {
      expect((await send('/toys/1/c', json(TOY))).status).toBe(200);
      await new Promise((next) => setTimeout(next, 20));
    }
    await recording.close();
    expect(errors).toEqual([expect.stringMatching(/^the recording has ended: ENOENT/)]);
  });
});

it('knows the names of headers with credentials', () => {
  const scheme = (where: string, name: string) => ({ type: 'apiKey', in: where, name });
  const securitySchemes = {
    ...{ a: scheme('header', 'X-Key'), b: scheme('query', 'Key'), c: scheme('cookie', 'Sid') },
    d: { type: 'http', scheme: 'bearer' },
  };
  const names = credentialHeaders(
    new Contract({ openapi: '3.1.0', components: { securitySchemes } }),
  );
  expect([...names].sort()).toEqual([
    ...['authentication-info', 'authorization', 'cookie', 'proxy-authentication-info'],
    ...['proxy-authorization', 'set-cookie', 'x-key'],
  ]);
});

describe('a value that a log may show', () => {
  const S = { 'x-sensitive': true };
  const T = { type: 'string' };
  const isShown = (schema: object, pointer: string, value: unknown) => {
    const post = {
      operationId: 'addToy',
      requestBody: { content: { 'application/json': { schema } } },
      responses: {},
    };
    const { operations } = new Contract({
      openapi: '3.1.0',
      info: {},
      paths: { '/toys': { post } },
    });
    const violation = { where: '', pointer, value, message: '', keyword: 'type' };
    return new ShownValues().shown(violation as never, operations[0]).value !== undefined;
  };

  // biome-ignore format: a table
  it.each<[string, schema: object, pointer: string, value: unknown, isShown: boolean]>([
    ['is a scalar', T, '', 7, true],
    ['is null', { properties: { a: T } }, '/a', null, true],
    ['is no object', { properties: { a: T } }, '/a', { b: 1 }, false],
    ['is no array', { properties: { a: T } }, '/a', [1], false],
    ['is no secret', S, '', 'a', false],
    ['is beside a secret', { properties: { a: S, b: T } }, '/b', 2, true],
    ['is no secret of a branch', { anyOf: [{}, { properties: { a: S } }] }, '/a', 1, false],
    ['is no secret of allOf', { allOf: [{ properties: { a: S } }] }, '/a', 1, false],
    ['is no item of secrets', { type: 'array', items: S }, '/0', 1, false],
    ['is an item', { type: 'array', items: T }, '/0', 1, true],
    ['is not at the position of a secret', { prefixItems: [T, S] }, '/1', 1, false],
    ['is beside the position of a secret', { prefixItems: [T, S] }, '/0', 1, true],
    ['is no contained secret', { contains: S }, '/0', 1, false],
    ['is not under an undeclared name', { properties: { a: T } }, '/b', 1, false],
    ['is not under the name in another case', { properties: { aB: S } }, '/Ab', 1, false],
    ['matches a pattern', { patternProperties: { '^a': T } }, '/ab', 1, true],
    ['is no additional property', { additionalProperties: T }, '/a', 1, false],
    ['is not in place of an object with a secret', { properties: { a: S } }, '', 'a', false],
    ['is not in a secret', { properties: { a: { ...S, properties: { b: T } } } }, '/a/b', 1, false],
    ['is no text that may hold a secret', { contentSchema: {} }, '', '{"a":1}', false],
  ])('%s: %j %s %j', (_, schema, pointer, value, expected) => {
    expect(isShown(schema, pointer, value)).toBe(expected);
  });
});
