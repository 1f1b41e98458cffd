// What the engine does around a handler: its context, its reply, and the removal of uploads.
import { describe, expect, it } from '@jest/globals';
import { Definition } from '../src/document/definition.ts';
import { createEngine, type EngineOptions } from '../src/pipeline/engine.ts';
import { type BodySource, Exchange } from '../src/request/exchange.ts';

const definition = new Definition({
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

describe('a context', () => {
  /** A query builder: it runs when it is awaited. */
  const query = (result: string) => ({
    where: () => query(result),
    then: (resolve: (result: string) => void) => resolve(result),
  });

  it.each([
    ['at once', () => 'user'],
    ['later', async () => 'user'],
    ['by a query builder', () => query('user')],
  ])('that is ready %s reaches the handler', async (_, context) => {
    const got: unknown[] = [];
    const getToy = (_request: never, own: unknown) => {
      got.push(own);
      return { status: 204 };
    };
    expect((await handle({ handlers: { getToy }, context })).status).toBe(204);
    expect(got).toEqual(['user']);
  });
});

describe('the removal of an upload', () => {
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
    const statuses = [done, failing].map(
      async (getToy) => (await handle({ handlers: { getToy }, report }, { release })).status,
    );
    expect(await Promise.all(statuses)).toEqual([204, 500]);
    expect(reported.map(({ message }) => message)).toEqual(
      how === 'never ends' ? [] : ['EBUSY', 'EBUSY'],
    );
  });
});
