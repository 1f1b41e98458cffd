import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { compareStores, copyMissing as copyRows } from '@stubwright/store';
import fc from 'fast-check';
import { codePoint } from '../../packages/stubwright/test/support/codePoint.ts';
import { runs } from '../../packages/stubwright/test/support/testAll.ts';
import type { NewPlant } from '../../src/plants/plant.ts';
import { PLANT } from '../../src/store/schema.ts';
import type { ReadableStore } from '../support/plantStore.ts';
import { openPlantStore as openStore } from '../support/plantStore.ts';
import { Postgres } from '../support/postgres.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const temporary = temporaryFolder();
const opened: ReadableStore[] = [];
let postgres: Postgres;

beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.remove());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

async function openNew(kind: string): Promise<ReadableStore> {
  const url = kind === 'SQLite' ? `sqlite:${temporary()}` : await postgres.createDatabase();
  const store = await openStore(url, { patienceMs: 60_000 });
  opened.push(store);
  return store;
}

const fill = (store: ReadableStore, plants: readonly NewPlant[]) =>
  Promise.all(plants.map((plant) => store.create(plant)));
const named = (count: number): NewPlant[] =>
  Array.from({ length: count }, (_, at) => ({ id: BigInt(at), name: `plant ${at}` }));
const nobody = () => {};
const tables = [PLANT];
const copyMissing = (from: ReadableStore, to: ReadableStore, onRead: (count: number) => void) =>
  copyRows(from.data, to.data, { tables, onRead });
const compare = (from: ReadableStore, to: ReadableStore) =>
  compareStores(from.data, to.data, tables);

describe.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
])('moving from %s to %s', (fromKind, toKind) => {
  it('copies arbitrary plants exactly', async () => {
    const from = await openNew(fromKind);
    const text = fc.string({ unit: codePoint }).map((each) => each.replaceAll('\0', ''));
    const plant = fc.record(
      { id: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), name: text, tag: text },
      { requiredKeys: ['id', 'name'] },
    );
    const edges = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    const plants = [
      ...edges.map((id) => ({ id, name: `edge ${id}` })),
      ...fc.sample(plant, { numRuns: runs(3000), seed: 1 }),
    ];
    await fill(from, plants);
    const count = new Set(plants.map(({ id }) => id)).size;
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

  it('keeps existing plants, and reports different ones', async () => {
    const from = await openNew(fromKind);
    const to = await openNew(toKind);
    await fill(from, named(30));
    await fill(to, [
      { id: 7n, name: 'another' },
      { id: 8n, name: 'plant 8', tag: '' },
      { id: 9n, name: 'plant 9' },
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
  it('reports missing plants', async () => {
    const [from, to] = [await openNew('SQLite'), await openNew('SQLite')];
    await fill(from, named(3));
    await fill(to, [{ id: 1n, name: 'plant 1' }]);
    expect(await compare(from, to)).toMatchObject({
      missing: 2,
      examples: ['missing 0', 'missing 2'],
    });
  });

  it('reads plants of any size', async () => {
    const [from, to] = [await openNew('SQLite'), await openNew('PostgreSQL')];
    await fill(
      from,
      named(20).map((plant) => ({ ...plant, tag: 'x'.repeat(2 ** 20) })),
    );
    await copyMissing(from, to, nobody);
    expect(await compare(from, to)).toMatchObject({ from: 20, to: 20, missing: 0, different: 0 });
  });
});
