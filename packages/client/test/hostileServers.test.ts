// A call ends at its time limit, whatever the server sends.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  hostileServer,
  INVALID_BODY,
  SILENT,
  STALLED_BODY,
  WITHOUT_RESPONSE,
} from '@stubwright/test-support/hostileServers';
import {
  NoResponse,
  type OperationFunction,
  openConnection,
  operation,
  receiveJson,
} from '../src/index.ts';

interface Toys {
  parameters: { path?: never };
  responses: { 200: { headers: Record<never, never>; content: { 'application/json': object } } };
}

const listToys: OperationFunction<Toys> = operation({
  ...{ id: 'listToys', method: 'GET', path: '/toys' },
  replies: { 200: { content: { 'application/json': receiveJson() } } },
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function errorOf(behaviour: Parameters<typeof hostileServer>[0]): Promise<unknown> {
  const server = await hostileServer(behaviour);
  closing.push(server.close);
  const url = `http://127.0.0.1:${server.port}`;
  const options = { timeoutMs: 100, retry: false } as const;
  return listToys(openConnection({ server: { url }, schemes: {} }, options), {}).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a call rejects if the server sends', () => {
  const withoutHead = { ...SILENT, ...WITHOUT_RESPONSE };
  it.each(Object.keys(withoutHead))('%s', async (name) => {
    expect(await errorOf(withoutHead[name]!)).toBeInstanceOf(NoResponse);
  });

  const withHead = { ...STALLED_BODY, ...INVALID_BODY };
  it.each(Object.keys(withHead).filter((name) => !/^a(?:nother)? response/.test(name)))(
    '%s',
    async (name) => {
      expect(await errorOf(withHead[name]!)).toHaveProperty('message');
    },
  );
});
