import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  compareStores,
  copyMissing as copyRows,
  type DataStore,
  defineTable,
  moveStore,
  openStore as openData,
  storeIdempotency,
} from '@stubwright/store';
import { codePoint } from '@stubwright/test-support/codePoint';
import { type DatabaseName, databaseUrls } from '@stubwright/test-support/databases';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { runs } from '@stubwright/test-support/testAll';
import { storeOutbox } from '@stubwright/webhooks';
import fc from 'fast-check';
import { documentedTables, migrationsIn } from './support/migrations.ts';
import { type NewToy, openToyStore as openStore, TOY, type ToyStore } from './support/toyStore.ts';

const temporary = temporaryPaths();
const opened: ToyStore[] = [];
const newUrl = databaseUrls();

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

async function openNew(database: DatabaseName): Promise<ToyStore> {
  const store = await openStore(await newUrl(database), { patienceMs: 60_000 });
  opened.push(store);
  return store;
}

const fill = (store: ToyStore, toys: readonly NewToy[]) =>
  Promise.all(toys.map((toy) => store.create(toy)));
const named = (count: number): NewToy[] =>
  Array.from({ length: count }, (_, at) => ({ id: BigInt(at), name: `toy ${at}` }));
const nobody = () => {};
const tables = [TOY];
const copyMissing = (from: ToyStore, to: ToyStore, onRead: (count: number) => void) =>
  copyRows(from.data, to.data, { tables, onRead });
const compare = (from: ToyStore, to: ToyStore) => compareStores(from.data, to.data, tables);

const DIRECTIONS: readonly [from: DatabaseName, to: DatabaseName][] = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
];

describe.each(DIRECTIONS)('moving from %s to %s', (fromKind, toKind) => {
  it('copies arbitrary toys exactly', async () => {
    const from = await openNew(fromKind);
    const text = fc.string({ unit: codePoint }).map((each) => each.replaceAll('\0', ''));
    const toy = fc.record(
      { id: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), name: text, tag: text },
      { requiredKeys: ['id', 'name'] },
    );
    const edges = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    const toys = [
      ...edges.map((id) => ({ id, name: `edge ${id}` })),
      ...fc.sample(toy, { numRuns: runs(3000), seed: 1 }),
    ];
    await fill(from, toys);
    const count = new Set(toys.map(({ id }) => id)).size;
    const to = await openNew(toKind);
    expect(await copyMissing(from, to, nobody)).toBe(count);
    expect(await compare(from, to)).toEqual({
      ...{ from: count, to: count, missing: 0, different: 0, surplus: 0 },
      examples: [],
    });
    expect(await to.pageFrom(-(2n ** 63n), 10)).toEqual(await from.pageFrom(-(2n ** 63n), 10));
  });

  it('continues after an interruption', async () => {
    const from = await openNew(fromKind);
    await fill(from, named(5000));
    const to = await openNew(toKind);
    const stop = (read: number) => {
      if (read === 3500) throw new Error('stopped');
    };
    await expect(copyMissing(from, to, stop)).rejects.toThrow('stopped');
    const left = await copyMissing(from, to, nobody);
    expect(left).toBeGreaterThan(1000);
    expect(left).toBeLessThan(5000);
    expect(await compare(from, to)).toMatchObject({ from: 5000, to: 5000, missing: 0 });
  });

  it('keeps existing toys, and reports different ones', async () => {
    const from = await openNew(fromKind);
    const to = await openNew(toKind);
    await fill(from, named(30));
    await fill(to, [
      { id: 7n, name: 'another' },
      { id: 8n, name: 'toy 8', tag: '' },
      { id: 9n, name: 'toy 9' },
      { id: 100n, name: 'surplus' },
    ]);
    expect(await copyMissing(from, to, nobody)).toBe(27);
    expect(await compare(from, to)).toEqual({
      ...{ from: 30, to: 31, missing: 0, different: 2, surplus: 1 },
      examples: ['different 7', 'different 8', 'surplus 100'],
    });
  });
});

describe('compare', () => {
  it('reports missing toys', async () => {
    const [from, to] = [await openNew('SQLite'), await openNew('SQLite')];
    await fill(from, named(3));
    await fill(to, [{ id: 1n, name: 'toy 1' }]);
    expect(await compare(from, to)).toMatchObject({
      missing: 2,
      examples: ['missing 0', 'missing 2'],
    });
  });

  it('reads toys of any size', async () => {
    const [from, to] = [await openNew('SQLite'), await openNew('PostgreSQL')];
    await fill(
      from,
      named(20).map((toy) => ({ ...toy, tag: 'x'.repeat(2 ** 20) })),
    );
    await copyMissing(from, to, nobody);
    expect(await compare(from, to)).toMatchObject({ from: 20, to: 20, missing: 0, different: 0 });
  });
});

describe.each(DIRECTIONS)('moveStore from %s to %s', (fromKind, toKind) => {
  const toy = defineTable('toy', { key: 'id', columns: { id: 'int64', name: 'text' } });
  const hash = (at: number) => at.toString(16).padStart(64, '0');
  const NOW = 1_800_000_000_000;

  /** The migrations of the pages, and a table that is not declared. */
  function schema() {
    const sql = `CREATE TABLE toy (id bigint NOT NULL PRIMARY KEY, name text NOT NULL);
       CREATE TABLE left_behind (id bigint NOT NULL PRIMARY KEY);
       CREATE TABLE left_empty (id bigint NOT NULL PRIMARY KEY);
       ${documentedTables('store')} ${documentedTables('idempotency')}`;
    const migrations = migrationsIn(temporary('migrations'), { '0001.sql': sql });
    return { name: 'toys', migrations, tables: [toy], rows: 'toys' };
  }

  async function within(url: string, act: (store: DataStore) => Promise<void>): Promise<void> {
    const store = await openData(url, schema());
    await act(store).finally(() => store.close());
  }

  async function moved(from: string, to: string): Promise<[code: number, out: string]> {
    let out = '';
    const write = (chunk: unknown) => {
      out += chunk;
      return true;
    };
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation(write),
    );
    try {
      return [await moveStore({ from, to }, schema()), out];
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  async function fillOwn(store: DataStore): Promise<void> {
    const outbox = storeOutbox(store);
    const idempotency = storeIdempotency(store);
    await store.inserts({ table: toy, decide: () => 'added' })({ id: 1n, name: 'ball' });
    // More than a page, in an order that collations see differently.
    for (const id of ['b', 'A', 'a', 'B', '_', 'ä', 'z']) {
      const message = { id, name: 'sold', url: 'http://x', method: 'POST', body: `"${id}"` };
      await outbox.put({
        ...message,
        type: id === 'a' ? undefined : 'application/json',
        dueAt: NOW,
      });
    }
    const [first] = await outbox.claim({ limit: 1, leaseMs: 10, now: NOW });
    await outbox.giveUp(first!, 'gone');
    for (let at = 0; at < 20; at++) {
      const transaction = await store.begin();
      const body = at % 3 === 0 ? undefined : Uint8Array.from({ length: at * 20 }, (_, of) => of);
      const request = { id: hash(at), fingerprint: hash(at), now: NOW, expiresAt: NOW + 1000 };
      const response = { fingerprint: hash(at), status: 200 + at, headers: { etag: '"x"' }, body };
      await idempotency.save(transaction, request, response);
      await transaction.commit();
    }
  }

  it('copies the outbox and the idempotency keys, and compares them', async () => {
    const [from, to] = [await newUrl(fromKind), await newUrl(toKind)];
    await within(from, fillOwn);
    const [code, out] = await moved(from, to);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/: 28 toys, 28 of them created now\nequal/),
    ]);
    expect(out).not.toContain('not moved');
    await within(to, async (store) => {
      const transaction = await store.begin();
      const found = await storeIdempotency(store).find(transaction, {
        ...{ id: hash(7), fingerprint: hash(7), now: NOW, expiresAt: NOW },
      });
      expect(found).toMatchObject({ status: 207, headers: { etag: '"x"' } });
      expect([...(found!['body' as never] as Uint8Array)]).toEqual([...Array(140).keys()]);
      await transaction.rollBack();
      const due = await storeOutbox(store).claim({ limit: 99, leaseMs: 10, now: NOW });
      expect(due.map(({ id }) => id).sort()).toHaveLength(6);
    });
    // What has changed since is a difference, with the table that it is in.
    await within(to, async (store) => {
      await store.query('SELECT 1');
      const transaction = await store.begin();
      await transaction.run('UPDATE stubwright_idempotency SET body = $1 WHERE id = $2', [
        Uint8Array.of(1),
        hash(8),
      ]);
      await transaction.run('DELETE FROM stubwright_outbox WHERE failure IS NOT NULL');
      await transaction.run(
        "INSERT INTO stubwright_outbox (id, name, url, method, body) VALUES ('new', 'n', 'u', 'm', 'b')",
      );
      await transaction.commit();
    });
    const [again, text] = await moved(from, to);
    expect(again).toBe(1);
    expect(text).toMatch(
      /0 are missing, 7 different, 1 surplus .*different stubwright_outbox .*different stubwright_idempotency 0*8\b/s,
    );
  });

  it('names the tables with rows that are not declared', async () => {
    const [from, to] = [await newUrl(fromKind), await newUrl(toKind)];
    await within(from, async (store) => {
      await fillOwn(store);
      const transaction = await store.begin();
      await transaction.run('INSERT INTO left_behind VALUES (1)');
      await transaction.commit();
    });
    const [code, out] = await moved(from, to);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /equal in count and content\nnot moved, since the schema does not declare them: left_behind\n$/,
      ),
    ]);
  });
});
