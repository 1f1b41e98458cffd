// The orders of one customer, in the transaction of one request.
import { randomBytes } from 'node:crypto';
import { defineTable, rowsAfter, type StoreTransaction } from '@stubwright/store';
import { type DisposableContext, Problem, type RequestOutcome } from 'stubwright';
import type { components } from '../generated/contract.ts';

type Order = components['schemas']['Order'];

export const placedOrder = defineTable('placed_order', {
  key: 'id',
  columns: {
    ...{ id: 'int64', customer: 'text', item: 'text', quantity: 'integer' },
    ...{ note: 'text?', placedAt: 'text', version: 'int64' },
  },
});

export const NEWEST_FIRST = ['-placedAt', '-id'] as const;

export type OrderRow = NonNullable<typeof placedOrder.row>;

/** An order, and the number of its last change. */
export interface StoredOrder {
  readonly order: Order;
  readonly version: bigint;
}

export class Orders implements DisposableContext {
  readonly transaction: StoreTransaction;
  readonly #customer: string;

  constructor(transaction: StoreTransaction, customer: string) {
    this.transaction = transaction;
    this.#customer = customer;
  }

  async place(order: Omit<Order, 'id' | 'placedAt'>): Promise<StoredOrder> {
    // Nobody can guess the id of another order.
    const id = randomBytes(8).readBigUInt64BE() >> 1n;
    const placed = { ...order, id, placedAt: new Date().toISOString() };
    await this.transaction.run('INSERT INTO placed_order VALUES ($1, $2, $3, $4, $5, $6, 1)', [
      ...[id, this.#customer, placed.item, placed.quantity, placed.note ?? null, placed.placedAt],
    ]);
    return { order: placed, version: 1n };
  }

  /** @throws {Problem} 404, also for the order of another customer */
  async get(id: bigint): Promise<StoredOrder> {
    const where = { id, customer: this.#customer };
    const [row] = await rowsAfter(this.transaction, placedOrder, {
      ...{ order: ['id'], limit: 1, where },
    });
    if (row === undefined) throw new Problem(404, `no order has the id ${id}`);
    return { order: orderOf(row), version: row.version };
  }

  async change({ id, item, quantity, note }: Order, version: bigint): Promise<void> {
    await this.transaction.run(
      'UPDATE placed_order SET item = $2, quantity = $3, note = $4, version = $5 WHERE id = $1',
      [id, item, quantity, note ?? null, version],
    );
  }

  /** The newest first. @param after the key of a row */
  after(after: readonly [string, bigint] | undefined, limit: number): Promise<OrderRow[]> {
    const where = { customer: this.#customer };
    return rowsAfter(this.transaction, placedOrder, { order: NEWEST_FIRST, after, limit, where });
  }

  /** Commits if the client gets a valid reply with a status below 400. */
  [Symbol.asyncDispose](outcome?: RequestOutcome): Promise<void> {
    return this.transaction[Symbol.asyncDispose](outcome);
  }
}

export function orderOf({ id, item, quantity, note, placedAt }: OrderRow): Order {
  return { id, item, quantity, ...(note !== undefined && { note }), placedAt };
}
