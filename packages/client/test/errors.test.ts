// The messages of errors.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { ErrorReply, NoResponse } from '../src/errors.ts';
import { type OperationFunction, openConnection, operation } from '../src/index.ts';

it.each([
  [{ error: 40900, message: 'the name is taken' }, ': the name is taken (error 40900)'],
  [{ code: 7n, message: 'taken' }, ': taken (error 7)'],
  [{ type: 'a:b', title: 'Conflict', detail: 'taken', status: 409 }, ': taken'],
  [{ title: 'Conflict' }, ': Conflict'],
  [{ error: 'taken' }, ': taken'],
  [{ error: { code: 1, message: 'taken' } }, ': taken'],
  [{ detail: '', message: 'taken', error: true, code: null }, ': taken'],
  ['taken', ': taken'],
  ['x'.repeat(1000), `: ${'x'.repeat(300)}`],
  ...[{}, { message: 1 }, [], null, undefined, 5, '', new Uint8Array([1])].map(
    (body): [unknown, string] => [body, ', expected a success'],
  ),
])('names the message of an error reply: %j', (body, message) => {
  const reply = { operationId: 'addToy', status: 409, headers: {}, type: undefined, body };
  const error = new ErrorReply({ ...reply, response: new Response() });
  expect(error.message).toBe(`addToy: got status 409${message}`);
});

it.each([
  [
    new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED ::1:1') }),
    'connect ECONNREFUSED ::1:1',
  ],
  [
    new TypeError('fetch failed', {
      cause: new AggregateError([new Error('first'), new Error('second')]),
    }),
    'first',
  ],
  [new TypeError('Failed to fetch'), 'Failed to fetch'],
  ['text', 'text'],
  [undefined, 'undefined'],
  [new Error(''), 'Error'],
])('names the reason of a failed connection', (cause, reason) => {
  expect(new NoResponse('addToy', 1, cause).message).toBe(`addToy: no response: ${reason}`);
});

it('names the address that refuses connections', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const act: OperationFunction<{ responses: { 204: { headers: object } } }> = operation({
    ...{ id: 'act', method: 'GET', path: '/', replies: { 204: {} } },
  });
  const connection = openConnection({}, { baseUrl: `http://127.0.0.1:${port}`, retry: false });
  await expect(act(connection)).rejects.toThrow(
    `act: no response: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});
