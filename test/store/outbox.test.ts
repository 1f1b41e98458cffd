// The outbox of webhooks on PostgreSQL.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';
import { POSTGRES_OUTBOX, postgresOutbox } from '../../packages/webhooks/src/index.ts';
import { outboxConformance } from '../../packages/webhooks/test/support/outboxConformance.ts';
import { Postgres } from '../support/postgres.ts';

describe('the outbox on PostgreSQL', () => {
  let postgres: Postgres;
  let pool: Pool;

  beforeAll(async () => {
    postgres = await Postgres.start();
    pool = new Pool({ connectionString: await postgres.createDatabase() });
    await pool.query(POSTGRES_OUTBOX);
  });
  afterAll(async () => {
    await pool?.end();
    await postgres?.remove();
  });

  it('is created by many instances that start at once', async () => {
    const ROUNDS = 5;
    for (let round = 0; round < ROUNDS; round++) {
      const connectionString = await postgres.createDatabase();
      const instances = Array.from({ length: 12 }, () => new Pool({ connectionString, max: 1 }));
      // The connections are open: only the statements differ in time.
      await Promise.all(instances.map((instance) => instance.query('SELECT 1')));
      const created = await Promise.allSettled(
        instances.map((instance) => instance.query(POSTGRES_OUTBOX)),
      );
      await Promise.all(instances.map((instance) => instance.end()));
      expect(created.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
  });

  outboxConformance(
    {
      async open() {
        await pool.query('TRUNCATE stubwright_outbox');
        return [postgresOutbox(pool), postgresOutbox(pool)];
      },
      async rollBack(use) {
        const client: PoolClient = await pool.connect();
        await client.query('BEGIN');
        await use(client);
        await client.query('ROLLBACK');
        client.release();
      },
    },
    20,
  );
});
