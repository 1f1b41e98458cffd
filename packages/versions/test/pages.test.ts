// Pages of an older version: its clients follow links to its own URLs, with cursors that both versions share.
import { describe, expect, it } from '@jest/globals';
import { page } from 'stubwright/pages';
import { replyWith, served, v1 } from './support.ts';

const list = (base: string, path: string, property: string) => `
servers: [{url: '${base}'}]
paths:
  ${path}:
    get:
      operationId: listToys
      x-pagination: {kind: cursor, parameter: cursor, size: limit, items: /items, next: /next}
      parameters:
        - {name: cursor, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: color, in: query, schema: {type: string}}
      responses:
        200:
          description: ok
          headers: {Link: {schema: {type: string}}}
          content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {type: object, properties: {${property}: {type: integer}}}}, next: {type: string}}}}}
`;

const ROWS = [1, 2, 3, 4, 5].map((id) => ({ id }));

const serve = () =>
  served({
    yaml: list('/api/v2', '/toys', 'id'),
    older: v1(list('/', '/playthings', 'number'), {
      operations: {
        listToys: {
          reply: replyWith(({ items, ...rest }) => ({
            ...{ ...rest, items: items.map(({ id }: { id: number }) => ({ number: id })) },
          })),
        },
      },
    }),
    cursorSecrets: ['a secret of at least 32 characters'],
    handlers: {
      async listToys(request: never) {
        const source = {
          order: ['id'],
          fetch: ({ after, limit }: { after?: readonly [number]; limit: number }) =>
            ROWS.filter(({ id }) => id > (after?.[0] ?? 0)).slice(0, limit),
        };
        return { status: 200, ...((await page(request, source as never)) as object) };
      },
    } as never,
  });

describe('the pages of an older version', () => {
  it('have links to its own URLs, with the other parameters', async () => {
    const { send } = await serve();
    const first = await send('/v1/playthings?limit=2&color=a%20b');
    expect(first.body.items).toEqual([{ number: 1 }, { number: 2 }]);
    expect(first.headers['Link']).toBe(
      '</v1/playthings?limit=2&color=a%20b>; rel="first", ' +
        `</v1/playthings?limit=2&color=a%20b&cursor=${first.body.next}>; rel="next"`,
    );
    const [, next = ''] = /<([^<>]*)>; rel="next"/.exec(first.headers['Link']!)!;
    expect((await send(next)).body.items).toEqual([{ number: 3 }, { number: 4 }]);
  });

  it('have cursors of the current one', async () => {
    const { send } = await serve();
    const { next } = (await send('/v1/playthings?limit=2')).body;
    const { body, headers } = await send(`/api/v2/toys?limit=2&cursor=${next}`);
    expect(body.items).toEqual([{ id: 3 }, { id: 4 }]);
    expect(headers['Link']).toContain('</api/v2/toys?limit=2>; rel="first"');
  });
});
