// A service whose handlers and listeners fail: each request has a response, each cause is in the log.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CONTRACT } from '@stubwright/test-support/toyService';
import { Problem } from 'stubwright';
import { readSettings } from '../src/index.ts';
import {
  authorized as headers,
  type StartedService,
  startedServices,
} from './support/startedServices.ts';

const startService = startedServices();
let service: StartedService;
let getToy: () => unknown;

beforeEach(async () => {
  const API_TOKENS = 'a-token-of-the-test';
  const settings = readSettings({ PORT: '0', API_TOKENS, CONTRACT, LAG_LIMIT: '60000' });
  service = await startService({
    settings: { ...settings, handlerTimeoutSeconds: 0.2 },
    handlers: { getToy: () => getToy(), storeToy: () => ({ status: 200 }) },
    verifiers: (verify) => ({ bearerAuth: verify }),
    errors: () => {
      throw new Error('no format');
    },
  });
});

const request = () => fetch(`${service.url}/toys/1`, { headers });

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
    const causes = service.lines.flatMap(({ err }) => err?.message ?? []);
    expect(causes).toContainEqual(expect.stringMatching(cause));
    expect(causes).toContain('no format');
  });

  it('that never settles is a 503 with its cause in the log', async () => {
    getToy = () => new Promise(() => {});
    const response = await request();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(service.lines).toContainEqual(
      expect.objectContaining({
        ...{ status: 503, msg: 'request' },
        err: expect.objectContaining({
          message: 'getToy: the handler did not settle within 200 ms',
        }),
      }),
    );
  });
});
