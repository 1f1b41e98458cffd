// The options of fetch, and URLs of services that have a query.
import { describe, expect, it } from '@jest/globals';
import {
  type CallOptions,
  type ConnectionOptions,
  openConnection,
  operation,
} from '../src/index.ts';

interface Toys {
  parameters: { path?: never; query?: { page?: number } };
  responses: { 204: { headers: Record<never, never>; content?: never } };
}

/** @returns the request of a call, as fetch receives it */
async function sentWith(
  client: ConnectionOptions,
  call: CallOptions = {},
  query: { page?: number } = {},
): Promise<Request> {
  const sent: Request[] = [];
  const getToys = operation<Toys>({
    ...{ id: 'getToys', method: 'GET', path: '/toys', replies: { 204: {} } },
    security: [['key']],
  });
  const connection = openConnection(
    {
      server: { url: 'http://toys.test/v1?tenant=declared' },
      schemes: { key: { in: 'query', name: 'key' } },
    },
    {
      ...client,
      async fetch(url, init) {
        sent.push(new Request(url, init));
        return new Response(null, { status: 204 });
      },
    },
    { key: 'secret' },
  );
  await getToys(connection, { query }, call);
  return sent[0]!;
}

describe('the options of fetch', () => {
  it('are those of fetch by default, without following a redirection', async () => {
    const { credentials, cache, mode, redirect } = await sentWith({});
    expect({ credentials, cache, mode, redirect }).toEqual({
      ...{ credentials: 'same-origin', cache: 'default', mode: 'cors', redirect: 'manual' },
    });
  });

  it('pass through, those of a call before those of the client', async () => {
    const client: ConnectionOptions = {
      ...{ credentials: 'include', cache: 'no-store', mode: 'same-origin' },
      redirect: 'follow',
    };
    const all = await sentWith(client);
    const { credentials, cache, mode, redirect } = all;
    expect({ credentials, cache, mode, redirect }).toEqual(client);
    const one = await sentWith(client, { cache: 'reload', redirect: 'error', mode: undefined });
    expect([one.cache, one.redirect]).toEqual(['reload', 'error']);
    expect([one.credentials, one.mode]).toEqual(['include', 'same-origin']);
  });
});

describe('a URL of a service with a query', () => {
  it.each<[string, ConnectionOptions['baseUrl'], string]>([
    ['of the contract', undefined, 'http://toys.test/v1/toys?tenant=declared&page=2&key=secret'],
    ['as text', 'http://a.test/?t=/&u', 'http://a.test/toys?t=/&u&page=2&key=secret'],
    ['of a function', () => '/api//?', '/api/toys?page=2&key=secret'],
    ['with two marks', 'http://a.test/x/?t=?1', 'http://a.test/x/toys?t=?1&page=2&key=secret'],
  ])('has it after the path: %s', async (_, baseUrl, expected) => {
    const { url } = await sentWith(
      {
        baseUrl,
        middleware: [
          {
            before: (request) => {
              request.url = new URL(request.url, 'http://toys.test').href;
            },
          },
        ],
      },
      {},
      { page: 2 },
    );
    expect(url).toBe(new URL(expected, 'http://toys.test').href);
  });
});
