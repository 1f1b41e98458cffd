// Headers between two versions of a contract, and the statuses that a version maps.
import { expect, it } from '@jest/globals';
import { statusErrors } from '../src/converters.ts';
import { served, v1 } from './support.ts';

it.each([
  [{ 200: 299, 399: 200, 400: 599, 599: 400 }, 0],
  [{ 200: 400 }, 1],
  [{ 400: 399 }, 1],
  [{ 199: 200 }, 1],
  [{ 400: 600 }, 1],
  [{ 404: 404.5, 410: 404 }, 1],
])('the statuses %j have %d errors', (statuses, count) => {
  expect(statusErrors(statuses)).toHaveLength(count);
});

it('keeps one line per cookie in the response to an older version', async () => {
  const yaml = `
paths:
  /sessions:
    get:
      operationId: signIn
      responses:
        '204': {description: ok, headers: {Set-Cookie: {schema: {type: array, items: {type: string}}}}}`;
  const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'];
  const { send } = await served({
    yaml,
    handlers: { signIn: () => ({ status: 204, headers: { 'Set-Cookie': cookies } }) },
    older: v1(yaml),
  });
  for (const path of ['/sessions', '/v1/sessions']) {
    const { headers, status } = await send(path);
    expect([status, headers['Set-Cookie']]).toEqual([204, cookies.join('\n')]);
  }
});
