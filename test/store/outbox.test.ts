// The outbox of webhooks on PostgreSQL.
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';
import { POSTGRES_OUTBOX, postgresOutbox } from '../../packages/stubwright/src/webhooks.ts';
import { outboxConformance } from '../../packages/stubwright/test/support/outboxConformance.ts';
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
