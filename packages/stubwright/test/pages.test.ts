// Replies with pages: cursors, numbers, offsets and links, as `x-pagination` describes them.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  type AnyHandlers,
  loaded,
  type Order,
  pageApi,
  type Received,
  SECRET,
} from '@stubwright/test-support/pageApi';
import { page } from '../src/pages.ts';

const FIRST = 9007199254740993n;
/** In descending order of totals, which tie, then of ids. */
const ORDERS: Order[] = Array.from({ length: 11 }, (_, at) => ({
  id: FIRST + BigInt(10 - at),
  total: 5 - Math.floor(at / 4),
}));

/** What `fetch` receives. */
const ranges: { after?: unknown; offset?: number; limit: number }[] = [];

const isAfter = ({ total, id }: Order, [afterTotal, afterId]: readonly [number, bigint]) =>
  total < afterTotal || (total === afterTotal && id < afterId);

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
const paged = (request: any, source: object = {}, rows: readonly Order[] = ORDERS) =>
  page(request, {
    order: ['-total', '-id'],
    fetch: (range: { after?: [number, bigint]; offset: number; limit: number }) => {
      ranges.push(range);
      const { after, offset, limit } = range;
      const rest =
        after === undefined ? rows.slice(offset) : rows.filter((each) => isAfter(each, after));
      return rest.slice(0, limit);
    },
    ...source,
  } as never) as Promise<object>;

const handler =
  (source: object = {}, rows?: readonly Order[]): AnyHandlers[string] =>
  async (request) => ({ status: 200, ...(await paged(request, source, rows)) });

const handlers = Object.fromEntries(
  ['byCursor', 'byPage', 'byOffset', 'byLink', 'byRequired'].map((id) => [id, handler()]),
);
const get = await pageApi(handlers);
const SHOP = '/v1/shops/9007199254740993/orders';

const idsOf = ({ body }: Received) => (body.orders ?? body).map((each: { id: number }) => each.id);
/** JSON.parse rounds. */
const idsFrom = (from: number, to: number) => ORDERS.slice(from, to).map(({ id }) => Number(id));

describe('a page after a cursor', () => {
  it('starts after the last row of the page before, to the end', async () => {
    const pages: Received[] = [];
    for (let path: string | undefined = `${SHOP}?limit=5`; path !== undefined; ) {
      const received: Received = await get(path);
      pages.push(received);
      const next: string | undefined = received.body.meta.next;
      path = next === undefined ? undefined : `${SHOP}?limit=5&cursor=${next}`;
    }
    expect(pages.map(idsOf)).toEqual([idsFrom(0, 5), idsFrom(5, 10), idsFrom(10, 11)]);
    expect(pages.map(({ body }) => typeof body.meta.next)).toEqual([
      'string',
      'string',
      'undefined',
    ]);
  });

  it('has the exact key of that row', async () => {
    ranges.length = 0;
    const { body } = await get(`${SHOP}?limit=1`);
    await get(`${SHOP}?limit=1&cursor=${body.meta.next}`);
    expect(ranges.map(({ after, limit }) => ({ after, limit }))).toEqual([
      { after: undefined, limit: 2 },
      { after: [5, FIRST + 10n], limit: 2 },
    ]);
  });

  it('has the declared default and maximum of items', async () => {
    expect(idsOf(await get(SHOP))).toHaveLength(3);
    expect((await get(`${SHOP}?limit=6`)).status).toBe(400);
  });

  it('leads to the next and the first page with its other parameters', async () => {
    const { link, body } = await get(
      `${SHOP}?status=a%20b&limit=2&cursor=&sort=newest`.replace('cursor=&', ''),
    );
    expect(link).toBe(
      `<${SHOP}?status=a%20b&limit=2&sort=newest>; rel="first", ` +
        `<${SHOP}?status=a%20b&limit=2&sort=newest&cursor=${body.meta.next}>; rel="next"`,
    );
    const last = await get(`${SHOP}?limit=5`);
    expect(last.link).toContain('rel="next"');
    const single = await pageApi({ byCursor: handler({}, ORDERS.slice(0, 3)) });
    expect((await single(SHOP)).link).toBe(`<${SHOP}>; rel="first"`);
  });

  it('ends with an empty string where the contract requires a string', async () => {
    const { body } = await get('/v1/byRequired');
    expect([idsOf({ body } as Received).length, body.next]).toEqual([11, '']);
  });

  it.each([
    ['of another path', `${SHOP.replace('993', '992')}?limit=2`, SHOP],
    ['of another filter', `${SHOP}?status=open`, SHOP],
    ['without a filter', SHOP, `${SHOP}?status=open`],
    ['of another order', `${SHOP}?sort=oldest`, SHOP],
    ['of another operation', '/v1/byLink', SHOP],
  ])('rejects a cursor %s', async (_, from, to) => {
    const byLink = handler({}, ORDERS.concat(others()));
    const many = await pageApi({ ...handlers, byLink });
    const { body } = await many(from);
    const next = body.meta?.next ?? new URLSearchParams(body.next.split('?')[1]).get('after');
    const { status, body: rejection } = await many(
      `${to}${to.includes('?') ? '&' : '?'}cursor=${next}`,
    );
    expect([status, rejection.detail]).toEqual([
      400,
      'query cursor: expected a cursor of this list, with the same filters, or none for the first page',
    ]);
    expect(rejection.errors).toHaveLength(1);
  });

  it('accepts a cursor with another limit, and one from before a filter with a default', async () => {
    const { body } = await get(`${SHOP}?limit=2`);
    const { next } = body.meta;
    for (const path of [`limit=1&cursor=${next}`, `cursor=${next}&sort=newest`]) {
      expect(idsOf(await get(`${SHOP}?${path}`))[0]).toBe(idsFrom(2, 3)[0]);
    }
  });
});

function others(): Order[] {
  return Array.from({ length: 100 }, (_, at) => ({ id: BigInt(100 - at), total: 0 }));
}

describe('the signature of a cursor', () => {
  const REJECTED =
    'query cursor: expected a cursor that the service returned, unchanged, or none for the first page';
  const cursorOf = async () => (await get(SHOP)).body.meta.next as string;

  it.each<[string, (cursor: string) => string]>([
    ['is empty', () => ''],
    ['is cut', (cursor) => cursor.slice(0, -1)],
    ['is a part', (cursor) => cursor.slice(0, 20)],
    ['is longer', (cursor) => `${cursor}A`],
    ['is padded', (cursor) => `${cursor}==`],
    ['is no base64', () => '*'.repeat(80)],
    ['has white space', (cursor) => ` ${cursor}`],
    ['is that of SQL', () => "' OR 1=1 --"],
    ['is one of 10 kB', () => 'A'.repeat(10_000)],
    ['is one of 1 MB', () => 'A'.repeat(1_000_000)],
    ['has the key of another row', (cursor) => tampered(cursor)],
    ['is unsigned', (cursor) => unsigned(cursor)],
    ['has another secret', (cursor) => resigned(cursor, 'another secret of 32 characters!')],
  ])('rejects a cursor that %s', async (_, change) => {
    const cursor = change(await cursorOf());
    const { status, body } = await get(`${SHOP}?cursor=${encodeURIComponent(cursor)}`);
    expect([status, body.detail]).toEqual([400, REJECTED]);
  });

  it('rejects each change of one bit', async () => {
    const bytes = Buffer.from(await cursorOf(), 'base64url');
    const statuses = new Set<number>();
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      statuses.add((await get(`${SHOP}?cursor=${changed.toString('base64url')}`)).status);
    }
    expect([...statuses]).toEqual([400]);
  });

  it('is the documented one: a cursor of an earlier process stays valid', async () => {
    const cursor = await cursorOf();
    expect(resigned(cursor, SECRET)).toBe(cursor);
    const restarted = await pageApi(handlers);
    expect(idsOf(await restarted(`${SHOP}?cursor=${cursor}`))).toEqual(idsFrom(3, 6));
  });

  it('rotates: the first secret signs, all verify', async () => {
    const NEW = 'the next secret of 32 characters';
    const old = await cursorOf();
    const rotating = await pageApi(handlers, { cursorSecrets: [NEW, SECRET] });
    const { status, body } = await rotating(`${SHOP}?cursor=${old}`);
    expect(status).toBe(200);
    expect(resigned(body.meta.next, NEW)).toBe(body.meta.next);
    const rotated = await pageApi(handlers, { cursorSecrets: [NEW] });
    expect((await rotated(`${SHOP}?cursor=${body.meta.next}`)).status).toBe(200);
    expect((await rotated(`${SHOP}?cursor=${old}`)).status).toBe(400);
  });

  it('rejects an expired cursor', async () => {
    const cursor = await cursorOf();
    const young = await pageApi({ byCursor: handler({ maxAgeSeconds: 60 }) });
    expect((await young(`${SHOP}?cursor=${cursor}`)).status).toBe(200);
    const { status, body } = await young(`${SHOP}?cursor=${aged(cursor, 61)}`);
    expect([status, body.detail]).toEqual([
      400,
      'query cursor: expected a cursor of the last 60 s, or none for the first page',
    ]);
    expect((await get(`${SHOP}?cursor=${aged(cursor, 1e9)}`)).status).toBe(200);
  });

  it('binds a cursor to a principal where the handler does', async () => {
    const as = (name: string) => pageApi({ byCursor: handler({ boundTo: name }) });
    const { body } = await (await as('ann'))(SHOP);
    expect((await (await as('ann'))(`${SHOP}?cursor=${body.meta.next}`)).status).toBe(200);
    expect((await (await as('bob'))(`${SHOP}?cursor=${body.meta.next}`)).status).toBe(400);
    expect((await get(`${SHOP}?cursor=${body.meta.next}`)).status).toBe(400);
  });

  it('rejects a version that it does not know', async () => {
    const bytes = Buffer.from(await cursorOf(), 'base64url');
    bytes[0] = 2;
    const { body } = await get(`${SHOP}?cursor=${bytes.toString('base64url')}`);
    expect(body.detail).toBe(
      'query cursor: expected a cursor of this version, or none for the first page',
    );
  });
});

/** The documented format: 17 bytes, the key as JSON, and 16 bytes of HMAC-SHA-256. */
function resigned(cursor: string, secret: string, change: (bytes: Buffer) => Buffer = (b) => b) {
  const bytes = change(Buffer.from(cursor, 'base64url').subarray(0, -16));
  const mac = createHmac('sha256', secret).update('stubwright cursor\0').update(bytes).digest();
  return Buffer.concat([bytes, mac.subarray(0, 16)]).toString('base64url');
}

function aged(cursor: string, seconds: number): string {
  return resigned(cursor, SECRET, (bytes) => {
    bytes.writeUInt32BE(bytes.readUInt32BE(1) - seconds, 1);
    return bytes;
  });
}

function tampered(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const key = Buffer.from('[1,["7"]]');
  return Buffer.concat([bytes.subarray(0, 17), key, bytes.subarray(-16)]).toString('base64url');
}

function unsigned(cursor: string): string {
  return Buffer.from(cursor, 'base64url').subarray(0, -16).toString('base64url');
}

describe('a page with a number', () => {
  it('starts at its number times its size', async () => {
    ranges.length = 0;
    const pages = [];
    for (const query of ['?limit=4', '?limit=4&page=2', '?limit=4&page=3', '?limit=4&page=4']) {
      pages.push(await get(`/v1/byPage${query}`));
    }
    expect(pages.map(idsOf)).toEqual([idsFrom(0, 4), idsFrom(4, 8), idsFrom(8, 11), []]);
    expect(pages.map(({ body }) => body.more)).toEqual([true, true, false, false]);
    expect(pages.map(({ link }) => link)).toEqual([
      '</v1/byPage?limit=4&page=1>; rel="first", </v1/byPage?limit=4&page=2>; rel="next"',
      '</v1/byPage?limit=4&page=1>; rel="first", </v1/byPage?limit=4&page=1>; rel="prev", </v1/byPage?limit=4&page=3>; rel="next"',
      '</v1/byPage?limit=4&page=1>; rel="first", </v1/byPage?limit=4&page=2>; rel="prev"',
      '</v1/byPage?limit=4&page=1>; rel="first", </v1/byPage?limit=4&page=3>; rel="prev"',
    ]);
    expect(ranges[1]).toMatchObject({ offset: 4, limit: 5 });
  });

  it('has at most 1000 items without a declared maximum, and 100 without a default', async () => {
    const all = Array.from({ length: 2000 }, (_, at) => ({ id: BigInt(at), total: 1 }));
    const many = await pageApi({ byPage: handler({}, all) });
    expect(idsOf(await many('/v1/byPage?limit=1000000000'))).toHaveLength(1000);
    expect(idsOf(await many('/v1/byPage'))).toHaveLength(100);
  });

  it.each([
    ['page=0', 'query page: expected an integer from 1'],
    ['page=-1', 'query page: expected an integer from 1'],
    ['limit=0', 'query limit: expected an integer from 1'],
    ['page=9007199254740993', 'query page: expected a smaller integer'],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await get(`/v1/byPage?${query}`);
    expect([status, body.detail]).toEqual([400, message]);
  });
});

describe('a page at an offset', () => {
  it('starts at an item, counted from the default of the parameter', async () => {
    ranges.length = 0;
    expect(idsOf(await get('/v1/byOffset'))).toEqual(idsFrom(0, 3));
    const second = await get('/v1/byOffset?from=4');
    expect(idsOf(second)).toEqual(idsFrom(3, 6));
    expect(second.link).toBe(
      '</v1/byOffset?from=1>; rel="first", </v1/byOffset?from=1>; rel="prev", </v1/byOffset?from=7>; rel="next"',
    );
    expect((await get('/v1/byOffset?from=3&limit=2')).link).toContain(
      '</v1/byOffset?limit=2&from=1>; rel="prev"',
    );
    expect(ranges.map(({ offset }) => offset)).toEqual([0, 3, 2]);
  });

  it('has at most the declared maximum of items of the array', async () => {
    expect(idsOf(await get('/v1/byOffset?limit=5'))).toHaveLength(4);
  });
});

describe('a page of a link', () => {
  const many = pageApi({ byLink: handler({}, ORDERS.concat(others())) });

  it('leads to the URL of the next page, without credentials', async () => {
    const send = await many;
    const { body } = await send('/v1/byLink?token=secret');
    expect(body.orders).toHaveLength(100);
    expect(body.next).toMatch(/^\/v1\/byLink\?after=[\w-]+$/);
    const last = await send(body.next);
    expect([last.body.orders.length, last.body.next]).toEqual([11, null]);
  });

  it('has an origin where the handler has one', async () => {
    const rows = ORDERS.concat(others());
    const send = await pageApi({ byLink: handler({ origin: 'https://orders.example/' }, rows) });
    expect((await send('/v1/byLink')).body.next).toMatch(
      /^https:\/\/orders\.example\/v1\/byLink\?/,
    );
  });
});

describe('page', () => {
  const failureOf = async (source: object, options = {}) => {
    const failures: Error[] = [];
    const byCursor: AnyHandlers[string] = async (request) => {
      const reply = paged(request, source).catch((error) => {
        failures.push(error);
        throw error;
      });
      return { status: 200, ...(await reply) };
    };
    const send = await pageApi({ byCursor }, options);
    expect((await send(SHOP)).status).toBe(500);
    return failures[0]!.message;
  };

  const sortedBy = (name: string, ...values: readonly unknown[]) => ({
    order: [name],
    fetch: () => values.map((value) => ({ [name]: value })),
  });
  const long = Array.from('abcd', (letter) => letter.repeat(4000));
  const TOO_MANY = /^byCursor: fetch returned 11 rows, expected at most 4$/;
  const TOO_LONG = /^a cursor of \d+ characters, expected at most 4096: order by shorter values$/;
  const NOT_UNIQUE = /two rows have the key \(5\): expected an order that ends with/;

  it.each<[string, object, RegExp]>([
    ['rows within the limit', { fetch: () => ORDERS }, TOO_MANY],
    ['a unique order', { order: ['-total'] }, NOT_UNIQUE],
    ['values that can be sorted', sortedBy('lines', []), /^byCursor: expected lines to be/],
    ['finite numbers', sortedBy('n', Number.NaN), /^byCursor: expected n to be/],
    ['an age', { maxAgeSeconds: Number.NaN }, /^maxAgeSeconds: /],
    ['an age of seconds', { maxAgeSeconds: 0 }, /^maxAgeSeconds: /],
    ['short values', sortedBy('n', ...long), TOO_LONG],
  ])('expects %s', async (_, source, message) => {
    expect(await failureOf(source)).toMatch(message);
  });

  it('expects a secret', async () => {
    expect(await failureOf({}, { cursorSecrets: undefined })).toMatch(
      /^byCursor: expected CURSOR_SECRET, or cursorSecrets/,
    );
  });

  it('expects rows after the cursor', async () => {
    const ignoring = await pageApi({ byCursor: handler({ fetch: () => ORDERS.slice(0, 1) }) });
    const { body } = await get(`${SHOP}?limit=1`);
    expect((await ignoring(`${SHOP}?limit=1&cursor=${body.meta.next}`)).status).toBe(500);
  });

  it('expects the request of a handler, of an operation with x-pagination', async () => {
    await expect(page({} as never, {} as never)).rejects.toThrow(
      'expected the request of a handler',
    );
    const other = loaded();
    const { definition } = other;
    Reflect.deleteProperty(definition.document.paths['/byPage'].get, 'x-pagination');
    const failures: unknown[] = [];
    const send = await pageApi(
      { byPage: (request) => paged(request).catch((error) => failures.push(error.message)) },
      { contract: other },
    );
    await send('/v1/byPage');
    expect(failures).toEqual(['byPage: expected x-pagination with a query parameter']);
  });

  it('returns items that are made of rows, and sorts by what no item has', async () => {
    const rows = ORDERS.map(({ id, total }) => ({ number: id, score: total }));
    const source = {
      order: ['-score', '-number'],
      item: ({ number, score }: (typeof rows)[number]) => ({ id: number, total: score }),
      fetch: ({ limit }: { limit: number }) => rows.slice(0, limit),
    };
    const send = await pageApi({ byCursor: handler(source) });
    expect((await send(`${SHOP}?limit=1`)).body.orders).toEqual([
      { id: Number(FIRST + 10n), total: 5 },
    ]);
  });

  it('rejects a secret of under 32 characters, without showing it', async () => {
    const api = pageApi(handlers, { cursorSecrets: [SECRET, 'tooShort'] });
    await expect(api).rejects.toThrow(
      'cursorSecrets: expected at least 32 characters in each, got 8 at 1',
    );
    await expect(api).rejects.not.toThrow('tooShort');
  });
});
