// Webhooks on the connection of the application's transactions: sent if, and only if, they commit.
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { createWebhooks, sqliteOutbox } from '../src/index.ts';
import { receivers } from './support/receivers.ts';
import { SECRET, SOLD_CONTRACT, type SoldHooks } from './support/soldWebhook.ts';

const { receiver, ends } = receivers();
const folder = temporaryFolder();
afterAll(folder.remove);

async function start(connection: DatabaseSync) {
  const webhooks = await createWebhooks<SoldHooks, DatabaseSync>({
    ...{ contract: SOLD_CONTRACT, outbox: sqliteOutbox(connection), secrets: () => [SECRET] },
    ...{ addresses: 'any', pollMs: 1, retryDelaysMs: Array(1000).fill(1) },
  });
  const delivered: string[] = [];
  webhooks.events.on('delivered', ({ body }) => delivered.push(JSON.parse(body)));
  webhooks.start();
  const rows = () => connection.prepare('SELECT body, attempts FROM stubwright_outbox').all();
  return { webhooks, delivered, rows };
}

/** What happens while a transaction is open: a wait of milliseconds, a message, or a message of another caller. */
const anyStep = fc.oneof(
  fc.nat(4),
  fc.constantFrom('turn' as const, 'message' as const, 'message without transaction' as const),
);
const transaction = fc.record({
  steps: fc.array(anyStep, { maxLength: 6 }),
  end: fc.constantFrom('COMMIT' as const, 'ROLLBACK' as const),
  isSavepoint: fc.boolean(),
});

describe.each([
  ['in memory', () => ':memory:'],
  ['in a file', () => join(folder.path, `${Math.random()}.db`)],
])('messages of transactions on a database %s', (_, pathOf) => {
  it('are sent if they commit, and only then, once each', async () => {
    // Some are sent again: the result of an attempt is written twice.
    const { url, received } = await receiver((_, res) =>
      res.writeHead(received.length % 5 === 0 ? 500 : 204).end(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { maxLength: 6 }), async (transactions) => {
        received.length = 0;
        const connection = new DatabaseSync(pathOf());
        connection.exec('PRAGMA synchronous = OFF; CREATE TABLE toys (name TEXT)');
        const { webhooks, delivered, rows } = await start(connection);
        const expected: string[] = [];
        const toys: string[] = [];
        const others: Promise<unknown>[] = [];
        let count = 0;
        for (const { steps, end, isSavepoint } of transactions) {
          connection.exec(isSavepoint ? 'SAVEPOINT toy' : 'BEGIN');
          for (const step of steps) {
            const body = `m${count++}`;
            if (typeof step === 'number') await sleep(step);
            else if (step === 'turn') await nextTurn();
            else if (step === 'message') {
              connection.prepare('INSERT INTO toys VALUES (?)').run(body);
              await webhooks.send('sold', url, body, { transaction: connection });
              if (end === 'COMMIT') {
                expected.push(body);
                toys.push(body);
              }
            } else {
              others.push(webhooks.send('sold', url, body));
              expected.push(body);
            }
          }
          const ended = isSavepoint
            ? { COMMIT: 'RELEASE toy', ROLLBACK: 'ROLLBACK TO toy; RELEASE toy' }[end]
            : end;
          connection.exec(ended);
          await nextTurn();
        }
        await Promise.all(others);
        while (delivered.length < expected.length) await sleep(1);
        while (rows().length > 0) await sleep(1);
        await webhooks.stop();
        expect(delivered.toSorted()).toEqual(expected.toSorted());
        const sent = new Set(received.map(({ body }) => JSON.parse(body)));
        expect([...sent].sort()).toEqual(expected.toSorted());
        const stored = connection.prepare('SELECT name FROM toys').all();
        expect(stored.map(({ name }) => name)).toEqual(toys);
        connection.close();
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('the outbox on SQLite', () => {
  const message = {
    ...{ id: 'a', name: 'sold', url: 'http://a.example/', method: 'POST' },
    ...{ type: undefined, body: '', dueAt: 0 },
  };
  const limits = { limit: 9, leaseMs: 1, now: 1 };

  it('refuses a message of a transaction that has ended', async () => {
    const connection = new DatabaseSync(':memory:');
    const outbox = sqliteOutbox(connection);
    await expect(outbox.put(message, connection)).rejects.toThrow('expected an open one');
    expect(await outbox.claim(limits)).toEqual([]);
  });

  it('reports a transaction that does not end', async () => {
    const connection = new DatabaseSync(':memory:');
    const outbox = sqliteOutbox(connection);
    connection.exec('BEGIN');
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    ends.push(() => clock.mockRestore());
    const expected = 'no open transaction on the connection within 5 s';
    await expect(outbox.put(message)).rejects.toThrow(expected);
    await expect(outbox.claim(limits)).rejects.toThrow(expected);
  });

  it('uses inTransaction of better-sqlite3, and needs one of the two', async () => {
    const database = new DatabaseSync(':memory:');
    const connection = {
      exec: (sql: string) => database.exec(sql),
      prepare: (sql: string) => database.prepare(sql),
      inTransaction: false,
    };
    const outbox = sqliteOutbox(connection);
    await outbox.put(message);
    connection.inTransaction = true;
    const claimed = outbox.claim(limits);
    connection.inTransaction = false;
    expect(await claimed).toMatchObject([{ id: 'a' }]);
    const { exec, prepare } = connection;
    expect(() => sqliteOutbox({ exec, prepare })).toThrow('isTransaction (node:sqlite)');
  });

  it('is not created in a transaction, which may roll back', () => {
    const connection = new DatabaseSync(':memory:');
    connection.exec('BEGIN');
    expect(() => sqliteOutbox(connection)).toThrow('without an open transaction');
    expect(connection.isTransaction).toBe(true);
  });

  it('is created by one of many instances that start at once', async () => {
    const WORKERS = 6;
    const ROUNDS = 10;
    const paths = Array.from({ length: ROUNDS }, (_, at) => join(folder.path, `start${at}.db`));
    const barrier = new Int32Array(new SharedArrayBuffer(4 * ROUNDS));
    const code = `
      import { workerData, parentPort } from 'node:worker_threads';
      import { DatabaseSync } from 'node:sqlite';
      const { module, paths, barrier, workers } = workerData;
      const { sqliteOutbox } = await import(module);
      for (const [round, path] of paths.entries()) {
        Atomics.add(barrier, round, 1);
        while (Atomics.load(barrier, round) < workers);
        const connection = new DatabaseSync(path);
        sqliteOutbox(connection);
        const [{ timeout }] = connection.prepare('PRAGMA busy_timeout').all();
        if (timeout !== 0) throw new Error('busy_timeout: ' + timeout);
        connection.close();
      }`;
    const module = new URL('../src/sqliteOutbox.ts', import.meta.url).href;
    const workerData = { module, paths, barrier, workers: WORKERS };
    const exits = Array.from({ length: WORKERS }, () => {
      const source = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
      return once(new Worker(source, { workerData }), 'exit');
    });
    expect(await Promise.all(exits)).toEqual(Array(WORKERS).fill([0]));
  });
});
