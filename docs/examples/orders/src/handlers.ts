// One function per operation.
import type { HandlersOf } from 'stubwright';
import { etag } from 'stubwright/conditional';
import { page } from 'stubwright/pages';
import { applyPatch } from 'stubwright/patch';
import type { operations } from '../generated/contract.ts';
import { NEWEST_FIRST, type Orders, orderOf } from './orders.ts';

export const handlers: HandlersOf<operations, Orders> = {
  async createOrder({ body }, orders) {
    const { order, version } = await orders.place(body);
    return { status: 201, headers: { ETag: etag(version) }, body: order };
  },

  async listOrders(request, orders) {
    const reply = await page(request, {
      order: NEWEST_FIRST,
      fetch: ({ after, limit }) => orders.after(after, limit),
      item: orderOf,
      boundTo: request.principal.name,
    });
    return { status: 200, ...reply };
  },

  async getOrder({ path: { id } }, orders) {
    const { order, version } = await orders.get(id);
    return { status: 200, headers: { ETag: etag(version) }, body: order };
  },

  async updateOrder({ path: { id }, body, preconditions }, orders) {
    const { order, version } = await orders.get(id);
    preconditions.check(version);
    const changed = applyPatch(order, body);
    await orders.change(changed, version + 1n);
    return { status: 200, headers: { ETag: etag(version + 1n) }, body: changed };
  },
};
