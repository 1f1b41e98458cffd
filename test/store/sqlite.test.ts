import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NewPlant } from '../../src/plants/plant.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { openSqliteFile } from '../../src/store/sqliteFile.ts';
import { kill, storeProcess } from './storeProcess.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const temporary = temporaryFolder();

function openStore(file = temporary()) {
  return { file, store: new SqliteStore(openSqliteFile(file)) };
}

/** What is in the file, read without the store. The store must be closed. */
function stored(file: string): NewPlant[] {
  const database = new DatabaseSync(file, { readOnly: true, readBigInts: true });
  const rows = database.prepare('SELECT id, name, tag FROM plant ORDER BY id').all();
  database.close();
  return rows.map(({ id, name, tag }) => ({
    id: id as bigint,
    name: name as string,
    ...(tag === null ? {} : { tag: tag as string }),
  }));
}

/** Commits in a write-ahead log: the frames that end one (https://sqlite.org/fileformat2.html#walformat). */
function commits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (log.readUInt32BE(at + 4) > 0) count++;
  }
  return count;
}

describe('create', () => {
  it('stores a plant and answers created', async () => {
    const { file, store } = openStore();
    expect(await store.create({ id: 1n, name: 'Aloe vera', tag: 'succulent' })).toBe('created');
    await store.close();
    expect(stored(file)).toEqual([{ id: 1n, name: 'Aloe vera', tag: 'succulent' }]);
  });

  it('answers same to a retry and stores nothing twice', async () => {
    const { file, store } = openStore();
    await store.create({ id: 1n, name: 'Aloe vera' });
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
    await store.close();
    expect(stored(file)).toEqual([{ id: 1n, name: 'Aloe vera' }]);
  });

  it('answers different to another plant and keeps the stored one', async () => {
    const { file, store } = openStore();
    await store.create({ id: 1n, name: 'Aloe vera', tag: 'succulent' });
    expect(await store.create({ id: 1n, name: 'Monstera', tag: 'succulent' })).toBe('different');
    expect(await store.create({ id: 1n, name: 'Aloe vera', tag: 'tropical' })).toBe('different');
    expect(await store.create({ id: 1n, name: 'aloe vera', tag: 'succulent' })).toBe('different');
    await store.close();
    expect(stored(file)).toEqual([{ id: 1n, name: 'Aloe vera', tag: 'succulent' }]);
  });

  it('tells a missing tag from an empty one', async () => {
    const { file, store } = openStore();
    await store.create({ id: 1n, name: '' });
    await store.create({ id: 2n, name: '', tag: '' });
    expect(await store.create({ id: 1n, name: '', tag: '' })).toBe('different');
    expect(await store.create({ id: 2n, name: '' })).toBe('different');
    await store.close();
    expect(stored(file)).toEqual([
      { id: 1n, name: '' },
      { id: 2n, name: '', tag: '' },
    ]);
  });

  it('lets exactly one of 60 concurrent rivals win', async () => {
    const { file, store } = openStore();
    const names = Array.from({ length: 60 }, (_, index) => `rival ${index}`);
    const outcomes = await Promise.all(names.map((name) => store.create({ id: 7n, name })));
    const winners = names.filter((_, index) => outcomes[index] === 'created');
    expect(winners).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'different')).toHaveLength(59);
    await store.close();
    expect(stored(file)).toEqual([{ id: 7n, name: winners[0] }]);
  });

  it('stores one plant for 60 concurrent retries', async () => {
    const { file, store } = openStore();
    const plant = { id: 7n, name: 'Aloe vera', tag: 'succulent' };
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => store.create(plant)));
    expect(outcomes.toSorted()).toEqual(['created', ...Array(59).fill('same')]);
    await store.close();
    expect(stored(file)).toEqual([plant]);
  });

  it('keeps every int64 apart from its neighbours', async () => {
    const { file, store } = openStore();
    const edges = [INT64_MIN, -(2n ** 53n), 0n, 2n ** 53n, 2n ** 62n, INT64_MAX - 2n];
    const ids = edges.flatMap((edge) => [edge, edge + 1n, edge + 2n]);
    for (const id of ids) {
      expect(await store.create({ id, name: `plant ${id}` })).toBe('created');
    }
    await store.close();
    expect(stored(file)).toEqual(ids.map((id) => ({ id, name: `plant ${id}` })));
  });

  it('keeps every string exactly', async () => {
    const { file, store } = openStore();
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const plants: NewPlant[] = [];
    await fc.assert(
      fc.asyncProperty(text, fc.option(text, { nil: undefined }), async (name, tag) => {
        const id = BigInt(plants.length);
        const plant = tag === undefined ? { id, name } : { id, name, tag };
        plants.push(plant);
        expect(await store.create(plant)).toBe('created');
        expect(await store.create(plant)).toBe('same');
        expect(await store.create({ ...plant, name: `${name} ` })).toBe('different');
      }),
      { numRuns: 300 },
    );
    const emoji = { id: -1n, name: '👩🏽‍🌾 🪴', tag: '\u{10ffff}e\u0301\u200d' };
    await store.create(emoji);
    await store.close();
    expect(stored(file)).toEqual([emoji, ...plants]);
  });

  it('refuses a plant that SQLite cannot hold, and no other of its batch', async () => {
    const { file, store } = openStore();
    const ids = [1n, INT64_MAX + 1n, 2n];
    const answers = await Promise.allSettled(
      ids.map((id) => store.create({ id, name: 'Aloe vera' })),
    );
    expect(answers).toMatchObject([
      { value: 'created' },
      { reason: { message: 'SQLite cannot store plant 9223372036854775808' } },
      { value: 'created' },
    ]);
    await store.close();
    expect(stored(file).map(({ id }) => id)).toEqual([1n, 2n]);
  });

  it('shares one commit among the creates of one turn', async () => {
    const { file, store } = openStore();
    await store.create({ id: 0n, name: 'Aloe vera' });
    const before = commits(file);
    const ids = Array.from({ length: 500 }, (_, index) => BigInt(index + 1));
    await Promise.all(ids.map((id) => store.create({ id, name: 'Aloe vera' })));
    expect(commits(file) - before).toBe(1);
    await store.close();
    expect(stored(file)).toHaveLength(501);
  });
});

describe('durability', () => {
  it('keeps every answered plant when the process is killed', async () => {
    const file = temporary();
    await kill(await storeProcess(file, 300));
    const { store } = openStore(file);
    expect(await store.create({ id: 300n, name: 'Aloe vera' })).toBe('same');
    await store.close();
    expect(stored(file)).toHaveLength(300);
  });

  it('keeps plants from one opening to the next', async () => {
    const { file, store } = openStore();
    await store.create({ id: 1n, name: 'Aloe vera' });
    await store.close();
    const { store: again } = openStore(file);
    expect(await again.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
    expect(await again.create({ id: 2n, name: 'Monstera' })).toBe('created');
    await again.close();
    expect(stored(file)).toHaveLength(2);
  });
});

describe('close', () => {
  it('commits what was accepted, then refuses', async () => {
    const { file, store } = openStore();
    const accepted = store.create({ id: 1n, name: 'Aloe vera' });
    const closed = store.close();
    const late = store.create({ id: 2n, name: 'Monstera' });
    await expect(late).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(await accepted).toBe('created');
    await closed;
    expect(stored(file)).toEqual([{ id: 1n, name: 'Aloe vera' }]);
  });

  it('may be called twice', async () => {
    const { store } = openStore();
    await Promise.all([store.close(), store.close()]);
    await store.close();
  });
});
