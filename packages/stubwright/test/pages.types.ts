// What must not compile, checked by tsc: each expectation below fails the type check when it holds
// no error. Nothing here runs.

import type { HandlerOf, ReplyOf, RequestOf } from '../src/index.ts';
import { page } from '../src/pages.ts';

interface Order {
  id: bigint;
  placedAt: string;
  note?: string;
  lines: string[];
}

interface ListOrders {
  parameters: { query?: { cursor?: string; limit?: number; status?: string } };
  responses: {
    200: {
      headers: { Link?: string; [name: string]: unknown };
      content: { 'application/json': { orders: Order[]; meta: { next?: string } } };
    };
    400: { content: { 'application/problem+json': { title: string } } };
    default: { content: { 'application/problem+json': Record<string, unknown> } };
  };
  pagination: { kind: 'cursor'; parameter: 'cursor'; items: ['orders']; next: ['meta', 'next'] };
}

interface CountedOrders {
  parameters: { query?: { page?: number } };
  responses: {
    200: { content: { 'application/json': { orders: Order[]; more: boolean; total: number } } };
  };
  pagination: { kind: 'page'; parameter: 'page'; items: ['orders']; more: ['more'] };
}

/** Without `x-pagination`. */
interface AllOrders {
  responses: { 200: { content: { 'application/json': { orders: Order[] } } } };
}

interface Orders {
  after(key: readonly [string, bigint] | undefined, limit: number): Promise<Order[]>;
  from(offset: number, limit: number): Promise<Order[]>;
}

type Handler<Operation> = HandlerOf<Operation, Orders>;

export const listOrders: Handler<ListOrders> = async (request, orders) => {
  const reply = await page(request, {
    order: ['-placedAt', 'id'],
    fetch: ({ after, limit }) => orders.after(after, limit),
  });
  return { status: 200, ...reply };
};

export const countedOrders: Handler<CountedOrders> = async (request, orders) => {
  const { body } = await page(request, {
    fetch: ({ offset, limit }) => orders.from(offset, limit),
  });
  return { status: 200, body: { ...body, total: 7 } };
};

interface Row {
  readonly number: bigint;
  readonly score: number;
}

/** Rows that are no items, and sort by a property that no item has. */
export const mapped: Handler<ListOrders> = async (request, orders) => {
  const reply = await page(request, {
    order: ['-score', 'number'],
    item: ({ number }: Row) => ({ id: number, placedAt: '', lines: [] }),
    async fetch({ after }) {
      const [score, number] = after ?? [];
      score satisfies number | undefined;
      number satisfies bigint | undefined;
      // @ts-expect-error an int64 is no number
      number satisfies number | undefined;
      await orders.from(0, 1);
      return [{ number: 1n, score: 2 }];
    },
  });
  return { status: 200, ...reply };
};

export const keys = (request: RequestOf<ListOrders>) =>
  page(request, {
    order: ['note', 'id'],
    fetch: ({ after }) => {
      after?.[0] satisfies string | null | undefined;
      // @ts-expect-error an optional property is null in a key
      after?.[0] satisfies string | undefined;
      after?.[1] satisfies bigint | undefined;
      return [];
    },
  });

// @ts-expect-error a required property that no page has is missing
export const incomplete: Handler<CountedOrders> = async (request, orders) => {
  const reply = await page(request, {
    fetch: ({ offset, limit }) => orders.from(offset, limit),
  });
  return { status: 200, ...reply };
};

export const linked = async (request: RequestOf<ListOrders>) => {
  const { headers, body } = await page(request, { order: ['id'], fetch: () => [] });
  headers.Link satisfies string | undefined;
  body.meta.next satisfies string | undefined;
  return { status: 200, headers, body } satisfies ReplyOf<ListOrders>;
};

// @ts-expect-error items of another type
page({} as RequestOf<ListOrders>, { order: ['id'], fetch: () => [{ id: 1, placedAt: '' }] });

// @ts-expect-error an order by a property that no item has
page({} as RequestOf<ListOrders>, { order: ['created'], fetch: () => [] });

// @ts-expect-error an order by a property that cannot be sorted
page({} as RequestOf<ListOrders>, { order: ['lines'], fetch: () => [] });

// @ts-expect-error a cursor without an order
page({} as RequestOf<ListOrders>, { fetch: () => [] });

// @ts-expect-error an operation without x-pagination
page({} as RequestOf<AllOrders>, { fetch: () => [] });

/** A cursor whose body has no property for the next one. */
interface WithoutNext {
  responses: { 200: { content: { 'application/json': { orders: Order[] } } } };
  pagination: { kind: 'cursor'; parameter: 'cursor'; items: ['orders']; next: ['next'] };
}

export const withoutNext = async (request: RequestOf<WithoutNext>) => {
  const { body } = await page(request, { order: ['id'], fetch: () => [] });
  // @ts-expect-error the body does not declare it
  return body.next;
};

// @ts-expect-error the body does not declare the items
page(
  {} as RequestOf<Omit<WithoutNext, 'responses'> & { responses: { 204: { content?: never } } }>,
  {
    order: ['id'],
    fetch: () => [],
  },
);
