// What the engine does around a handler: its context, its reply, and the removal of uploads.
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Contract, Problem } from '@stubwright/contract';
import type { BodySource } from '@stubwright/contract/values';
import { createEngine, type EngineOptions, Exchange } from '../src/internals.ts';
import { SharedTimer } from '../src/pipeline/pipeline.ts';
import { loadedContract } from './support/contract.ts';

const definition = new Contract({
  openapi: '3.1.0',
  paths: { '/toy': { get: { operationId: 'getToy', responses: { 204: { description: 'ok' } } } } },
});

function handle(options: Partial<EngineOptions<unknown>>, change: Partial<Exchange> = {}) {
  const exchange = new Exchange({ method: 'GET', url: '/toy', headers: {} }, {} as BodySource);
  const used = Object.defineProperties(exchange, Object.getOwnPropertyDescriptors(change));
  const engine = createEngine({ definition, exposeErrors: true, ...options });
  return engine.then((each) => each.handle(used));
}

const done = () => ({ status: 204 });

describe('a reply', () => {
  it.each([
    [undefined, 'getToy returned undefined, expected {status, …}'],
    [null, 'getToy returned null, expected {status, …}'],
    [{ body: 1 }, 'getToy returned { body: 1 }, expected {status, …}'],
    [{ status: '204' }, "getToy returned { status: '204' }, expected {status, …}"],
    [{ status: 99 }, 'getToy returned 99: expected a status from 200 to 599'],
    [{ status: 200 }, 'getToy returned 200: the status is not declared'],
    ['text', "getToy returned 'text', expected {status, …}"],
  ])('%j is a 500', async (reply, message) => {
    for (const returned of [reply, Promise.resolve(reply)]) {
      const { status, cause, body } = await handle({ handlers: { getToy: () => returned } });
      expect([status, (cause as Error).message]).toEqual([500, message]);
      expect(JSON.parse(String(body))).toMatchObject({ detail: message });
    }
  });
});

it('a mock that finds no valid value reports the violation', async () => {
  const schema = '{type: integer, minimum: 2, maximum: 1}';
  const { definition } = loadedContract(`
paths: {/toy: {get: {operationId: getToy, responses: {'200': {description: ok, content: {application/json: {schema: ${schema}}}}}}}}
`);
  const { cause } = await handle({ definition, mock: 'all' });
  expect((cause as Error).message).toMatch(/^getToy: /);
});

it('a context may be a query builder, which runs when it is awaited', async () => {
  const query = (result: string) => ({
    where: () => query(result),
    then: (resolve: (result: string) => void) => resolve(result),
  });
  const got: unknown[] = [];
  const getToy = (_request: never, own: unknown) => {
    got.push(own);
    return { status: 204 };
  };
  const context = () => query('user');
  expect((await handle({ handlers: { getToy }, context })).status).toBe(204);
  expect(got).toEqual(['user']);
});

describe('the removal of an upload', () => {
  const form = { 'multipart/form-data': {} };
  const definition = new Contract({
    openapi: '3.1.0',
    paths: {
      '/toy': { get: { operationId: 'getToy', responses: { 204: { description: 'ok' } } } },
      '/upload': { post: { operationId: 'upload', requestBody: { content: form }, responses: {} } },
    },
  });

  it.each<[string, () => Promise<void>]>([
    ['never ends', () => new Promise(() => {})],
    ['rejects', () => Promise.reject(new Error('EBUSY'))],
    [
      'throws',
      () => {
        throw new Error('EBUSY');
      },
    ],
  ])('that %s does not change the response', async (how, release) => {
    const reported: Error[] = [];
    const report = (error: Error) => reported.push(error);
    const failing = () => {
      throw new Error('x');
    };
    const statuses = [done, failing].map(async (getToy) => {
      const handlers = { getToy, upload: done };
      return (await handle({ definition, handlers, report }, { release })).status;
    });
    expect(await Promise.all(statuses)).toEqual([204, 500]);
    expect(reported.map(({ message }) => message)).toEqual(
      how === 'never ends' ? [] : ['EBUSY', 'EBUSY'],
    );
  });
});

describe('the headers of a thrown Problem', () => {
  const described = (headers: string) =>
    `{description: x, headers: {${headers}}, content: {application/problem+json: {}}}`;
  const REMAINING = 'X-Remaining: {schema: {type: integer, minimum: 0}}';
  const LIST = 'X-List: {schema: {type: array, items: {enum: [a, b]}}}';
  const JSON_HEADER =
    'X-Json: {content: {application/json: {schema: {type: object, required: [a]}}}}';
  const REQUIRED = 'X-Id: {required: true, schema: {type: string, minLength: 3}}';
  const definitionOf = (status: number, headers: string, security = '') =>
    loadedContract(`
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
paths: {/toy: {get: {operationId: getToy, ${security} responses: {'204': {description: ok}, '${status}': ${described(headers)}}}}}
`).definition;

  const thrown = async (
    headers: string,
    sent: Record<string, string>,
    options: Partial<EngineOptions<unknown>> = {},
  ) => {
    const fail = () => {
      throw new Problem(429, 'wait', { headers: sent });
    };
    const { status, cause } = await handle({
      definition: definitionOf(429, headers),
      handlers: { getToy: fail },
      ...options,
    });
    return [status, (cause as Error | undefined)?.message];
  };

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['that conform', REMAINING, { 'X-Remaining': '0' }, undefined],
    ['in another case', REMAINING, { 'x-remaining': '0' }, undefined],
    ['of an array', LIST, { 'X-List': 'a, b' }, undefined],
    ['of JSON', JSON_HEADER, { 'X-Json': '{"a": 1}' }, undefined],
    ['that are not declared', REMAINING, { 'Retry-After': '1' }, undefined],
    ['that are required', REQUIRED, { 'X-Id': 'abc' }, undefined],
    ['of another type', REMAINING, { 'X-Remaining': 'few' }, 'header X-Remaining expected integer'],
    ['below a bound', REMAINING, { 'x-remaining': '-1' }, 'header X-Remaining expected to be >= 0'],
    [
      'with an invalid item',
      LIST,
      { 'X-List': 'a,c' },
      'header X-List /1 expected one of ["a","b"]',
    ],
    ['of malformed JSON', JSON_HEADER, { 'X-Json': '{' }, 'header X-Json expected JSON'],
    ['of incomplete JSON', JSON_HEADER, { 'X-Json': '{}' }, 'header X-Json /a is required'],
    ['without a required one', REQUIRED, {}, 'header X-Id is required'],
  ])('%s', async (_, headers, sent, violation) => {
    const expected =
      violation === undefined ? [429, undefined] : [500, `getToy Problem 429: ${violation}`];
    expect(await thrown(headers, sent)).toEqual(expected);
    // As replies.
    const logged = violation && `getToy Problem 429: ${violation}`;
    expect(await thrown(headers, sent, { responseValidation: 'log' })).toEqual([429, logged]);
    expect(await thrown(headers, sent, { responseValidation: 'off' })).toEqual([429, undefined]);
    const map = {
      handlers: { getToy: () => Promise.reject(new Error('x')) },
      toProblem: () => new Problem(429, 'wait', { headers: sent }),
    };
    expect(await thrown(headers, sent, map)).toEqual([expected[0], expected[1] ?? 'x']);
  });

  it("keep the engine's own errors, which the application cannot change", async () => {
    const own = definitionOf(
      401,
      'WWW-Authenticate: {schema: {const: Own}}',
      'security: [{key: []}],',
    );
    const verifiers = { key: () => undefined };
    const { status } = await handle({ definition: own, handlers: { getToy: done }, verifiers });
    expect(status).toBe(401);
  });
});

describe('a time limit', () => {
  const never = () => new Promise<never>(() => {});
  const secured = new Contract({
    openapi: '3.1.0',
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    security: [{ key: [] }],
    paths: definition.document.paths,
  });
  const headers = { authorization: 'Bearer t' };
  const limited = { definition: secured, handlerTimeoutMs: 20 };
  const verifiers = { key: () => ({ name: 'alice' }) };

  it.each<[string, Partial<EngineOptions<unknown>>, string]>([
    ['handler', { verifiers, handlers: { getToy: never } }, 'the handler'],
    ['context', { verifiers, handlers: { getToy: done }, context: never }, 'the handler'],
    ['verifier', { verifiers: { key: never }, handlers: { getToy: done } }, 'authentication'],
  ])('ends the request of a %s that never settles', async (_, options, step) => {
    const response = await handle({ ...limited, ...options }, { headers });
    expect([response.status, response.headers['Retry-After']]).toEqual([503, '1']);
    expect((response.cause as Error).message).toBe(`getToy: ${step} did not settle within 20 ms`);
    expect(JSON.parse(String(response.body))).toMatchObject({
      detail: 'the request was not handled in time',
    });
  });

  it('discards a later reply, and reports a later error', async () => {
    const body = new Readable({ read() {} });
    const reported: Error[] = [];
    const report = (error: Error) => reported.push(error);
    const settle: (() => void)[] = [];
    const late = [
      () => new Promise((resolve) => settle.push(() => resolve({ status: 204, body }))),
      () => new Promise((_, reject) => settle.push(() => reject(new Error('late')))),
    ];
    for (const getToy of late) {
      const options = { ...limited, verifiers, handlers: { getToy }, report };
      expect((await handle(options, { headers })).status).toBe(503);
    }
    for (const each of settle) each();
    await new Promise(setImmediate);
    expect([body.destroyed, reported]).toEqual([true, [new Error('late')]]);
  });

  it('ends each pending promise, in order, and none that has settled', async () => {
    const limit = new SharedTimer(20);
    const ended: string[] = [];
    const never = new Promise(() => {});
    const limited = {
      isArriving: () => false,
      timedOut: () => new Error('over'),
      discard: () => {},
      report: () => {},
    };
    const settled = (name: string, promise: Promise<unknown>) =>
      limit.settled(promise, undefined, limited).then(
        () => ended.push(name),
        ({ message }) => ended.push(`${name} ${message}`),
      );
    const first = [settled('a', never), settled('b', Promise.resolve()), settled('c', never)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([...first, settled('d', never), settled('e', Promise.resolve())]);
    expect(ended.filter((each) => each.endsWith('over'))).toEqual(['a over', 'c over', 'd over']);
    expect(ended).toEqual(expect.arrayContaining(['b', 'e']));
  });

  it.each(['resolves', 'rejects'])('changes nothing for a handler that %s in time', async (how) => {
    const settle = { resolves: done, rejects: () => Promise.reject(new Problem(404, 'no toy')) };
    const getToy = async () => settle[how as keyof typeof settle]();
    const options = {
      definition: secured,
      verifiers,
      handlers: { getToy },
      handlerTimeoutMs: 60_000,
    };
    expect((await handle(options, { headers })).status).toBe(how === 'resolves' ? 204 : 404);
  });

  it.each([0, 2 ** 31])('of %p is refused', async (handlerTimeoutMs) => {
    const options = { handlers: { getToy: done }, handlerTimeoutMs };
    await expect(handle(options)).rejects.toThrow(
      `handlerTimeoutMs: got ${handlerTimeoutMs}, expected an integer from 1 to 2147483647`,
    );
  });
});
