// Kysely on a transaction of the store, which ends with the request.
import type { SqlValue, StoreTransaction } from '@stubwright/store';
import {
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

interface Tables {
  vehicle: { id: bigint; plate: string; load: bigint };
}

export function kyselyOn(transaction: StoreTransaction): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { columns, rows, changes } = await transaction.run(sql, parameters as SqlValue[]);
      const objects = rows.map((row) =>
        Object.fromEntries(columns.map((name, at) => [name, row[at]])),
      );
      return { rows: objects, numAffectedRows: BigInt(changes) } as QueryResult<R>;
    },
    streamQuery: () => {
      throw new Error('streams are not supported');
    },
  };
  const nothing = async () => {};
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      // The transaction ends with the request, not with a statement of Kysely.
      createDriver: () => ({
        ...{ init: nothing, destroy: nothing, releaseConnection: nothing },
        ...{ beginTransaction: nothing, commitTransaction: nothing, rollbackTransaction: nothing },
        acquireConnection: async () => connection,
      }),
    },
  });
}

export async function transfer(transaction: StoreTransaction, amount: bigint): Promise<bigint> {
  const db = kyselyOn(transaction);
  await db.insertInto('vehicle').values({ id: 2n, plate: 'B-XY 2', load: 0n }).execute();
  for (const [id, change] of [
    [1n, -amount],
    [2n, amount],
  ] as const) {
    await db
      .updateTable('vehicle')
      .set(({ eb }) => ({ load: eb('load', '+', change) }))
      .where('id', '=', id)
      .execute();
  }
  const { load } = await db
    .selectFrom('vehicle')
    .select('load')
    .where('plate', '=', 'B-XY 2')
    .executeTakeFirstOrThrow();
  return load;
}
