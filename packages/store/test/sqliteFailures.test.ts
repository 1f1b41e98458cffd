import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants, DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { openToyFile, type ToyStore, toyStoreOn } from './support/toyStore.ts';

const SQLITE_FULL = 13;
const temporary = temporaryPaths();

const SMALL = 'x'.repeat(1000);
/** Larger than a page, so each row needs new pages, however the creates are batched. */
const LARGE = 'x'.repeat(9000);

/** Creates `count` toys from `first` on at the same time. */
async function createMany(store: ToyStore, first: number, count: number, name = SMALL) {
  const ids = Array.from({ length: count }, (_, index) => BigInt(first + index));
  const answers = await Promise.allSettled(ids.map((id) => store.create({ id, name })));
  const created = ids.filter((_, index) => answers[index]?.status === 'fulfilled');
  const errors = answers.flatMap((answer) => ('reason' in answer ? [answer.reason] : []));
  return { created, errors };
}

function denyCommit(database: DatabaseSync): void {
  database.setAuthorizer((action, operation) =>
    action === constants.SQLITE_TRANSACTION && operation === 'COMMIT'
      ? constants.SQLITE_DENY
      : constants.SQLITE_OK,
  );
}

function storedIds(file: string): bigint[] {
  const database = new DatabaseSync(file, { readBigInts: true });
  const rows = database.prepare('SELECT id FROM toy ORDER BY id').all();
  database.close();
  return rows.map(({ id }) => id as bigint);
}

describe('a database at its quota', () => {
  it('rejects the whole batch, keeps its toys, and recovers with the quota', async () => {
    const file = temporary();
    const database = openToyFile(file);
    const store = toyStoreOn(database);
    const { created } = await createMany(store, 0, 10, LARGE);
    expect(created).toHaveLength(10);

    // Below the size of the file: SQLite takes that size as the limit.
    database.exec('PRAGMA max_page_count = 1');
    const full = await createMany(store, 10, 200, LARGE);
    expect(full.created).toEqual([]);
    expect(full.errors).toHaveLength(200);
    expect(full.errors[0]).toMatchObject({
      name: 'StoreUnavailable',
      cause: { errcode: SQLITE_FULL },
    });
    expect(await store.create({ id: 0n, name: LARGE })).toBe('same');

    database.exec('PRAGMA max_page_count = 4294967294');
    expect((await createMany(store, 10, 200, LARGE)).created).toHaveLength(200);
    await store.close();
    expect(storedIds(file)).toHaveLength(210);
  });

  it('reports an invalid row separately when the disk fails its batch', async () => {
    const database = openToyFile(temporary());
    const store = toyStoreOn(database);
    database.exec('PRAGMA max_page_count = 2');
    const [bad, unlucky] = await Promise.allSettled([
      store.create({ id: 2n ** 63n, name: 'Aloe vera' }),
      store.create({ id: 1n, name: 'x'.repeat(9000) }),
    ]);
    expect(bad).toMatchObject({ reason: { name: 'Error' } });
    expect(unlucky).toMatchObject({ reason: { name: 'StoreUnavailable' } });
    await store.close();
  });
});

function mountTmpfs(kilobytes: number): string | undefined {
  const folder = temporary('disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return folder;
  } catch {
    return undefined;
  }
}

const disk = mountTmpfs(1024);
const itOnASmallDisk = disk ? it : it.skip;

describe('a full disk', () => {
  afterAll(() => {
    if (disk) execFileSync('umount', ['--lazy', disk]);
  });

  itOnASmallDisk('never answers created for a toy it lost, and recovers with room', async () => {
    const file = `${disk}/toys.db`;
    const store = toyStoreOn(openToyFile(file));
    writeFileSync(`${disk}/ballast`, Buffer.alloc(512 * 1024));
    const answered: bigint[] = [];
    let errors: unknown[] = [];
    for (let first = 0; first < 2000; first += 20) {
      const batch = await createMany(store, first, 20);
      answered.push(...batch.created);
      errors = batch.errors;
    }
    expect(answered.length).toBeGreaterThan(100);
    expect(errors[0]).toMatchObject({
      name: 'StoreUnavailable',
      cause: { code: 'ERR_SQLITE_ERROR' },
    });
    expect(statfsSync(disk!).bavail).toBeLessThan(20);

    rmSync(`${disk}/ballast`);
    const { created } = await createMany(store, 5000, 20);
    expect(created).toHaveLength(20);
    await store.close();
    expect(storedIds(file)).toEqual([...answered, ...created]);
  });
});

describe('a transaction that the disk fails', () => {
  it.each([
    ['at its COMMIT', undefined],
    ['at a statement', 'PRAGMA max_page_count = 1'],
  ])('%s reaches readiness, until a probe succeeds', async (_, limit) => {
    const database = openToyFile(temporary());
    const store = toyStoreOn(database);
    expect(await store.isReady()).toBe(true);
    if (limit !== undefined) database.exec(limit);
    const transaction = await store.data.begin();
    const insert = 'INSERT INTO toy VALUES ($1, $2, NULL)';
    const written = async () => {
      await transaction.run(insert, [1n, LARGE]);
      if (limit === undefined) denyCommit(database);
      await transaction.commit();
    };
    await expect(written()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    database.setAuthorizer(null);
    expect(await store.isReady()).toBe(false);
    await store.close();
  });

  it('is not what a violated constraint is', async () => {
    const store = toyStoreOn(openToyFile(temporary()));
    expect(await store.isReady()).toBe(true);
    const transaction = await store.data.begin();
    const insert = () => transaction.run("INSERT INTO toy VALUES (1, 'a', NULL)");
    await insert();
    await expect(insert()).rejects.toMatchObject({ name: 'ConstraintViolated' });
    await transaction.rollBack();
    expect(await store.isReady()).toBe(true);
    await store.close();
  });
});

describe('a commit that fails and leaves its transaction open', () => {
  it('is rolled back, acknowledges no create, and does not block the next', async () => {
    const file = temporary();
    const database = openToyFile(file);
    const store = toyStoreOn(database);
    denyCommit(database);
    const { created, errors } = await createMany(store, 0, 5);
    expect(created).toEqual([]);
    expect(errors).toMatchObject(Array(5).fill({ name: 'StoreUnavailable' }));

    database.setAuthorizer(null);
    expect((await createMany(store, 3, 5)).created).toHaveLength(5);
    await store.close();
    expect(storedIds(file)).toEqual([3n, 4n, 5n, 6n, 7n]);
  });
});
