import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import {
  openToyStore as openStore,
  openToyFile,
  type ToyStore,
  toyStoreOn,
} from './support/toyStore.ts';

const temporary = temporaryPaths();
const writings: { end(): Promise<void> }[] = [];

// Stops the writers of a failed test, for which jest would wait forever.
afterEach(async () => {
  for (const writing of writings.splice(0)) await writing.end();
});

function openNew() {
  const file = temporary();
  return { file, store: toyStoreOn(openToyFile(file)) };
}

const fill = (store: ToyStore, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, id) =>
      store.create({ id: BigInt(id), name: `toy ${id}`.padEnd(500) }),
    ),
  );

/** Creates toys in several sequences in parallel until it is stopped. */
function startWriting(store: ToyStore) {
  const acknowledged: bigint[] = [];
  let nextId = 1_000_000n;
  let isOver = false;
  const lane = async () => {
    while (!isOver) {
      // In no order, so that pages are changed that the backup has copied already.
      const id = (nextId++ * 7919n) % 1_000_003n;
      if ((await store.create({ id: -id, name: `late ${id}` })) === 'created')
        acknowledged.push(-id);
    }
  };
  const lanes = Promise.all(Array.from({ length: 16 }, lane));
  const writing = {
    acknowledged,
    async end() {
      isOver = true;
      await lanes;
    },
  };
  writings.push(writing);
  return writing;
}

describe('backUp', () => {
  it('under load contains every toy acknowledged before, and can be restored', async () => {
    const { file, store } = openNew();
    await fill(store, 10_000);
    const writing = startWriting(store);
    while (writing.acknowledged.length < 500)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const before = [...writing.acknowledged];
    expect(await store.backUp()).toBe(`${file}.backup`);
    const after = writing.acknowledged.length;
    await writing.end();
    await store.close();
    expect(after).toBeGreaterThan(before.length);

    const restored = temporary();
    copyFileSync(`${file}.backup`, restored);
    const database = openToyFile(restored);
    const rows = database.prepare('SELECT id, name FROM toy').all();
    const again = toyStoreOn(database);
    const names = new Map(rows.map(({ id, name }) => [Number(id), name]));
    for (const id of before) expect(names.get(Number(id))).toBe(`late ${-id}`);
    for (let id = 0; id < 10_000; id++) expect(names.get(id)).toBe(`toy ${id}`.padEnd(500));
    expect(await again.create({ id: 0n, name: 'another' })).toBe('different');
    await again.close();
  });

  it('waits for a commit in progress', async () => {
    const { store } = openNew();
    await fill(store, 100);
    const writing = startWriting(store);
    for (let times = 0; times < 50; times++) await store.backUp();
    await writing.end();
    await store.close();
  });

  it('replaces the previous backup', async () => {
    const { file, store } = openNew();
    await fill(store, 1);
    // A process that was killed leaves it.
    writeFileSync(`${file}.backup.partial`, 'no database'.repeat(1000));
    await store.backUp();
    await fill(store, 2);
    await store.backUp();
    await store.close();
    const copy = new DatabaseSync(`${file}.backup`, { readOnly: true });
    expect(copy.prepare('SELECT count(*) AS count FROM toy').get()).toEqual({ count: 2 });
    copy.close();
    expect(existsSync(`${file}.backup.partial`)).toBe(false);
  });

  it('runs once for two concurrent calls', async () => {
    const { store } = openNew();
    await fill(store, 1000);
    const [one, two] = [store.backUp(), store.backUp()];
    expect(one).toBe(two);
    await one;
    await store.close();
  });

  it('keeps the previous backup when it fails', async () => {
    const { file, store } = openNew();
    writeFileSync(`${file}.backup`, 'the one before');
    mkdirSync(`${file}.backup.partial`);
    await expect(store.backUp()).rejects.toThrow();
    rmSync(`${file}.backup.partial`, { recursive: true });
    expect(readFileSync(`${file}.backup`, 'utf8')).toBe('the one before');
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
    await store.close();
  });

  it('is aborted when the store closes', async () => {
    const { file, store } = openNew();
    await fill(store, 20_000);
    const backup = store.backUp();
    const settled = Promise.allSettled([backup]);
    await store.close();
    expect((await settled)[0].status).toBe('rejected');
    expect([existsSync(`${file}.backup`), existsSync(`${file}.backup.partial`)]).toEqual([
      false,
      false,
    ]);
    const again = await openStore(`sqlite:${file}`);
    expect(await again.create({ id: 19_999n, name: 'toy 19999'.padEnd(500) })).toBe('same');
    await again.close();
  });
});
