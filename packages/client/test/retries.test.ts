// Which responses and methods are retried by default, and the bounds of the options of a call.
import { describe, expect, it } from '@jest/globals';
import { type CallOptions, openConnection, operation } from '../src/index.ts';

interface Any {
  parameters: { path?: never };
  responses: { [status: number]: { headers: Record<never, never>; content?: never } };
}

/** @returns the number of requests that a call sends to a service with one response */
async function requests(method: string, status: number, options?: CallOptions): Promise<number> {
  let count = 0;
  const fetch = async () => {
    count += 1;
    return new Response(null, { status });
  };
  const call = operation<Any>({
    ...{ id: 'call', method, path: '/', replies: { [status]: {} } },
  });
  const retry = { baseDelayMs: 0, limit: 1 };
  const connection = openConnection({ server: { url: 'http://toys.test' } }, { fetch, retry });
  await call(connection, {}, options);
  return count;
}

describe('a retry', () => {
  it.each([408, 425, 429, 502, 503, 504])('follows status %d', async (status) => {
    expect(await requests('GET', status)).toBe(2);
  });

  it.each([200, 400, 404, 409, 500, 501, 505])('does not follow status %d', async (status) => {
    expect(await requests('GET', status)).toBe(1);
  });

  it('follows the given statuses only', async () => {
    const retry = { statuses: [500], baseDelayMs: 0, limit: 1 };
    expect(await requests('GET', 500, { retry })).toBe(2);
    expect(await requests('GET', 503, { retry })).toBe(1);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'QUERY'])(
    'repeats %s',
    async (method) => {
      expect(await requests(method, 503)).toBe(2);
    },
  );

  it.each(['POST', 'PATCH', 'PURGE'])('does not repeat %s', async (method) => {
    expect(await requests(method, 503)).toBe(1);
  });
});

describe('a request that cannot be built', () => {
  it.each([
    ['TRACE', 'http://127.0.0.1:1', undefined],
    ['GET', 'http://user:secret@127.0.0.1:1', undefined],
    ['GET', 'http://[', undefined],
    ['GET', 'http://127.0.0.1:1', 'a body'],
  ])('%s %s is a TypeError, and is not sent again: body %s', async (method, url, body) => {
    let count = 0;
    const fetch = (...args: Parameters<typeof globalThis.fetch>) => {
      count += 1;
      return globalThis.fetch(...args);
    };
    const bodies = {
      'text/plain': (value: unknown, type: string) => ({ body: value as string, type }),
    };
    const call = operation<Any>({ ...{ id: 'call', method, path: '/', replies: {}, bodies } });
    const connection = openConnection({ server: { url } }, { fetch, retry: { baseDelayMs: 0 } });
    const request = (body === undefined ? {} : { body }) as never;
    const error = await call(connection, request).catch((each) => each);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/^call: /);
    expect(count).toBe(1);
  });

  it('differs from a broken connection, also of a stream and of a relative URL', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const retry = { baseDelayMs: 0 };
    const bodies = {
      'text/plain': (value: unknown, type: string) => ({ body: value as string, type }),
    };
    for (const url of ['http://127.0.0.1:1', '', '/v1']) {
      const call = operation<Any>({
        ...{ id: 'call', method: 'PUT', path: '/', replies: {}, bodies },
      });
      const connection = openConnection({ server: { url } }, { fetch, retry });
      for (const body of ['text', new Blob(['a']).stream()]) {
        await expect(call(connection, { body } as never)).rejects.toMatchObject({
          name: 'NoResponse',
          attempts: body === 'text' ? 3 : 1,
        });
      }
    }
  });
});

describe('the options of a call', () => {
  const LONGEST = 2 ** 31 - 1;
  const options: readonly [string, (value: never) => CallOptions, number, number][] = [
    ['timeoutMs', (timeoutMs) => ({ timeoutMs }), 1, LONGEST],
    ['retry.limit', (limit) => ({ retry: { limit } }), 0, LONGEST],
    ['retry.baseDelayMs', (baseDelayMs) => ({ retry: { baseDelayMs } }), 0, LONGEST],
    ['retry.maxDelayMs', (maxDelayMs) => ({ retry: { maxDelayMs } }), 0, LONGEST],
    ['retry.statuses', (status) => ({ retry: { statuses: [status] } }), 100, 599],
  ];

  it.each(options)('%s is an integer in its range', async (name, optionsWith, min, max) => {
    for (const value of [min, max]) {
      expect(await requests('GET', 200, optionsWith(value as never))).toBe(1);
    }
    for (const [value, Type] of [
      [min - 1, RangeError],
      [max + 1, RangeError],
      [min + 0.5, RangeError],
      ['1', TypeError],
    ] as const) {
      const message = `${name}: got ${value}, expected an integer from ${min} to ${max}`;
      const call = requests('GET', 200, optionsWith(value as never));
      await expect(call).rejects.toThrow(new Type(message));
      await expect(call).rejects.toBeInstanceOf(Type);
    }
  });
});
