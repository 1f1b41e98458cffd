// The outboxes of webhooks on PostgreSQL, and in a store.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataStore, openStore, type StoreTransaction, storeOutbox } from '@stubwright/store';
import { inTestAll } from '@stubwright/test-support/testAll';
import { Pool, type PoolClient } from 'pg';
import { type Outbox, POSTGRES_OUTBOX, postgresOutbox } from '../../packages/webhooks/src/index.ts';
import {
  message,
  outboxConformance,
} from '../../packages/webhooks/test/support/outboxConformance.ts';
import { Postgres } from '../support/postgres.ts';
import { temporaryFolder } from './temporaryFolder.ts';

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

  inTestAll(it)('is created by many instances that start at once', async () => {
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

const temporary = temporaryFolder();

describe.each(['SQLite', 'PostgreSQL'])('the outbox in a store on %s', (database) => {
  let postgres: Postgres | undefined;
  let store: DataStore;

  beforeAll(async () => {
    const folder = temporary(`migrations of ${database}`);
    mkdirSync(folder);
    const page = readFileSync('docs/stubwright/store.md', 'utf8');
    const blocks = [...page.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql]) => sql!);
    const sql = blocks.find((each) => each.includes('CREATE TABLE stubwright_outbox')) ?? '';
    writeFileSync(`${folder}/0001.sql`, sql);
    if (database === 'PostgreSQL') postgres = await Postgres.start();
    const url = (await postgres?.createDatabase()) ?? `sqlite:${temporary()}`;
    const migrations = pathToFileURL(`${folder}/`);
    const options = { name: 'shop', migrations, tables: [], patienceMs: 60_000 };
    store = await openStore(url, options);
  });
  afterAll(async () => {
    await store?.close();
    await postgres?.remove();
  });

  outboxConformance<StoreTransaction>(
    {
      async open() {
        const transaction = await store.begin();
        await transaction.run('DELETE FROM stubwright_outbox');
        await transaction.commit();
        const outboxes: [Outbox<StoreTransaction>, Outbox<StoreTransaction>] = [
          storeOutbox(store),
          storeOutbox(store),
        ];
        return outboxes;
      },
      async rollBack(use) {
        const transaction = await store.begin();
        await use(transaction);
        await transaction.rollBack();
      },
    },
    20,
  );

  it('stores a message with the transaction that commits', async () => {
    const outbox = storeOutbox(store);
    const transaction = await store.begin();
    await outbox.put({ ...message('committed'), dueAt: 0 }, transaction);
    await transaction.commit();
    const claimed = await outbox.claim({ limit: 99, leaseMs: 1, now: 1e12 });
    expect(claimed.map(({ id }) => id)).toContain('committed');
  });
});
