// The outbox of webhooks in a store.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataStore, openStore, type StoreTransaction } from '@stubwright/store';
import { DATABASES, databaseUrls } from '@stubwright/test-support/databases';
import { message, outboxConformance } from '@stubwright/test-support/outboxConformance';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { type Outbox, storeOutbox } from '@stubwright/webhooks';
import { documentedTables, migrationsIn } from './support/migrations.ts';

const temporary = temporaryPaths();
const newUrl = databaseUrls();

describe.each(DATABASES)('the outbox in a store on %s', (database) => {
  let store: DataStore;

  beforeAll(async () => {
    const files = { '0001.sql': documentedTables('store') };
    const migrations = migrationsIn(temporary('migrations'), files);
    const options = { name: 'shop', migrations, tables: [], patienceMs: 60_000 };
    store = await openStore(await newUrl(database), options);
  });
  afterAll(() => store?.close());

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
