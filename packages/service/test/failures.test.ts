// A service whose handlers and listeners fail: each request has a response, each cause is in the log.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authorized, TOKEN } from '@stubwright/test-support/service';
import { CONTRACT } from '@stubwright/test-support/toyService';
import { Problem } from 'stubwright';
import { createLog, readSettings, type Service, startService } from '../src/index.ts';
import { limits } from '../src/server/server.ts';

let service: Service;
let getToy: () => unknown;
const logged: unknown[][] = [];

beforeAll(async () => {
  const log = Object.assign(createLog('silent'), {
    error: (...line: unknown[]) => logged.push(line),
    warn: (...line: unknown[]) => logged.push(line),
  });
  service = await startService({
    settings: {
      ...readSettings({ PORT: '0', API_TOKENS: TOKEN, CONTRACT, LAG_LIMIT: '60000' }),
      handlerTimeoutSeconds: 0.2,
    },
    log,
    handlers: { getToy: () => getToy(), storeToy: () => ({ status: 200 }) },
    verifiers: (verify) => ({ bearerAuth: verify }),
    errors: () => {
      throw new Error('no format');
    },
    bounds: { ...limits, settleMs: 5, lingerMs: 50 },
  });
});
afterAll(() => service.stop());

async function request(): Promise<Response> {
  logged.length = 0;
  return fetch(`${service.url}/toys/1`, { headers: authorized });
}

describe('a handler', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'throws a header beyond Latin-1',
      () => {
        throw new Problem(404, 'no toy', { headers: { Location: '/toys/日本' } });
      },
      /getToy Problem 404: header Location expected characters up to U\+00FF/,
    ],
    ['returns nothing', () => undefined, /getToy returned undefined, expected \{status, …\}/],
    [
      'rejects with undefined',
      () => Promise.reject(),
      /expected an Error to be thrown, got undefined/,
    ],
  ])('that %s is a 500 with its cause in the log', async (_, handler, cause) => {
    getToy = handler;
    const response = await request();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      500,
      'application/json',
    ]);
    expect(await response.json()).toMatchObject({ error: 50000 });
    const causes = logged.map(([line]) => (line as { err: Error }).err.message);
    expect(causes).toContainEqual(expect.stringMatching(cause));
    expect(causes).toContain('no format');
  });

  it('that never settles is a 503 with its cause in the log', async () => {
    getToy = () => new Promise(() => {});
    const response = await request();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(logged).toContainEqual([
      expect.objectContaining({
        status: 503,
        err: new Error('getToy: the handler did not settle within 200 ms'),
      }),
      'request',
    ]);
  });
});
