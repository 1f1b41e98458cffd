// What a SQLite store reports before a sync, after a failed one, and after its recovery.
import { EventEmitter } from 'node:events';
import * as fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { StoreEvents } from '@stubwright/store';
import { SUCCESS_HOLDS_MS } from '../../packages/store/src/readiness.ts';
import { temporaryFolder } from './temporaryFolder.ts';

type Callback = (error: Error | null) => void;

/** Of the syncs in the thread pool: under way until `finish`, while it is held. */
let isHeld = false;
const held: ((error?: Error) => void)[] = [];

function fdatasync(descriptor: number, callback: Callback): void {
  if (isHeld) held.push((error) => (error ? callback(error) : fs.fdatasync(descriptor, callback)));
  else fs.fdatasync(descriptor, callback);
}

jest.unstable_mockModule('node:fs', () => ({ ...fs, default: fs, fdatasync }));
const { openPlantStore, openPlantFile, plantStoreOn } = await import('../support/plantStore.ts');

const temporary = temporaryFolder();
const unavailable = { name: 'StoreUnavailable' };
const EIO = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

afterEach(() => {
  isHeld = false;
  held.splice(0);
});

/** A store with the plant 1, and its events. */
async function openFilled(file = temporary()) {
  const events: string[] = [];
  const store = await openPlantStore(`sqlite:${file}`, {
    events: new EventEmitter<StoreEvents>()
      .on('unavailable', ({ message }) => events.push(message))
      .on('available', () => events.push('available')),
  });
  await store.create({ id: 1n, name: 'aloe' });
  return { file, store, events };
}

async function finish(error?: Error): Promise<void> {
  while (held.length === 0) await nextTurn();
  held.shift()!(error);
}

/** @returns what was settled so far */
function settledOf(promises: Record<string, Promise<unknown>>): string[] {
  const settled: string[] = [];
  for (const [name, promise] of Object.entries(promises)) {
    promise.then(
      () => settled.push(name),
      () => settled.push(`${name} rejected`),
    );
  }
  return settled;
}

describe('before a sync of the log has succeeded', () => {
  it('reports no row that needs it, and every other', async () => {
    const { store } = await openFilled();
    isHeld = true;
    const created = store.create({ id: 2n, name: 'fern' });
    await nextTurn();
    const waiting = {
      created,
      retried: store.create({ id: 2n, name: 'fern' }),
      conflict: store.create({ id: 2n, name: 'another' }),
      found: store.find(2n),
      listed: store.data.query('SELECT * FROM plant'),
      begun: store.data.begin().then((transaction) => transaction.rollBack()),
    };
    const settled = settledOf(waiting);
    await sleep(20);
    expect(settled).toEqual([]);
    isHeld = false;
    await finish();
    await Promise.all(Object.values(waiting));
    expect(settled.toSorted()).toEqual(Object.keys(waiting).toSorted());
    await store.close();
  });

  it('writes the next batch, which the next sync covers', async () => {
    const { store } = await openFilled();
    isHeld = true;
    const first = store.create({ id: 2n, name: 'fern' });
    await nextTurn();
    const second = store.create({ id: 3n, name: 'fern' });
    const settled = settledOf({ first, second });
    await nextTurn();
    await finish();
    await first;
    await sleep(10);
    expect(settled).toEqual(['first']);
    await finish();
    expect(await second).toBe('created');
    isHeld = false;
    await store.close();
  });

  it('commits no transaction', async () => {
    const { store } = await openFilled();
    const transaction = await store.data.begin();
    await transaction.run('INSERT INTO plant (id, name) VALUES (2, $1)', ['fern']);
    isHeld = true;
    const commit = transaction.commit();
    const settled = settledOf({ commit });
    await sleep(10);
    expect(settled).toEqual([]);
    await finish(EIO);
    await expect(commit).rejects.toMatchObject(unavailable);
    isHeld = false;
    await store.close();
  });

  it('is not ready, and does not wait for it', async () => {
    const { store } = await openFilled();
    // A timer may fire up to a millisecond early.
    await sleep(SUCCESS_HOLDS_MS + 10);
    isHeld = true;
    expect(await store.isReady()).toBe(false);
    isHeld = false;
    await finish();
    await store.close();
  });

  it('does not close', async () => {
    const { store } = await openFilled();
    isHeld = true;
    const read = store.data.query("INSERT INTO plant (id, name) VALUES (2, 'fern')");
    const closed = store.close();
    const settled = settledOf({ read, closed });
    await sleep(10);
    expect(settled).toEqual([]);
    isHeld = false;
    await finish();
    await closed;
  });
});

describe('a failed sync of the log', () => {
  it('rejects all that rests on it, and is recovered from by the next request', async () => {
    const { file, store, events } = await openFilled();
    isHeld = true;
    const creates = [store.create({ id: 2n, name: 'fern' })];
    await nextTurn();
    creates.push(store.create({ id: 3n, name: 'fern' }), store.create({ id: 2n, name: 'fern' }));
    await nextTurn();
    await finish(EIO);
    for (const { status } of await Promise.allSettled(creates)) expect(status).toBe('rejected');
    expect(events).toEqual(['SQLite could not sync its log']);
    isHeld = false;
    expect(await store.create({ id: 4n, name: 'fern' })).toBe('created');
    expect(events.slice(1)).toEqual(['available']);
    expect(await store.create({ id: 2n, name: 'fern' })).toBe('same');
    await store.close();
    const again = await openPlantStore(`sqlite:${file}`);
    expect((await again.pageFrom(0n, 9)).map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
    await again.close();
  });

  /** Fails a sync, and changes a byte of its log, as a file system does that discards what it cannot write. */
  async function withChangedLog() {
    const opened = await openFilled();
    isHeld = true;
    const create = opened.store.create({ id: 2n, name: 'fern' });
    await finish(EIO);
    await expect(create).rejects.toMatchObject(unavailable);
    isHeld = false;
    const log = `${opened.file}-wal`;
    const bytes = fs.readFileSync(log);
    const at = bytes.lastIndexOf('fern');
    const descriptor = fs.openSync(log, 'r+');
    fs.writeSync(descriptor, Buffer.from([0]), 0, 1, at);
    fs.closeSync(descriptor);
    return opened;
  }

  it('whose log has changed is not recovered from, and leaves both files to the next start', async () => {
    const { file, store, events } = await withChangedLog();
    await expect(store.create({ id: 3n, name: 'fern' })).rejects.toMatchObject(unavailable);
    await expect(store.find(1n)).rejects.toMatchObject(unavailable);
    expect(events).toEqual([
      'SQLite could not sync its log',
      'SQLite could not write its log again',
    ]);
    expect(await store.isReady()).toBe(false);
    const before = [fs.readFileSync(file), fs.readFileSync(`${file}-wal`)];
    await expect(store.close()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('log to have the content that was written') },
    });
    expect([fs.readFileSync(file), fs.readFileSync(`${file}-wal`)]).toEqual(before);
    const copy = temporary('copy.db');
    for (const part of ['', '-wal']) fs.copyFileSync(file + part, copy + part);
    const again = await openPlantStore(`sqlite:${copy}`);
    expect((await again.pageFrom(0n, 9)).map(({ id }) => id)).toEqual([1n]);
    await again.close();
  });

  it('rejects a backup that was in progress, and keeps the previous one', async () => {
    const { file, store } = await openFilled();
    await store.backUp!();
    const previous = fs.readFileSync(`${file}.backup`);
    isHeld = true;
    const create = store.create({ id: 2n, name: 'fern' });
    await nextTurn();
    const backup = store.backUp!();
    await finish(EIO);
    await expect(create).rejects.toMatchObject(unavailable);
    await expect(backup).rejects.toMatchObject(unavailable);
    expect(fs.readFileSync(`${file}.backup`).equals(previous)).toBe(true);
    isHeld = false;
    await store.close();
  });
});

describe('an older SQLite, which does not report the frames of its log,', () => {
  it('syncs in COMMIT', async () => {
    const file = temporary();
    const database: DatabaseSync = openPlantFile(file);
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
    const store = plantStoreOn(database);
    isHeld = true;
    expect(await store.create({ id: 2n, name: 'fern' })).toBe('created');
    expect(await store.create({ id: 2n, name: 'another' })).toBe('different');
    expect(held).toEqual([]);
    await store.close();
  });
});
