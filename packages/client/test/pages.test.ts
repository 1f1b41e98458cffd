// Pages of all kinds, on a real socket.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  type ConnectionOptions,
  ErrorReply,
  openConnection,
  operation,
  receiveJson,
} from '../src/index.ts';
import { type PageSpec, paged } from '../src/pages.ts';
import { testServers } from './support/server.ts';

const listening = testServers();

interface List {
  parameters: {
    path?: never;
    query?: { cursor?: bigint | string; page?: number; offset?: number; q?: string; size?: number };
  };
  responses: {
    200: {
      headers: Record<never, never>;
      content: { 'application/json': { data: { items: { id: bigint }[] } } };
    };
    404: { headers: Record<never, never>; content?: never };
  };
}

const listWith = (spec: Omit<PageSpec, 'items'>) =>
  paged(
    operation<List>({
      ...{ id: 'listToys', method: 'GET', path: '/toys', security: [['key']] },
      replies: {
        200: {
          content: {
            'application/json': receiveJson({
              properties: {
                data: { properties: { items: { items: { properties: { id: 1 } } } } },
                next: 1,
              },
            }),
          },
        },
        404: {},
      },
    }),
    { ...spec, items: ['data', 'items'] as const },
  );

const FIRST = 9007199254740993n;
const TOTAL = 7;
type Answer = (url: URL, response: ServerResponse, request: IncomingMessage) => void;

/** @returns the items of a slice, and the other properties of the body */
function page(from: number, rest: string, size = 3): string {
  const ids = Array.from({ length: TOTAL }, (_, at) => `{"id":${FIRST + BigInt(at)}}`);
  return `{"data":{"items":[${ids.slice(from, from + size).join()}]}${rest}}`;
}

async function serve(answer: Answer, options: ConnectionOptions = {}) {
  const seen: string[] = [];
  const url = await listening((request, response) => {
    seen.push(request.url!);
    response.setHeader('Content-Type', 'application/json');
    answer(new URL(request.url!, 'http://localhost'), response, request);
  });
  const schemes = { key: { in: 'query', name: 'key' } } as const;
  const baseUrl = `${url}/v1`;
  return { seen, connection: openConnection({ schemes }, { baseUrl, ...options }, { key: 's' }) };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const each of items) all.push(each);
  return all;
}

const ALL = Array.from({ length: TOTAL }, (_, at) => ({ id: FIRST + BigInt(at) }));
const query = { q: 'a b' };
const number = (url: URL, name: string) => Number(url.searchParams.get(name) ?? 0);

const byCursor: Answer = (url, response) => {
  const cursor = url.searchParams.get('cursor');
  const from = cursor === null ? 0 : Number(BigInt(cursor) - FIRST);
  const next = from + 3 < TOTAL ? String(FIRST + BigInt(from + 3)) : 'null';
  response.end(page(from, `,"next":${next}`));
};

describe('items', () => {
  it('are those of all pages, by a cursor that is exact', async () => {
    const { connection, seen } = await serve(byCursor);
    const list = listWith({ kind: 'cursor', parameter: 'cursor', next: ['next'] });
    expect(await collect(list.items(connection, { query }))).toEqual(ALL);
    expect(seen).toEqual([
      '/v1/toys?q=a%20b&key=s',
      `/v1/toys?q=a%20b&cursor=${FIRST + 3n}&key=s`,
      `/v1/toys?q=a%20b&cursor=${FIRST + 6n}&key=s`,
    ]);
  });

  it.each(['""', 'null', undefined])('end with the cursor %s', async (next) => {
    const { connection, seen } = await serve((_, response) => {
      response.end(page(0, next === undefined ? '' : `,"next":${next}`));
    });
    const list = listWith({ kind: 'cursor', parameter: 'cursor', next: ['next'] });
    expect(await collect(list.items(connection))).toHaveLength(3);
    expect(seen).toHaveLength(1);
  });

  it('are those of all pages, by number and by offset, until an empty page', async () => {
    const byPage = await serve((url, response) => {
      response.end(page((number(url, 'page') || 1) * 3 - 3, ''));
    });
    const paging = listWith({ kind: 'page', parameter: 'page' });
    expect(await collect(paging.items(byPage.connection))).toEqual(ALL);
    expect(byPage.seen).toEqual(
      ['', 'page=2&', 'page=3&', 'page=4&'].map((each) => `/v1/toys?${each}key=s`),
    );
    const byOffset = await serve((url, response) => response.end(page(number(url, 'offset'), '')));
    const skipping = listWith({ kind: 'offset', parameter: 'offset' });
    expect(await collect(skipping.items(byOffset.connection, { query: { offset: 2 } }))).toEqual(
      ALL.slice(2),
    );
    expect(byOffset.seen).toEqual([2, 5, 7].map((each) => `/v1/toys?offset=${each}&key=s`));
  });

  it('start at the declared page, and end where there are no more', async () => {
    const { connection, seen } = await serve((url, response) => {
      const at = number(url, 'page');
      response.end(page(at * 3, `,"more":${at < 2}`));
    });
    const list = listWith({ kind: 'page', parameter: 'page', start: 0, more: ['more'] });
    expect(await collect(list.items(connection))).toEqual(ALL);
    expect(seen).toHaveLength(3);
  });

  it.each<[string, (next: string) => [Record<string, string>, string], string[] | undefined]>([
    [
      'a Link header',
      (next) => [{ Link: `<x>; rel=prev, <${next}>; title="a, b"; rel="last next"` }, ''],
      undefined,
    ],
    ['a URL in the body', (next) => [{}, `,"next":${JSON.stringify(next)}`], ['next']],
  ])('follow %s, with the credentials of the query', async (_, write, next) => {
    const { connection, seen } = await serve((url, response) => {
      const from = number(url, 'from');
      const [headers, rest] =
        from + 3 < TOTAL ? write(`/other/toys?from=${from + 3}&q=a+b`) : [{}, ''];
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.end(page(from, rest));
    });
    const list = listWith({ kind: 'link', ...(next && { next }) });
    expect(await collect(list.items(connection, { query }))).toEqual(ALL);
    expect(seen).toEqual([
      '/v1/toys?q=a%20b&key=s',
      '/other/toys?from=3&q=a+b&key=s',
      '/other/toys?from=6&q=a+b&key=s',
    ]);
  });

  it('send nothing to another origin: of its link the query is used', async () => {
    const { connection, seen } = await serve((url, response) => {
      const from = number(url, 'from');
      const next = from === 0 ? ',"next":"https://evil.example/steal?from=3&key=x"' : '';
      response.end(page(from, next));
    });
    const list = listWith({ kind: 'link', next: ['next'] });
    expect(await collect(list.items(connection))).toEqual(ALL.slice(0, 6));
    expect(seen).toEqual(['/v1/toys?key=s', '/v1/toys?from=3&key=x']);
  });

  it('stop at a limit, without the request of a page that is not needed', async () => {
    const { connection, seen } = await serve(byCursor);
    const list = listWith({ kind: 'cursor', parameter: 'cursor', next: ['next'] });
    expect(await collect(list.items(connection, {}, { limit: 3 }))).toEqual(ALL.slice(0, 3));
    expect(seen).toHaveLength(1);
    expect(await collect(list.items(connection, {}, { limit: 0 }))).toEqual([]);
    expect(seen).toHaveLength(1);
    const pages = await collect(list.pages(connection, {}, { limit: 2 }));
    expect(pages.map(({ body }) => body.data.items.length)).toEqual([3, 3]);
    expect(seen).toHaveLength(3);
    await expect(collect(list.items(connection, {}, { limit: -1 }))).rejects.toThrow(RangeError);
    await expect(collect(list.pages(connection, {}, { limit: 0.5 }))).rejects.toThrow(RangeError);
  });

  it('reject with the reply that is no success, and with a page that is its own next', async () => {
    const missing = await serve((_, response) => response.writeHead(404).end());
    const list = listWith({ kind: 'cursor', parameter: 'cursor', next: ['next'] });
    const error = await collect(list.items(missing.connection)).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ErrorReply);
    const same = await serve((_, response) => response.end(page(0, ',"next":5')));
    await expect(collect(list.items(same.connection))).rejects.toThrow(
      'listToys: expected another cursor than 5 for the next page',
    );
    expect(same.seen).toHaveLength(2);
    const link = await serve((_, response) => response.end(page(0, ',"next":"?a"')));
    const following = listWith({ kind: 'link', next: ['next'] });
    await expect(collect(following.items(link.connection))).rejects.toThrow(
      'another cursor than ?a',
    );
  });

  it('pass the other options to each request', async () => {
    const headers: unknown[] = [];
    const { connection } = await serve((url, response, request) => {
      headers.push(request.headers['x-a']);
      byCursor(url, response, request);
    });
    const list = listWith({ kind: 'cursor', parameter: 'cursor', next: ['next'] });
    await collect(list.items(connection, {}, { headers: { 'X-A': '1' }, limit: 7 }));
    expect(headers).toEqual(['1', '1', '1']);
  });
});
