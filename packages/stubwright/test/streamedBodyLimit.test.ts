// The time limit of a handler that reads its body as a stream: it starts again while the body arrives.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApi } from '../src/index.ts';
import { requestListener } from '../src/node.ts';
import { loadedContract } from './support/contract.ts';
import { closeServers, listening } from './support/listening.ts';

const LIMIT_MS = 50;
let url: string;
let isRead = true;
let next: (bytes: number) => unknown;

beforeAll(async () => {
  const contract = loadedContract(`
paths:
  /:
    post:
      operationId: store
      requestBody: {required: true, content: {application/octet-stream: {}}}
      responses: {'204': {description: ok}}
`);
  const api = await createApi<undefined, IncomingMessage>({
    contract,
    handlerTimeoutMs: LIMIT_MS,
    handlers: {
      async store({ body }: { body: AsyncIterable<Buffer> }) {
        let bytes = 0;
        if (isRead) for await (const chunk of body) bytes += chunk.length;
        return next(bytes);
      },
    },
  });
  url = await listening(requestListener(api));
});
afterAll(closeServers);

/** Sends a body in two parts, the second after several times the limit. */
async function statusOf(): Promise<number | undefined> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const sent = request(url, { method: 'POST', headers });
  sent.write('one');
  setTimeout(() => sent.end('two'), 6 * LIMIT_MS);
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

it('does not end a request whose body arrives for longer', async () => {
  const received: number[] = [];
  isRead = true;
  next = (bytes) => {
    received.push(bytes);
    return { status: 204 };
  };
  expect(await statusOf()).toBe(204);
  expect(received).toEqual([6]);
});

it.each([true, false])('ends a request whose handler does not settle, read: %s', async (reads) => {
  isRead = reads;
  next = () => new Promise(() => {});
  expect(await statusOf()).toBe(503);
});
