// A generated client iterates over the pages of a service: both follow the same `x-pagination`.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnyHandlers, CONTRACT, loaded, type Order } from '@stubwright/test-support/pageApi';
import { createApi } from 'stubwright';
import { requestListener } from 'stubwright/node';
import { page } from 'stubwright/pages';
import {
  type ClientProject,
  clientProject,
  type Served,
  served,
} from '../support/clientProject.ts';

const FIRST = 9007199254740993n;
const COUNT = 230;
/** With ties of the total. */
const ORDERS: readonly Order[] = Array.from({ length: COUNT }, (_, at) => ({
  id: FIRST + BigInt(at),
  total: at >> 2,
}));

// biome-ignore lint/suspicious/noExplicitAny: the contract of this test has no generated types
const list = async (request: any) => {
  const source = {
    order: ['total', 'id'],
    fetch({ after, offset, limit }: { after?: [number, bigint]; offset: number; limit: number }) {
      const start = after ? ORDERS.findIndex(({ id }) => id === after[1]) + 1 : offset;
      return ORDERS.slice(start, start + limit);
    },
  };
  return { status: 200, ...((await page(request, source as never)) as object) };
};

const IDS = ['byCursor', 'byPage', 'byOffset', 'byLink', 'byRequired'];
const handlers: AnyHandlers = Object.fromEntries(IDS.map((id) => [id, list]));

describe('a generated client', () => {
  let project: ClientProject;
  let service: Served;
  let baseUrl: string;

  beforeAll(async () => {
    project = await clientProject(CONTRACT);
    const api = await createApi({
      ...{ contract: loaded(), handlers: handlers as never },
      cursorSecrets: ['a secret of at least 32 characters'],
    });
    service = await served(requestListener(api as never));
    baseUrl = `${service.url}/v1`;
  });
  afterAll(() => {
    service.close();
    project.remove();
  });

  it.each<[string, object, number]>([
    ['byCursor', { path: { shop: 7n }, query: { limit: 5, status: 'open' } }, 46],
    // The last page shows `more: false`.
    ['byPage', { query: { limit: 100 } }, 3],
    // An empty page ends the iteration.
    ['byOffset', { query: { limit: 4 } }, 59],
    ['byLink', { query: { token: 'a&b' } }, 3],
    ['byRequired', {}, 3],
  ])('receives each item of %s once, in order', async (operationId, request, pages) => {
    const before = service.seen.length;
    const { createClient } = await project.load();
    const client = createClient({ baseUrl });
    const ids: bigint[] = [];
    for await (const { id } of client[operationId].items(request)) ids.push(id);
    expect(ids).toEqual(ORDERS.map(({ id }) => id));
    const requested = service.seen.slice(before).map(({ url }) => url);
    expect(requested).toHaveLength(pages);
    expect(requested.at(-1)).not.toBe(requested[0]);
  });

  it('follows the header Link of an operation without next', async () => {
    const linked = CONTRACT.replace(
      'x-pagination: {kind: cursor, parameter: cursor, size: limit, items: /orders, next: /meta/next}',
      'x-pagination: {kind: link, parameter: cursor, size: limit, items: /orders}',
    );
    const other = await clientProject(linked);
    const { createClient } = await other.load();
    const ids: bigint[] = [];
    for await (const { id } of createClient({ baseUrl }).byCursor.items({ path: { shop: 7n } })) {
      ids.push(id);
    }
    expect(ids).toEqual(ORDERS.map(({ id }) => id));
    other.remove();
  });
});
