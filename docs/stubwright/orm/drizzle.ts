// Drizzle on a transaction of the store, which ends with the request.
import type { SqlValue, StoreTransaction } from '@stubwright/store';
import { eq, sql } from 'drizzle-orm';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pg-proxy';

const vehicle = pgTable('vehicle', {
  id: bigint({ mode: 'bigint' }).primaryKey(),
  plate: text().notNull(),
  load: bigint({ mode: 'bigint' }).notNull(),
});

export function drizzleOn(transaction: StoreTransaction) {
  return drizzle(async (text, parameters: SqlValue[]) => {
    const { rows } = await transaction.run(text, parameters);
    return { rows: [...rows] };
  });
}

export async function transfer(transaction: StoreTransaction, amount: bigint): Promise<bigint> {
  const db = drizzleOn(transaction);
  await db.insert(vehicle).values({ id: 2n, plate: 'B-XY 2', load: 0n });
  for (const [id, change] of [
    [1n, -amount],
    [2n, amount],
  ] as const) {
    const load = sql`${vehicle.load} + ${change}`;
    await db.update(vehicle).set({ load }).where(eq(vehicle.id, id));
  }
  const [row] = await db
    .select({ load: vehicle.load })
    .from(vehicle)
    .where(eq(vehicle.plate, 'B-XY 2'));
  return row!.load;
}
